"""Stories of files that go from the library into the form of a workflow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from faulty import Handler, Peer, faulty_thread, routes
from stage import Stage, play
from stories import indexed


async def choose(stage: Stage, *names: str) -> None:
    """Go to the library and select files by name."""
    stage.window.go("library")
    table = stage.hand.find("library.table")
    lines = lambda: [line.split("\t")[0] for line in stage.hand.words("library.table").splitlines()]  # noqa: E731
    await stage.hand.until(lambda: set(names) <= set(lines()), "the files are listed")
    table.clearSelection()
    for name in names:
        index = table.model().index(lines().index(name), 0)
        flags = table.selectionModel().SelectionFlag
        table.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)


async def by_menu_key(stage: Stage, entry: str) -> None:
    """Open the menu of the selection as the menu key does, and take an entry by its letters and Enter."""
    table = stage.hand.find("library.table")
    table.setFocus()
    middle = QPoint(40, 40)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, table.viewport().mapToGlobal(middle))
    QApplication.sendEvent(table.viewport(), event)
    await stage.hand.until(lambda: QApplication.activePopupWidget() is not None, "the menu is open")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    for _ in menu.actions():
        QTest.keyClick(menu, Qt.Key.Key_Down)
        if menu.activeAction() is not None and menu.activeAction().text() == entry:
            break
    QTest.keyClick(menu, Qt.Key.Key_Return)
    await stage.hand.settle()


def urls(stage: Stage) -> list[str]:
    """The addresses in the request that the form comes to, with or without names or steps."""
    inputs = json.loads(stage.hand.find("workflows.json").toPlainText()).get("inputs", {})
    found: list[str] = []
    for value in inputs.get("file_urls", {}).values():
        found += [value] if isinstance(value, str) else value
    return found


def test_files_wait_for_a_workflow_then_fill_its_form(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await choose(stage, "harbour-lease.pdf", "memo-quay-works.txt")
        await by_menu_key(stage, "Use in a workflow")
        assert stage.window.front == "workflows"
        words = stage.hand.words("workflows.incoming")
        assert "harbour-lease.pdf" in words
        assert "memo-quay-works.txt" in words
        listed = stage.hand.find("workflows.list")
        await stage.hand.until(listed.items, "the workflows are listed")
        assert stage.window.focusWidget() is listed
        stage.hand.key("workflows.list", Qt.Key.Key_Down)
        assert urls(stage) == [], "looking at a form puts nothing into it"
        stage.hand.key("workflows.list", Qt.Key.Key_Return)
        assert not stage.hand.sees("workflows.incoming")
        library = stage.desk.session.library
        named = {library.link(library.file(d)): d for d in library.catalog.ids}
        names = {library.file(named[url]).file_name for url in urls(stage)}
        assert names == {"harbour-lease.pdf", "memo-quay-works.txt"}
        assert "2 files" in stage.hand.words("toast")
        await choose(stage, "memo-quay-works.txt", "handbook-2026.pdf")
        await by_menu_key(stage, "Use in a workflow")
        assert len(urls(stage)) == 3, "the open workflow takes them, and none twice"

    play(tmp_path, story)


def test_files_that_wait_can_be_let_go(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await choose(stage, "harbour-lease.pdf")
        await by_menu_key(stage, "Use in a workflow")
        assert stage.hand.sees("workflows.incoming")
        assert stage.window.presenter("workflows").escape()
        assert not stage.hand.sees("workflows.incoming")
        listed = stage.hand.find("workflows.list")
        await stage.hand.until(listed.items, "the workflows are listed")
        stage.hand.key("workflows.list", Qt.Key.Key_Down)
        stage.hand.key("workflows.list", Qt.Key.Key_Return)
        assert urls(stage) == []

    play(tmp_path, story)


def serving(files: list[dict[str, Any]]) -> Handler:
    async def library(peer: Peer) -> None:
        page = {"total_items": len(files), "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
        await peer.json({**page, "items": files})

    async def workflows(peer: Peer) -> None:
        item = {"group_id": "g-12", "workflow_id": "w7", "title": "Contract intake", "first_step_id": "intake"}
        told = {"current_page": 1, "page_size": 40, "total_items": 1, "total_pages": 1}
        await peer.json({"data": [item], "pagination": told})

    return routes({"GET /external/libraries": library, "GET /external/workflows": workflows})


def test_which_file_has_no_link_is_said(tmp_path: Path) -> None:
    files = [
        {"id": "1", "file_name": "linked.pdf", "state": "success", "download_link": "https://files.example/1"},
        {"id": "2", "file_name": "bare.pdf", "state": "success", "download_link": ""},
    ]

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        await choose(stage, "bare.pdf")
        await by_menu_key(stage, "Use in a workflow")
        assert "bare.pdf" in stage.hand.words("toast")
        assert not stage.hand.sees("workflows.incoming")
        await choose(stage, "linked.pdf", "bare.pdf")
        await by_menu_key(stage, "Use in a workflow")
        assert "Left out, without a link: bare.pdf." in stage.hand.words("workflows.incoming")
        listed = stage.hand.find("workflows.list")
        await stage.hand.until(listed.items, "the workflows are listed")
        QTest.mouseClick(
            listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(listed.model().index(0)).center()
        )
        assert urls(stage) == ["https://files.example/1"]
        assert "bare.pdf" in stage.hand.words("toast")

    with faulty_thread(serving(files)) as server:
        play(tmp_path, story, built_in=False)
