"""Shows the beginnings of tables in the preview: one at a time, chosen by the name of its sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from carrel.ui.widgets.choice import Choice
from carrel.ui.widgets.controls import column, label
from carrel.ui.widgets.table import Cell, TagTable
from carrel.work.previewbook import Table

NUMBER = re.compile(r"[-+−(]?[€$£]? ?\d[\d.,’ \u00a0\u202f]*\)?( ?[%€$£])?")
"""A number as people write it, with its sign, its groups, its currency or its per cent; no date and no telephone."""


class Tables(QWidget):
    """A choice of sheets where there are several, the table, and a word where there is more of it."""

    def __init__(self) -> None:
        super().__init__()
        self._tables: Sequence[Table] = ()
        self._sheets = Choice("library.preview.sheets", self.tr("Sheet"))
        self._sheets.activated.connect(self._show)
        self._note = label("", "small", wrap=True)
        self._table: TagTable | None = None
        self._box = column(self._sheets, self._note, spacing=6)
        self.setLayout(self._box)

    def show_tables(self, tables: Sequence[Table]) -> None:
        """Show the first one."""
        self._tables = tables
        self._sheets.clear()
        self._sheets.addItems([table.name for table in tables])
        self._sheets.setVisible(len(tables) > 1)
        self._show(0)

    def _show(self, number: int) -> None:
        shown = self._tables[number] if self._tables else Table("", ())
        if self._table is not None:
            self._box.removeWidget(self._table)
            self._table.hide()
            self._table.deleteLater()
        self._table = _made(shown, self.tr("Table"))
        self._box.insertWidget(1, self._table, 1)
        if not shown.lines:
            self._note.setText(self.tr("There is nothing in it."))
        else:
            self._note.setText(self.tr("The beginning. Open the file to see all of it.") if shown.is_cut else "")
        self._note.setVisible(bool(self._note.text()))


def _made(shown: Table, accessible: str) -> TagTable:
    """Its first line is the titles; lines may be longer than that."""
    count = max(1, *(len(line) for line in shown.lines)) if shown.lines else 1
    titles = [*(shown.lines[0] if shown.lines else ()), *[""] * count][:count]
    made = TagTable("library.preview.table", accessible, titles, count - 1)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    made.fill([(str(n), tuple(map(_cell, line))) for n, line in enumerate(shown.lines[1:])])
    return made


def _cell(text: str) -> Cell:
    return Cell(text, is_number=NUMBER.fullmatch(text.strip()) is not None)
