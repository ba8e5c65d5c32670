"""Stories of how the library looks: columns that stay as a person left them, and a window with little room."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHeaderView, QMenu

from carrel.paths import paths
from carrel.ui.library.filemodel import COLUMNS
from stage import Stage, play


async def opened(stage: Stage) -> QHeaderView:
    """Go to the library; the header of its table."""
    stage.window.go("library")
    table = stage.hand.find("library.table")
    await stage.hand.until(lambda: "harbour-lease.pdf" in stage.hand.words("library.table"), "the samples are listed")
    await stage.hand.settle()
    return table.horizontalHeader()


def drag(header: QHeaderView, begin: int, end: int) -> None:
    """Drag on the titles, from one place to another, in pixels from the left."""
    view, left, high = header.viewport(), Qt.MouseButton.LeftButton, header.height() // 2
    QTest.mousePress(view, left, pos=QPoint(begin, high))
    for part in range(1, 11):
        QTest.mouseMove(view, QPoint(begin + (end - begin) * part // 10, high))
    QTest.mouseRelease(view, left, pos=QPoint(end, high))


def width(header: QHeaderView, column: str) -> int:
    return header.sectionSize(COLUMNS.index(column))


def right_of(header: QHeaderView, column: str) -> int:
    number = COLUMNS.index(column)
    return header.sectionViewportPosition(number) + header.sectionSize(number)


def middle_of(header: QHeaderView, column: str) -> int:
    return right_of(header, column) - width(header, column) // 2


def take(stage: Stage, entry: str) -> None:
    """Take an entry of the menu of the titles."""
    header = stage.hand.find("library.table").horizontalHeader()
    header.customContextMenuRequested.emit(QPoint(10, 10))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if action.text() == entry).trigger()
    menu.close()


def test_columns_stay_as_they_were_left(tmp_path: Path) -> None:
    left: dict[str, object] = {}

    async def first(stage: Stage) -> None:
        header = await opened(stage)
        whole, folder = sum(width(header, c) for c in COLUMNS), width(header, "folder")
        drag(header, right_of(header, "folder") - 1, right_of(header, "folder") - 61)
        assert width(header, "folder") == folder - 60, "the border goes with the mouse"
        assert sum(width(header, c) for c in COLUMNS) == whole, "and the table stays as wide as its place"
        drag(header, middle_of(header, "provider"), middle_of(header, "kind") - 20)
        assert stage.hand.find("library.table").columns.order[1] == "provider"
        take(stage, "Column “State”")
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(middle_of(header, "name"), 10))
        left.update(widths={c: width(header, c) for c in COLUMNS}, words=stage.hand.words("library.table"))

    async def second(stage: Stage) -> None:
        header = await opened(stage)
        assert {c: width(header, c) for c in COLUMNS} == left["widths"]
        assert stage.hand.find("library.table").columns.order[:2] == ["name", "provider"]
        assert header.isSectionHidden(COLUMNS.index("state"))
        assert stage.hand.words("library.table") == left["words"], "sorted by name, without the state"
        take(stage, "Columns as they were at first")
        assert stage.hand.find("library.table").columns.order == list(COLUMNS)
        assert not header.isSectionHidden(COLUMNS.index("state"))

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_narrow_window_keeps_table_and_details_usable(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        header = await opened(stage)
        hand, table = stage.hand, stage.hand.find("library.table")
        table.setCurrentIndex(table.model().index(0, 0))
        hand.key("library.table", Qt.Key.Key_Return)
        for wide, high in ((1280, 800), (900, 600)):
            stage.window.resize(wide, high)
            await hand.settle()
            details = hand.find("library.details")
            assert table.isVisible()
            assert details.isVisible()
            assert width(header, "name") >= 200
            assert not header.isSectionHidden(COLUMNS.index("state"))
            assert details.width() >= 250
            assert details.geometry().left() >= table.parentWidget().geometry().right()
        stage.window.resize(720, 600)
        await hand.settle()
        assert not table.isVisible(), "there is no room for both: the details cover the table"
        assert hand.sees("library.details")
        hand.click("library.details.close")
        assert table.isVisible()
        assert stage.window.focusWidget() is table

    play(tmp_path, story)


def test_a_workbook_is_looked_at_sheet_by_sheet(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await opened(stage)
        hand, table = stage.hand, stage.hand.find("library.table")
        names = [line.split("\t")[0] for line in hand.words("library.table").splitlines()]
        table.setCurrentIndex(table.model().index(names.index("revenue-2026-q3.xlsx"), 0))
        hand.key("library.table", Qt.Key.Key_Return)
        await hand.until(lambda: hand.sees("library.preview.table"), "its first sheet is shown")
        first = hand.words("library.preview.table")
        sheets = hand.find("library.preview.sheets")
        assert sheets.count() > 1
        QTest.keyClick(sheets, Qt.Key.Key_Down)
        await hand.settle()
        assert hand.words("library.preview.table") != first
        table.selectRow(names.index("gdpr-register.csv"))
        await hand.until(lambda: "Recruitment" in hand.words("library.preview.table"), "the panel follows")
        assert not hand.sees("library.preview.sheets")

    play(tmp_path, story)


def test_a_column_never_takes_the_place_of_the_name(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        header = await opened(stage)
        drag(header, right_of(header, "name") - 1, 20)
        assert width(header, "name") >= 200
        drag(header, right_of(header, "kind") - 1, right_of(header, "kind") + 600)
        assert width(header, "folder") >= 50
        stage.window.resize(900, 600)
        await stage.hand.settle()
        assert width(header, "name") >= 200, "in a narrow window columns give way"

    play(tmp_path, story)


def test_settings_that_make_no_sense_are_left_aside(tmp_path: Path) -> None:
    looks = '{"widths": {"kind": "wide", "folder": -4}, "order": [7, "folder", "nothing"], "hidden": "x", "sort": [1]}'

    file = paths(tmp_path).settings
    file.parent.mkdir(parents=True)
    file.write_text(f'{{"panes": {{"library": {looks}}}}}')

    async def story(stage: Stage) -> None:
        header = await opened(stage)
        assert stage.hand.find("library.table").columns.order[:2] == ["name", "folder"]
        assert width(header, "kind") == 95
        assert width(header, "folder") == 50

    play(tmp_path, story)
