"""Stories of a person with several accounts: one is added in the settings, another is signed in to again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from keychains import Forgets, Hangs, Keeps
from running import RunningService, built_in_service
from signing_in import connect, connected, said, tell
from stage import Stage, play
from stories import ask, titles_in

QUESTION = "What is the rent of the lease?"


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service"), "--pace", "0") as running:
        yield running


async def on(stage: Stage, built_in: bool) -> None:
    """Wait until the session is the one that is meant, and what the former one left behind has come to an end."""
    await stage.hand.until(lambda: stage.desk.session.is_built_in is built_in, "the other account is open")
    await stage.hand.until(lambda: not stage.desk.tasks.running("open"), "opening has come to its end")
    await stage.hand.settle()


def to_settings(stage: Stage) -> None:
    stage.hand.click("rail.settings")


def test_an_account_is_added_in_the_settings_and_accounts_are_switched_without_a_mistake(
    tmp_path: Path, service: RunningService
) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        to_settings(stage)
        tell(stage, service, "settings.account")
        hand.click("settings.account.connect")
        await on(stage, built_in=False)
        assert not hand.sees("banner")
        to_settings(stage)
        hand.click("settings.built_in")
        await on(stage, built_in=True)
        assert not hand.sees("banner")
        to_settings(stage)
        [account] = stage.desk.accounts.all
        hand.click(f"settings.open.{account.id}")
        await on(stage, built_in=False)
        assert not hand.sees("banner")

    play(tmp_path, story)


def test_an_account_that_is_signed_in_to_again_has_its_chats(tmp_path: Path, service: RunningService) -> None:
    async def first(stage: Stage) -> None:
        stage.hand.click("welcome.earlier")
        tell(stage, service, base_url=service.legacy_base_url)
        stage.hand.click("welcome.connect")
        await connected(stage)
        await ask(stage, QUESTION)
        await stage.hand.until(lambda: stage.hand.sees("chat.send"), "the reply has ended")

    async def second(stage: Stage) -> None:
        hand = stage.hand
        [account] = stage.desk.accounts.all
        hand.click(f"welcome.account.{account.id}")
        await said(stage, "Type them in again")
        assert hand.find("welcome.base_url").text() == service.legacy_base_url
        assert hand.find("welcome.earlier").isChecked()
        tell(stage, service, base_url=service.legacy_base_url)
        hand.click("welcome.connect")
        await connected(stage)
        assert stage.desk.accounts.all == (account,)
        assert QUESTION in titles_in(stage)

    play(tmp_path, first, built_in=False, keychain=Forgets())
    play(tmp_path, second, built_in=False, keychain=Forgets())


def test_a_changed_key_is_typed_in_where_the_error_points_to(tmp_path: Path, service: RunningService) -> None:
    keychain = Keeps()

    async def story(stage: Stage) -> None:
        hand = stage.hand
        account = await connect(stage, service)
        opened = stage.desk.session
        to_settings(stage)
        hand.click(f"settings.again.{account.id}")
        await said(stage, "as they are now", "settings.account.note")
        assert hand.find("settings.account.base_url").text() == service.base_url
        host = service.base_url.split("://")[1]
        assert f"SIGN IN AGAIN TO {host}" in hand.words("settings.pane")
        typed = {"client_id": service.client_id, "api_key": service.api_key, "secret": service.secret}
        for name, text in typed.items():
            hand.type(f"settings.account.{name}", text)
        held = dict(keychain.held)
        keychain.held.clear()
        hand.click("settings.account.connect")
        await hand.until(lambda: keychain.held == held, "the credentials are kept under the same name")
        await hand.until(lambda: hand.sees("toast"), "it is said")
        assert stage.desk.session is opened
        assert stage.window.front == "settings"
        assert hand.find("settings.account.secret").text() == ""
        assert "SIGN IN AGAIN TO" not in hand.words("settings.pane")
        assert not hand.sees("banner")

    play(tmp_path, story, built_in=False, keychain=keychain)


def test_a_keychain_that_does_not_answer_is_to_be_unlocked(tmp_path: Path, service: RunningService) -> None:
    async def first(stage: Stage) -> None:
        tell(stage, service)
        stage.hand.click("welcome.connect")
        await connected(stage)

    locked = Hangs()

    async def second(stage: Stage) -> None:
        hand = stage.hand
        stage.desk.accounts.secrets._patience = 0.2
        [account] = stage.desk.accounts.all
        hand.click(f"welcome.account.{account.id}")
        await said(stage, "Opening")
        await said(stage, "Unlock it and press the account again")
        locked.let_go.set()
        stage.desk.accounts.secrets._patience = 60
        await hand.until(lambda: not stage.desk.accounts.secrets._hanging.is_alive(), "it is unlocked")
        hand.click(f"welcome.account.{account.id}")
        await connected(stage)

    open_one = Keeps()
    play(tmp_path, first, built_in=False, keychain=open_one)
    locked.held = open_one.held
    try:
        play(tmp_path, second, built_in=False, keychain=locked)
    finally:
        locked.let_go.set()
