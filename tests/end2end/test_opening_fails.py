"""Stories of a start that fails: the window shows a page on which something can be done, and says what happened."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from carrel import life
from carrel.work.builtin import BuiltIn
from keychains import Locks
from running import RunningService, built_in_service
from signing_in import connect, said
from stage import Stage, play

BUILT_IN = argparse.Namespace(built_in=True, tour=None, account=None)


def test_a_folder_that_cannot_be_made_is_said_on_the_welcome_page(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.desk.paths.service.parent.mkdir(parents=True, exist_ok=True)
        stage.desk.paths.service.write_text("a file where the folder should be")
        stage.desk.tasks.start("open", life._open(stage.desk, stage.window, BUILT_IN))
        await stage.hand.until(stage.window.banner.isVisible, "it is said")
        assert "The built-in service did not start" in stage.hand.words("banner")
        assert stage.hand.sees("welcome.start")
        stage.hand.click("welcome.start")
        await said(stage, "did not start")

    play(tmp_path, story, built_in=False)


def test_a_mistake_of_ours_while_opening_leaves_the_welcome_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch
) -> None:
    log_watch.expect("task open failed")

    async def start(_: BuiltIn) -> None:
        raise ZeroDivisionError

    async def story(stage: Stage) -> None:
        stage.window._stack.setCurrentIndex(-1)
        stage.desk.tasks.start("open", life._open(stage.desk, stage.window, BUILT_IN))
        await stage.hand.until(stage.window.banner.isVisible, "it is said")
        assert "Carrel made a mistake" in stage.hand.words("banner")
        assert stage.hand.sees("welcome.start")

    with monkeypatch.context() as patched:
        patched.setattr(BuiltIn, "start", start)
        play(tmp_path, story, built_in=False)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> RunningService:
    with built_in_service(tmp_path_factory.mktemp("service"), "--pace", "0") as running:
        yield running


def test_credentials_that_the_keychain_keeps_are_said_when_their_account_goes(
    tmp_path: Path, service: RunningService, log_watch
) -> None:
    log_watch.expect("keychain: RuntimeError")
    keychain = Locks()

    async def story(stage: Stage) -> None:
        hand = stage.hand
        account = await connect(stage, service)
        hand.click("rail.settings")
        hand.click(f"settings.remove.{account.id}")
        await hand.until(lambda: hand.sees("settings.confirm"), "it asks")
        box = hand.find("settings.confirm")
        next(b for b in box.buttons() if b.text() == "Remove").click()
        await hand.until(stage.window.banner.isVisible, "it is said")
        assert "still in the keychain" in hand.words("banner")
        assert account.id in hand.words("banner")
        assert hand.sees("welcome.start")
        assert stage.desk.accounts.all == ()

    play(tmp_path, story, built_in=False, keychain=keychain)
    assert len(keychain.held) == 1
