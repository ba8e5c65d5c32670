"""Stories of the tray: rows that wait are ordered and paused from their menu, and what was fetched is opened again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMenu
from test_library import listed, row_of
from test_library_browsing import choose, take

from carrel.ui.shell import Shell
from faulty import Peer, faulty_thread, routes
from stage import Stage, play


def select(stage: Stage, name: str) -> None:
    tray = stage.hand.find("library.uploads")
    number = [row.name for row in tray.rows()].index(name)
    tray.setCurrentIndex(tray.model().index(number, 0))


def offered(stage: Stage, name: str) -> dict[str, bool]:
    """What a row's menu offers, and what of it can be used; the menu stays open."""
    select(stage, name)
    stage.hand.find("library.uploads").menu_asked.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {action.text(): action.isEnabled() for action in menu.actions()}


def test_rows_that_wait_are_ordered_and_paused_from_their_menu(tmp_path: Path) -> None:
    files = [tmp_path / f"large-{number}.txt" for number in range(6)]
    for number, file in enumerate(files):
        file.write_bytes(b"lamp " * (1_000_000 + number))

    async def hold(peer: Peer) -> None:
        await peer.some(100_000)
        await peer.gone()

    async def library(peer: Peer) -> None:
        page = {"total_items": 0, "providers": {}, "page": 1, "page_size": 100, "total_pages": 0}
        await peer.json({**page, "items": []})

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        stage.window.go("library")
        stage.hand.drop(files)
        uploads = stage.desk.session.uploads
        tray = stage.hand.find("library.uploads")

        def waiting() -> list[str]:
            return [row.name for row in tray.rows() if row.state == "waiting"]

        await stage.hand.until(lambda: len(waiting()) == 3 and tray.isVisible(), "three wait for their turn")
        first, second, third = waiting()
        assert offered(stage, first) == {
            "Pause": True, "Cancel": True, "First": False, "Earlier": False, "Later": True, "Last": True,
            "Show in folder": True,
        }  # fmt: skip
        choose("Later")
        await stage.hand.until(lambda: waiting() == [second, first, third], "it goes after its neighbour")
        assert not offered(stage, third)["Later"]
        choose("Earlier")
        await stage.hand.until(lambda: waiting() == [second, third, first], "it goes before its neighbour")
        offered(stage, first)
        choose("First")
        await stage.hand.until(lambda: waiting() == [first, second, third], "it goes before all that wait")
        offered(stage, first)
        choose("Last")
        await stage.hand.until(lambda: waiting() == [second, third, first], "it goes behind them")
        offered(stage, second)
        choose("Pause")
        await stage.hand.until(lambda: waiting() == [third, first], "it waits no more")
        assert [row.state for row in uploads.rows() if row.name == second] == ["paused"]
        await uploads.cancel(*(row.id for row in uploads.rows()))

    with faulty_thread(routes({"POST /external/upload": hold, "GET /external/libraries": library})) as server:
        play(tmp_path / "home", story, built_in=False)


def test_a_file_is_opened_again_after_its_row_was_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(Shell, "open_file", lambda _, path: shown.append(path))

    async def story(stage: Stage) -> None:
        await listed(stage)
        table = stage.hand.find("library.table")
        table.setCurrentIndex(table.model().index(row_of(stage, "memo-quay-works.txt"), 0))
        take(stage, "Open")
        await stage.hand.until(lambda: len(shown) == 1, "it is opened")
        await stage.hand.until(lambda: stage.hand.sees("library.clear"), "its row can be cleared")
        stage.hand.click("library.clear")
        await stage.hand.until(lambda: not stage.desk.session.downloads.rows(), "its row is cleared")
        take(stage, "Open")
        await stage.hand.until(lambda: len(shown) == 2, "it is opened again")
        assert shown[0] == shown[1]
        assert stage.desk.session.downloads.rows() == (), "nothing was fetched twice"

    play(tmp_path, story)


def test_any_listed_file_can_be_checked_from_its_menu(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await listed(stage)
        name = "memo-quay-works.txt"
        await stage.hand.until(
            lambda: "\tReady\t" in stage.hand.words("library.table").splitlines()[row_of(stage, name)], "it is ready"
        )
        table = stage.hand.find("library.table")
        table.setCurrentIndex(table.model().index(row_of(stage, name), 0))
        take(stage, "Check that it can be found")
        await stage.hand.until(lambda: f"{name}: Found now by its name" in stage.hand.words("toast"), "it was found")

    play(tmp_path, story)
