"""The preview of tables: numbers stand at the right below their title, words and dates at the left."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from carrel.ui.library.previewtables import NUMBER, Tables
from carrel.ui.widgets.table import TagTable
from carrel.work.previewbook import Table


@pytest.mark.parametrize("text", ["7", "-90", "1,204.50", "1.204,5", "1 204", "12 %", "3.5%", "€ 7", "7 €", "(3)"])
def test_a_number(text: str) -> None:
    assert NUMBER.fullmatch(text)


@pytest.mark.parametrize("text", ["", "2026-03-01", "12/03", "+41 44 1a", "A7", "7 pieces", "1e", "--", "€", "10:30"])
def test_no_number(text: str) -> None:
    assert not NUMBER.fullmatch(text)


def test_a_column_of_numbers_stands_at_the_right_with_its_title(qtbot: QtBot) -> None:
    tables = Tables()
    qtbot.addWidget(tables)
    tables.show_tables([Table("", (("Region", "Revenue"), ("North", "1,204.50"), ("South", "none")))])
    shown = tables.findChild(TagTable, "library.preview.table")
    assert [[cell.is_number for cell in cells] for _, cells in shown.lines()] == [[False, True], [False, False]]

    def at_the_right(column: int) -> bool:
        side = shown.model().headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        return bool(side and side & Qt.AlignmentFlag.AlignRight)

    assert [at_the_right(0), at_the_right(1)] == [False, True]
