"""Letters that are typed into the table of files: they go to a name, together where they come fast."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from carrel.store.library import Entry
from carrel.ui.library.filetable import FileTable
from carrel.work.catalog import Catalog, View

NAMES = ("agenda.md", "elephant.txt", "Rates.csv", "Éclair.md", "report.pdf", "reply to all.txt", "plan.txt")


@pytest.fixture
def table(window: QWidget) -> FileTable:
    catalog = Catalog()
    catalog.put([Entry(str(n), name, "", "file", "success", False, -n) for n, name in enumerate(NAMES)])
    made = FileTable(catalog)
    window.layout().insertWidget(0, made, 10)
    window.show()
    made.show_rows(catalog.view(View()))
    assert [made.model().index(n, 0).data() for n in range(len(NAMES))] == list(NAMES)
    return made


@pytest.fixture
def pause(app: QApplication) -> Iterator[None]:
    """How long letters belong together, set by a test, is what it was before."""
    before = app.keyboardInputInterval()
    yield
    app.setKeyboardInputInterval(before)


def typed(table: FileTable, letters: str) -> str:
    for letter in letters:
        if letter.isascii():
            QTest.keyClicks(table, letter)
        else:  # QTest has no such key
            QApplication.sendEvent(table, QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter))
    index = table.currentIndex()
    return index.data() if index.isValid() else ""


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("rep", "report.pdf"),
        ("REPL", "reply to all.txt"),
        ("reply t", "reply to all.txt"),
        ("el", "elephant.txt"),
        ("éc", "Éclair.md"),
        ("rr", "report.pdf"),
        ("rrr", "reply to all.txt"),
        ("rrrr", "Rates.csv"),
        ("zz", "agenda.md"),
    ],
)
@pytest.mark.usefixtures("pause")
def test_letters_that_come_fast_belong_together(app: QApplication, table: FileTable, letters: str, name: str) -> None:
    app.setKeyboardInputInterval(1_000_000)
    assert typed(table, letters) == name


@pytest.mark.usefixtures("pause")
def test_after_a_pause_a_name_is_begun_anew(app: QApplication, table: FileTable) -> None:
    app.setKeyboardInputInterval(0)
    assert [typed(table, letter) for letter in "rep"] == ["Rates.csv", "elephant.txt", "plan.txt"]


@pytest.mark.usefixtures("pause")
def test_from_the_last_row_it_goes_round(app: QApplication, table: FileTable) -> None:
    app.setKeyboardInputInterval(1_000_000)
    table.selectRow(len(NAMES) - 1)
    assert typed(table, "ra") == "Rates.csv"
