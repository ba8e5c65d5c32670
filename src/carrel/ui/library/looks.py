"""How the table of files looks, through restarts: its sort, and which columns it has, in which order, how wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from carrel.ui.library.filemodel import COLUMNS

if TYPE_CHECKING:
    from carrel.ui.library.filetable import FileTable
    from carrel.work.desk import Desk


class Looks(QObject):
    """Reads them from the settings, and writes what a person changes."""

    def __init__(self, table: FileTable, desk: Desk) -> None:
        super().__init__(table)
        self._table, self._columns, self._desk = table, table.columns, desk
        held = self._held()
        self._columns.arrange(_names(held.get("order")), _mapping(held.get("widths")))
        self._columns.hide(_names(held.get("hidden")))
        self._columns.arranged.connect(lambda: self.keep(widths=self._columns.widths, order=self._columns.order))

    def sort(self) -> tuple[str, bool]:
        """The column that the files are sorted by, and whether downwards."""
        match self._held().get("sort"):
            case [str(column), bool(descending)] if column in COLUMNS:
                return column, descending
        return "added", True

    def keep(self, **values: object) -> None:
        """Remember these."""
        panes = dict(self._desk.settings.panes)
        self._desk.change_settings(panes={**panes, "library": {**self._held(), **values}})

    def offer(self, menu: QMenu) -> None:
        """Let a person choose the columns."""
        for column, title in self._table.titles().items():
            action = menu.addAction(self.tr("Column “{title}”").format(title=title))
            action.setCheckable(True)
            action.setChecked(column not in self._columns.hidden)
            action.toggled.connect(lambda shown, c=column: self._show(c, shown))
        menu.addAction(self.tr("Columns as they were at first"), self._restore)

    def _show(self, column: str, shown: bool) -> None:
        hidden = self._columns.hidden - {column} if shown else self._columns.hidden | {column}
        self._columns.hide(sorted(hidden))
        self.keep(hidden=sorted(hidden))

    def _restore(self) -> None:
        self._columns.hide(())
        self._columns.arrange((), {})
        self.keep(hidden=[], widths={}, order=[])

    def _held(self) -> Mapping[str, Any]:
        return _mapping(self._desk.settings.panes.get("library"))


def _names(held: object) -> Sequence[str]:
    """A list of names out of the settings, which a person may have edited."""
    return [name for name in held if isinstance(name, str)] if isinstance(held, list | tuple) else []


def _mapping(held: object) -> Mapping[str, Any]:
    return held if isinstance(held, Mapping) else {}
