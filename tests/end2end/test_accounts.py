"""Stories of a person who starts Carrel, connects an account, and changes how it looks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from carrel.ui.theme import theme
from keychains import Forgets, Keeps, Talks
from running import RunningService, built_in_service
from signing_in import connect, connected, files_that_hold, said, secrets_of, still_typed, tell
from stage import FAST, Stage, play

KEPT = "Kept in your system's keychain"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service"), "--samples", "--pace", "0") as running:
        yield running


@pytest.fixture(autouse=True)
def light() -> Iterator[None]:
    """One story's theme is not the next one's."""
    yield
    theme.choose("light", 0)


def test_start_opens_the_built_in_service(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        assert stage.hand.sees("welcome.start")
        assert not stage.hand.sees("rail")
        assert "Not connected" in stage.hand.words("statusbar")
        stage.hand.click("welcome.start")
        await stage.hand.until(lambda: stage.hand.words("welcome.start") == "Starting…", "it says that it starts")
        await connected(stage)
        assert stage.hand.sees("rail")
        assert "Built-in service" in stage.hand.words("statusbar")
        assert "requests left this minute" in stage.hand.words("statusbar")
        assert stage.desk.settings.last_account == "built-in"

    play(tmp_path, story, built_in=False, options=FAST)


def test_a_service_that_does_not_start_is_said_on_its_card(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.hand.click("welcome.start")
        words = await said(stage, "service.log")
        assert "did not start" in words
        assert stage.hand.find("welcome.start").isEnabled()

    play(tmp_path, story, built_in=False, options=("--no-such-option",))


def test_test_says_how_many_models_and_keeps_nothing(tmp_path: Path, service: RunningService) -> None:
    async def story(stage: Stage) -> None:
        tell(stage, service)
        stage.hand.click("welcome.test")
        await said(stage, "It works: the service answers and offers")
        assert stage.desk.accounts.all == ()
        assert stage.desk.session is None

    play(tmp_path, story, built_in=False)
    assert files_that_hold(tmp_path, secrets_of(service)) == []


def test_an_account_is_connected_kept_and_open_again_at_the_next_start(tmp_path: Path, service: RunningService) -> None:
    keychain = Keeps()

    async def first(stage: Stage) -> None:
        await stage.hand.until(lambda: KEPT in stage.hand.words("welcome.safety"), "it says where secrets are kept")
        tell(stage, service, tenant_id=" acme ")
        stage.hand.click("welcome.connect")
        await connected(stage)
        assert "Tenant: acme" in stage.hand.words("statusbar")
        assert not stage.hand.sees("banner")
        assert stage.desk.built_in.pid is None

    async def second(stage: Stage) -> None:
        [account] = stage.desk.accounts.all
        stage.hand.click(f"welcome.account.{account.id}")
        await connected(stage)
        assert await stage.desk.session.models.load()

    play(tmp_path, first, built_in=False, keychain=keychain)
    [(name, held)] = keychain.held.items()
    assert name[0] == "Carrel"
    assert service.secret in held
    play(tmp_path, second, built_in=False, keychain=keychain)
    assert files_that_hold(tmp_path, secrets_of(service)) == []


@pytest.mark.parametrize(
    ("instead", "words", "wrong"),
    [
        ({"secret": "not-the-secret"}, "Check the client ID, API key and secret", ""),
        ({"base_url": "http://127.0.0.1:9"}, "Check the address and the network", ""),
        ({"base_url": "service.example.com"}, "Address: must be a whole address", "base_url"),
        ({"base_url": "http://[::1"}, "Address: must be a whole address", "base_url"),
        ({"api_key": "“key-of-mine”"}, "API key: holds a character that no key has, such as a curly quote", "api_key"),
        ({"client_id": " "}, "Client ID: must not be empty", "client_id"),
    ],
    ids=["wrong secret", "nobody answers", "no address", "half an address", "curly quotes", "nothing"],
)
@pytest.mark.parametrize("button", ["test", "connect"])
def test_what_is_wrong_is_said_in_the_form_and_nothing_typed_is_lost(  # noqa: PLR0917
    tmp_path: Path, service: RunningService, instead: dict[str, str], words: str, wrong: str, button: str
) -> None:
    async def story(stage: Stage) -> None:
        typed = tell(stage, service, **instead)
        stage.hand.click(f"welcome.{button}")
        shown = await said(stage, words)
        assert all(text not in shown for text in (service.api_key, service.secret, "not-the-secret", "key-of-mine"))
        assert still_typed(stage) == typed
        marked = [n for n in typed if stage.hand.find(f"welcome.{n}").property("wrong")]
        assert marked == ([wrong] if wrong else [])
        assert stage.hand.find("welcome.connect").isEnabled()
        assert stage.desk.accounts.all == ()

    play(tmp_path, story, built_in=False)


def test_a_field_is_no_longer_marked_once_it_is_edited(tmp_path: Path, service: RunningService) -> None:
    async def story(stage: Stage) -> None:
        tell(stage, service, base_url="nowhere")
        stage.hand.click("welcome.test")
        await said(stage, "whole address")
        stage.hand.type("welcome.base_url", service.base_url)
        assert not stage.hand.find("welcome.base_url").property("wrong")
        stage.hand.click("welcome.test")
        await said(stage, "It works")

    play(tmp_path, story, built_in=False)


@pytest.mark.parametrize("keychain", [Forgets, Talks])
def test_without_a_good_keychain_it_is_this_session_only_and_said(
    tmp_path: Path, service: RunningService, keychain: type, log_watch
) -> None:
    if keychain is Talks:
        log_watch.expect("keychain: RuntimeError")
    backend = keychain()

    async def first(stage: Stage) -> None:
        tell(stage, service)
        stage.hand.click("welcome.connect")
        await connected(stage)
        words = stage.hand.words("banner")
        assert "Signed in for this session only" in words
        assert "The keychain" in words
        assert service.secret not in words

    async def second(stage: Stage) -> None:
        [account] = stage.desk.accounts.all
        stage.hand.click(f"welcome.account.{account.id}")
        await said(stage, "not in the keychain")
        assert stage.hand.find("welcome.base_url").text() == service.base_url
        assert stage.desk.session is None

    play(tmp_path, first, built_in=False, keychain=backend)
    play(tmp_path, second, built_in=False, keychain=backend)
    assert files_that_hold(tmp_path, secrets_of(service)) == []


def test_where_no_keychain_is_trusted_the_page_says_so_beforehand(tmp_path: Path) -> None:
    class NotTrusted(Keeps):
        pass

    NotTrusted.__module__ = "keyrings.alt.file"

    async def story(stage: Stage) -> None:
        words = "Credentials are kept for this session only"
        await stage.hand.until(lambda: words in stage.hand.words("welcome.safety"), "the page says so")

    play(tmp_path, story, built_in=False, keychain=NotTrusted())


def test_the_earlier_interface_opens_and_its_panes_say_what_they_cannot(
    tmp_path: Path, service: RunningService
) -> None:
    async def story(stage: Stage) -> None:
        stage.hand.click("welcome.earlier")
        tell(stage, service, base_url=service.legacy_base_url)
        stage.hand.click("welcome.connect")
        await connected(stage)
        assert stage.desk.session.account.generation == "earlier"
        for pane in ("agents", "workflows"):
            stage.hand.click(f"rail.{pane}")
            await stage.hand.until(
                lambda p=pane: "earlier interface" in stage.hand.words(p), f"{pane} says what it lacks"
            )
        assert not stage.hand.sees("banner")

    play(tmp_path, story, built_in=False)


def test_settings_act_at_once_and_stay(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.hand.click("rail.settings")
        hand = stage.hand
        theme_box, send_box = hand.find("settings.theme"), hand.find("settings.send_with")
        theme_box.setCurrentIndex(theme_box.findData("dark"))
        assert theme.dark
        theme_box.setCurrentIndex(theme_box.findData("light"))
        assert not theme.dark
        before = stage.window.rail.width()
        hand.find("settings.text_size").setValue(4)
        await hand.settle()
        assert theme.base == 17
        assert stage.window.rail.width() > before
        send_box.setCurrentIndex(send_box.findData("ctrl-enter"))
        hand.click("rail.chat")
        hand.type("chat.composer", "Hello")
        hand.key("chat.composer", Qt.Key.Key_Return)
        await hand.settle()
        assert stage.desk.session.chats.all() == []
        assert hand.find("chat.composer").toPlainText() == "Hello\n"

    async def again(stage: Stage) -> None:
        assert stage.desk.settings.text_size == 4
        assert stage.desk.settings.send_with == "ctrl-enter"
        stage.hand.type("chat.composer", "Hello")
        stage.hand.key("chat.composer", Qt.Key.Key_Return)
        await stage.hand.settle()
        assert stage.desk.session.chats.all() == []

    play(tmp_path, story)
    play(tmp_path, again)


def test_an_account_is_removed_with_its_secrets_and_the_welcome_page_forgets_it(
    tmp_path: Path, service: RunningService
) -> None:
    keychain = Keeps()

    async def story(stage: Stage) -> None:
        hand = stage.hand
        account = await connect(stage, service)
        hand.click("rail.settings")
        hand.click(f"settings.remove.{account.id}")
        await hand.until(lambda: hand.sees("settings.confirm"), "it asks")
        box = hand.find("settings.confirm")
        next(b for b in box.buttons() if b.text() == "Remove").click()
        await hand.until(lambda: stage.desk.session is None and hand.sees("welcome.start"), "the welcome page is back")
        assert keychain.held == {}
        assert not hand.sees(f"welcome.account.{account.id}")

    play(tmp_path, story, built_in=False, keychain=keychain)
