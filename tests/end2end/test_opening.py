"""Stories of a window that opens: it says what it waits for and what it cannot do; the last wish is the one meant."""

from __future__ import annotations

import argparse
import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from carrel import life
from carrel.hand import Hand
from carrel.loop import Loop
from carrel.paths import paths
from carrel.store.secrets import Secrets
from carrel.store.settings import SettingsFile
from carrel.ui.window import Window
from carrel.work.desk import Desk
from desktops import Recorder
from keychains import Hangs, Keeps
from running import RunningService, built_in_service
from signing_in import connected, said, still_typed, tell
from stage import FAST, Stage, application, play


def options(**chosen: object) -> argparse.Namespace:
    return argparse.Namespace(**{"built_in": False, "tour": None, "account": None} | chosen)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service"), "--pace", "0") as running:
        yield running


async def signed_in(stage: Stage, service: RunningService) -> None:
    tell(stage, service)
    stage.hand.click("welcome.connect")
    await connected(stage)


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a host that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_it_says_that_the_built_in_service_starts(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.desk.tasks.start("open", life._open(stage.desk, stage.window, options(built_in=True)))
        await stage.hand.until(lambda: stage.hand.sees("opening"), "something is shown")
        assert "Starting the built-in service" in stage.hand.words("opening")
        await connected(stage)
        assert not stage.hand.sees("opening")

    play(tmp_path, story, built_in=False)


def test_it_says_that_the_keychain_is_asked(tmp_path: Path, service: RunningService) -> None:
    keeps, hangs = Keeps(), Hangs()

    async def second(stage: Stage) -> None:
        stage.desk.tasks.start("open", life._open(stage.desk, stage.window, options()))
        await stage.hand.until(lambda: "keychain is asked" in stage.hand.words("opening"), "it says what is waited for")
        hangs.let_go.set()
        await connected(stage)

    play(tmp_path, lambda stage: signed_in(stage, service), built_in=False, keychain=keeps)
    hangs.held = keeps.held
    try:
        play(tmp_path, second, built_in=False, keychain=hangs)
    finally:
        hangs.let_go.set()


def test_an_account_is_called_by_its_address(tmp_path: Path, service: RunningService) -> None:
    keeps = Keeps()

    async def second(stage: Stage) -> None:
        [account] = stage.desk.accounts.all
        for name in (service.base_url, service.base_url + "/", service.base_url.split("://")[1], account.id):
            assert life._wanted(stage.desk, options(account=name)) == account.id
        assert life._wanted(stage.desk, options(account="http://elsewhere.example.com")) == ""
        stage.desk.tasks.start("open", life._open(stage.desk, stage.window, options(account=service.base_url)))
        await connected(stage)

    play(tmp_path, lambda stage: signed_in(stage, service), built_in=False, keychain=keeps)
    play(tmp_path, second, built_in=False, keychain=keeps)


def live(home: Path, story: object) -> int:
    """Run the window's whole life with a story beside it; the exit code."""
    where, app = paths(home), application()
    desk = Desk(where, SettingsFile(where.settings), Secrets(trusted=("keychains",), backend=Keeps()), FAST)
    window = Window()
    window.attach(desk, Recorder())
    window.show()

    async def both() -> int:
        told = asyncio.ensure_future(story(Stage(desk, window, Hand(window))))
        told.add_done_callback(lambda _: window.close())
        code = await life._live(desk, window, options())
        await told
        return code

    try:
        with asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
            return runner.run(both())
    finally:
        window.deleteLater()


def test_a_journal_that_cannot_be_opened_has_a_page_and_can_be_tried_again(tmp_path: Path) -> None:
    in_the_way = tmp_path / "data" / "carrel.sqlite"
    in_the_way.mkdir(parents=True)

    async def story(stage: Stage) -> None:
        hand = stage.hand
        await hand.until(lambda: hand.sees("opening.again"), "it says so on a page")
        hand.key("window", Qt.Key.Key_Escape)
        assert "cannot open its journal" in hand.words("opening")
        assert "--home" in hand.words("opening")
        in_the_way.rmdir()
        hand.click("opening.again")
        await hand.until(lambda: hand.sees("welcome.start"), "it is open")

    assert live(tmp_path, story) == 0


def test_a_journal_that_cannot_be_opened_can_be_left(tmp_path: Path) -> None:
    (tmp_path / "data" / "carrel.sqlite").mkdir(parents=True)

    async def story(stage: Stage) -> None:
        await stage.hand.until(lambda: stage.hand.sees("opening.quit"), "it says so on a page")
        stage.hand.click("opening.quit")
        await stage.hand.until(lambda: not stage.window.isVisible(), "the window is closed")

    assert live(tmp_path, story) == 1


@pytest.mark.parametrize("how", ["button", "Esc"])
def test_asking_a_silent_service_can_be_ended(tmp_path: Path, service: RunningService, silent: str, how: str) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        typed = tell(stage, service, base_url=silent)
        for button in ("test", "connect"):
            hand.click(f"welcome.{button}")
            await said(stage, "Asking")
            assert not hand.find("welcome.connect").isEnabled()
            if how == "Esc":
                hand.key("window", Qt.Key.Key_Escape)
            else:
                hand.click("welcome.cancel")
            await hand.until(lambda: hand.find("welcome.connect").isEnabled(), "the form is free again")
            assert not hand.sees("welcome.cancel")
            assert not hand.sees("welcome.note")
            assert still_typed(stage) == typed
        assert stage.desk.accounts.all == ()

    play(tmp_path, story, built_in=False)


def test_what_was_asked_for_last_is_what_opens(tmp_path: Path, service: RunningService, silent: str) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        tell(stage, service, base_url=silent)
        hand.click("welcome.connect")
        await said(stage, "Asking")
        hand.click("welcome.start")
        await hand.until(lambda: hand.find("welcome.connect").isEnabled(), "nobody is asked any more")
        await connected(stage)
        assert stage.desk.session.is_built_in
        assert not hand.find("welcome.secret").text()

    play(tmp_path, story, built_in=False)


def test_the_welcome_page_begins_with_start(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.activateWindow()
        await stage.hand.until(lambda: focus() == "welcome.start", "Start has the focus")
        stage.hand.key("welcome.start", Qt.Key.Key_Tab)
        assert focus() == "welcome.base_url"
        stage.hand.key("welcome.base_url", Qt.Key.Key_Backtab)
        stage.hand.key("welcome.start", Qt.Key.Key_Space)
        await connected(stage)

    play(tmp_path, story, built_in=False)


def focus() -> str:
    widget = QApplication.focusWidget()
    return widget.objectName() if widget else ""


def test_a_maximised_window_comes_to_the_front_as_it_was(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        window = stage.window
        window.showMaximized()
        await stage.hand.until(window.isMaximized, "it is maximised")
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMinimized)
        await stage.hand.until(window.isMinimized, "it is minimised")
        window.to_front()
        await stage.hand.until(lambda: not window.isMinimized(), "it is to be seen")
        assert window.isMaximized()

    play(tmp_path, story, built_in=False)
