"""The columns of the file table: which are shown, how wide, in which order; a person's own wishes come first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableView

from carrel.ui.library.filemodel import COLUMNS
from carrel.ui.theme import theme

WIDTHS: Mapping[str, int] = {"kind": 95, "folder": 207, "state": 115, "provider": 140, "added": 130}
"""Pixels at 13 px text; the name takes what is left."""

LEAST, LEAST_NAME, MOST = 50, 200, 1000
"""Pixels at 13 px text: a column has at least, the name has at least, a column has at most."""

GIVE_WAY = ("provider", "kind", "added", "folder")
"""Columns that leave a narrow table, first the one that is missed least; what the files are sorted by leaves last."""

LEAST_FOLDER = 110
"""Pixels at 13 px text down to which the folder becomes narrower before it leaves."""


class FileColumns(QObject):
    """`arranged` tells that a person has changed widths or order, once the mouse lets go."""

    arranged = Signal()

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table, self._header = table, table.horizontalHeader()
        self._hidden: frozenset[str] = frozenset()
        self._widths: dict[str, int] = dict(WIDTHS)
        self._sorted = ""
        self._quiet = self._is_dragged = False
        self._dress()
        self._header.sectionResized.connect(self._dragged)
        self._header.sectionMoved.connect(lambda: self._quiet or self.arranged.emit())
        self._header.viewport().installEventFilter(self)

    @property
    def hidden(self) -> frozenset[str]:
        """The columns that the user does not want."""
        return self._hidden

    @property
    def widths(self) -> dict[str, int]:
        """What the columns but the name measure, in pixels at 13 px text."""
        return dict(self._widths)

    @property
    def order(self) -> list[str]:
        """The columns from left to right."""
        return sorted(COLUMNS, key=lambda column: self._header.visualIndex(COLUMNS.index(column)))

    def shown(self) -> list[str]:
        """The columns that there is room for, from left to right."""
        return [column for column in self.order if not self._table.isColumnHidden(COLUMNS.index(column))]

    def hide(self, columns: Sequence[str]) -> None:
        """Leave these columns out."""
        self._hidden = frozenset(columns) & WIDTHS.keys()
        self.fit()

    def keep_in_sight(self, column: str) -> None:
        """Let the column by which the files are sorted give way last, so that their order has a visible reason."""
        if column != self._sorted:
            self._sorted = column
            self.fit()

    def arrange(self, order: Sequence[str], widths: Mapping[str, object]) -> None:
        """Give the columns this order and these widths; what is not told of stays as it is made."""
        self._quiet = True
        wanted = [c for c in dict.fromkeys(("name", *order, *COLUMNS)) if c in COLUMNS]
        for place, column in enumerate(wanted):
            self._header.moveSection(self._header.visualIndex(COLUMNS.index(column)), place)
        self._quiet = False
        told = {c: w for c, w in widths.items() if c in WIDTHS and isinstance(w, int)}
        self._widths = dict(WIDTHS) | {c: max(LEAST, min(MOST, w)) for c, w in told.items()}
        self.fit()

    def fit(self) -> None:
        """Hide what the user does not want, and what a narrow table has no room for; the name takes the rest."""
        wanted = {c: theme.px(w) for c, w in self._widths.items() if c not in self._hidden}
        room = self._table.viewport().width()
        for column in sorted(GIVE_WAY, key=lambda c: c == self._sorted):
            over = sum(wanted.values()) - room + theme.px(LEAST_NAME)
            if over <= 0:
                break
            if column == "folder" and wanted.get(column, 0) - over >= theme.px(LEAST_FOLDER):
                wanted[column] -= over
            else:
                wanted.pop(column, None)
        wanted["name"] = max(theme.px(LEAST), room - sum(wanted.values()))
        self._quiet = True
        for number, column in enumerate(COLUMNS):
            self._table.setColumnHidden(number, column not in wanted)
            if column in wanted:
                self._header.resizeSection(number, wanted[column])
        self._quiet = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell of the widths once, when the mouse lets go."""
        if event.type() == QEvent.Type.MouseButtonRelease and self._is_dragged:
            self._is_dragged = False
            self.arranged.emit()
        return False

    def _dress(self) -> None:
        header = self._header
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(1)
        header.setResizeContentsPrecision(0)  # what is in sight, not the first thousand rows
        header.setSectionsMovable(True)
        header.setFirstSectionMovable(False)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def _dragged(self, number: int, former: int, wanted: int) -> None:
        """A person moves the border between two columns: what one gains the other loses."""
        if self._quiet:
            return
        shown = self.shown()
        column = COLUMNS[number]
        right = next(iter(shown[shown.index(column) + 1 :]), None)
        self._quiet = True
        if right is None:  # the table ends there
            self._header.resizeSection(number, former)
        else:
            both = former + self._header.sectionSize(COLUMNS.index(right))
            own = max(_least(column), min(wanted, both - _least(right)))
            self._header.resizeSection(number, own)
            self._header.resizeSection(COLUMNS.index(right), both - own)
            self._keep(column, right)
        self._quiet = False

    def _keep(self, *columns: str) -> None:
        scale = theme.px(1000) / 1000
        for column in columns:
            if column in self._widths:
                self._widths[column] = round(self._header.sectionSize(COLUMNS.index(column)) / scale)
        self._is_dragged = True


def _least(column: str) -> int:
    return theme.px(LEAST_NAME if column == "name" else LEAST)
