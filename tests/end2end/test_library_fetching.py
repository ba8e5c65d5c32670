"""Stories of files that are opened, dragged, saved and asked for in numbers while their downloads are under way."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from test_library_browsing import listed

from carrel.ui.library.transfers import AT_ONCE
from carrel.ui.shell import Shell
from faulty import Faulty, Peer, faulty_thread, routes
from stage import Stage, play

FIRST = 1_000_000
MANY = 300


class Slow:
    """Files of which the second half comes when the test says so; the service knows no ranges."""

    def __init__(self, files: list[dict[str, Any]]) -> None:
        self.files = files
        self.goes_on = threading.Event()
        self.asked = 0
        self.is_up = True

    async def library(self, peer: Peer) -> None:
        if not self.is_up:
            await peer.json({"error": "internal_error", "message": "Broken."}, 503)
            return
        count = len(self.files)
        page = {"total_items": count, "providers": {}, "page": 1, "page_size": 1000, "total_pages": 1}
        await peer.json({**page, "items": self.files})

    async def content(self, peer: Peer) -> None:
        self.asked += 1
        await peer.head(200, {"content-length": str(2 * FIRST)})
        await peer.raw(b"x" * FIRST)
        while not self.goes_on.is_set():  # noqa: ASYNC110  # it is set on another thread
            await asyncio.sleep(0.01)
        await peer.raw(b"y" * FIRST)

    def table(self) -> Any:
        contents = {f"GET /external/files/{file['id']}": self.content for file in self.files}
        return routes({"GET /external/libraries": self.library, **contents})


Told = Callable[[Stage, Faulty, Slow], Awaitable[None]]


def with_files(home: Path, told: Told, *names: str) -> None:
    files = [listed(number % 9 + 1, name, id=str(number)) for number, name in enumerate(names, 1)]
    slow = Slow([{**file, "download_link": f"external/files/{file['id']}"} for file in files])

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        stage.window.go("library")
        table = stage.hand.find("library.table")
        await stage.hand.until(lambda: table.model().rowCount() == len(names), "the files are listed")
        await told(stage, server, slow)
        slow.goes_on.set()

    with faulty_thread(slow.table()) as server:
        play(home, story, built_in=False)


def menu_words(stage: Stage, open_it: Callable[[], object]) -> dict[str, Any]:
    open_it()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    actions = {action.text(): action for action in menu.actions()}
    menu.close()
    return actions


def test_open_and_drag_during_a_download_fetch_nothing_again(tmp_path: Path) -> None:
    opened: list[str] = []

    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        hand, downloads = stage.hand, stage.desk.session.downloads
        stage.window.shell.open_file = lambda path: opened.append(path.name)
        table, fetching = hand.find("library.table"), stage.window.presenter("library").fetching
        table.selectRow(0)
        hand.click("library.download")
        await hand.until(lambda: downloads.rows() and downloads.rows()[0].moved, "it is being fetched")
        await downloads.pause(downloads.rows()[0].id)
        fetching.open(table.selected_ids()[0])
        table.dragged.emit()
        await hand.until(lambda: "Drag them once they are here" in hand.words("toast"), "the drag is answered")
        await hand.until(lambda: downloads.rows()[0].state == "moving", "what was paused goes on")
        table.dragged.emit()
        slow.goes_on.set()
        await hand.until(lambda: opened == ["plan.pdf"], "it is opened")
        assert [row.state for row in downloads.rows()] == ["done"]
        assert slow.asked == 2, "once before the pause, once after it"

    with_files(tmp_path, told, "plan.pdf")


def test_the_tray_says_at_once_that_a_download_is_paused(tmp_path: Path) -> None:
    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        hand, downloads = stage.hand, stage.desk.session.downloads
        hand.find("library.table").selectRow(0)
        hand.click("library.download")
        tray = hand.find("library.downloads")
        await hand.until(lambda: tray.rows() and tray.rows()[0].moved, "it moves in the tray")
        await hand.until(lambda: _slow_timer(stage), "the tray paints at its slower pace")
        QTest.mouseClick(tray.viewport(), Qt.MouseButton.LeftButton, pos=tray.place_of(tray.rows()[0].id, "pause"))
        await hand.until(lambda: downloads.rows()[0].state == "paused", "it is paused")
        assert _timer(stage).remainingTime() <= 100, "the tray is about to say so"
        await hand.until(lambda: tray.rows()[0].state == "paused", "the tray says so")

    with_files(tmp_path, told, "plan.pdf")


def _timer(stage: Stage) -> Any:
    return stage.window.presenter("library")._queues[1]._timer


def _slow_timer(stage: Stage) -> bool:
    return _timer(stage).remainingTime() > 200


def test_a_whole_library_is_queued_in_one_go(tmp_path: Path) -> None:
    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        hand, downloads = stage.hand, stage.desk.session.downloads
        hand.find("library.table").selectAll()
        counts: set[int] = set()
        downloads.added.connect(lambda _: counts.add(len(downloads.rows())))
        hand.click("library.download")
        await hand.until(downloads.rows, "they are queued")
        assert counts == {MANY}
        await hand.until(lambda: hand.sees("library.cancel_all"), "all of it can be cancelled")
        hand.click("library.cancel_all")
        await hand.until(lambda: {row.state for row in downloads.rows()} == {"cancelled"}, "all are cancelled")

    with_files(tmp_path, told, *(f"file {n}.pdf" for n in range(MANY)))


def test_a_file_without_a_link_is_called_by_its_name(tmp_path: Path) -> None:
    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        hand = stage.hand
        slow.files[0]["download_link"] = ""
        hand.click("library.more")
        [menu] = [m for m in stage.window.findChildren(QMenu) if m.isVisible()]
        next(a for a in menu.actions() if a.text() == "Refresh").trigger()
        menu.close()
        library, fetching = stage.desk.session.library, stage.window.presenter("library").fetching
        await hand.until(lambda: not library.file("1").download_link, "the link is gone")
        QGuiApplication.clipboard().setText("kept")
        fetching.copy_link("1")
        assert "no link to plan.pdf" in hand.words("toast")
        assert QGuiApplication.clipboard().text() == "kept"
        stage.window.shell.toast("another")
        fetching.download(["1"])
        await hand.until(lambda: "no link to plan.pdf" in hand.words("toast"), "the download says it too")

    with_files(tmp_path, told, "plan.pdf")


def test_save_as_offers_a_name_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[str] = []
    monkeypatch.setattr(Shell, "choose_target", lambda self, title, name, then: offered.append(name))

    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        stage.window.presenter("library").fetching.save_as("1", stage.desk.session.library.file("1").file_name)
        assert offered == ["evil.txt"]

    with_files(tmp_path, told, "../../evil.txt")


def test_a_download_that_failed_is_saved_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = tmp_path / "elsewhere.pdf"
    monkeypatch.setattr(Shell, "choose_target", lambda self, title, name, then: then([chosen]))

    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        hand, downloads = stage.hand, stage.desk.session.downloads
        slow.goes_on.set()
        downloads.folder.parent.mkdir(parents=True, exist_ok=True)
        downloads.folder.write_text("a file in the way")
        hand.find("library.table").selectRow(0)
        hand.click("library.download")
        tray = hand.find("library.downloads")
        await hand.until(lambda: tray.rows() and tray.rows()[0].state == "failed", "it cannot be written")
        tray.setCurrentIndex(tray.model().index(0, 0))
        actions = menu_words(stage, lambda: tray.menu_asked.emit(tray.mapToGlobal(QPoint(40, 10))))
        actions["Save as…"].trigger()
        await hand.until(lambda: downloads.rows()[0].state == "done", "it is saved there")
        assert chosen.stat().st_size == 2 * FIRST

    with_files(tmp_path / "home", told, "plan.pdf")


def test_several_files_that_are_here_are_opened_together(tmp_path: Path) -> None:
    opened: list[str] = []

    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        hand, downloads = stage.hand, stage.desk.session.downloads
        stage.window.shell.open_file = lambda path: opened.append(path.name)
        slow.goes_on.set()
        hand.find("library.table").selectAll()
        hand.click("library.download")
        await hand.until(lambda: {row.state for row in downloads.rows()} == {"done"}, "all are here")
        tray = hand.find("library.downloads")
        await hand.until(lambda: {row.state for row in tray.rows()} == {"done"}, "the tray says so")
        tray.selectAll()
        hand.key("library.downloads", Qt.Key.Key_Return)
        assert len(opened) == len(set(opened)) == AT_ONCE
        assert f"first {AT_ONCE} of them" in hand.words("toast")

    with_files(tmp_path, told, *(f"file {n}.pdf" for n in range(AT_ONCE + 2)))


def test_a_note_that_was_closed_stays_closed_until_a_request_succeeds(tmp_path: Path) -> None:
    async def told(stage: Stage, server: Faulty, slow: Slow) -> None:
        hand, library = stage.hand, stage.desk.session.library

        async def refreshed(is_up: bool) -> None:
            slow.is_up = is_up
            former = library.error
            await library.refresh()
            await hand.until(lambda: library.error is not former, "the service was asked")
            await hand.settle(0.3)  # the pane shows what changed a moment later

        await refreshed(False)
        note = stage.window.presenter("library").pane.note
        await hand.until(note.isVisible, "the note says it")
        hand.click(f"{note.objectName()}.close")
        await refreshed(False)
        assert not note.isVisible()
        await refreshed(True)
        await refreshed(False)
        await hand.until(note.isVisible, "another trouble is told again")

    with_files(tmp_path, told, "plan.pdf")
