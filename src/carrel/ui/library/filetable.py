"""The table of files: sorted by a click on a title, its selection and place kept through every refresh."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from carrel.ui.library.filecell import ROW, FileCell
from carrel.ui.library.filemodel import COLUMNS, FileModel
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named

if TYPE_CHECKING:
    from carrel.work.catalog import Catalog

WIDTHS = {"kind": 95, "folder": 207, "state": 115, "provider": 140, "added": 130}
"""Pixels at 13 px text; the name takes what is left."""

LEAST_NAME = 200
GIVE_WAY = ("provider", "kind", "added", "folder")
"""Columns that leave a narrow table, first the one that is missed least."""


class FileTable(QTableView):
    """`sort_asked` tells a column, `opened` a file, `selected` that the selection is another."""

    sort_asked = Signal(str)
    opened = Signal(str)
    selected = Signal()
    menu_asked = Signal(QPoint)
    columns_asked = Signal(QPoint)
    dragged = Signal()
    pasted = Signal(object)

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        named(self, "library.table", self.tr("Files of the library"))
        self._model = FileModel(catalog, self)
        self._hidden: set[str] = set()
        self._quiet = False
        self.setModel(self._model)
        self.setItemDelegate(FileCell(self))
        self._dress()
        self._head()
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self.menu_asked.emit(self.viewport().mapToGlobal(at)))
        self.selectionModel().selectionChanged.connect(self._selection_changed)
        self.doubleClicked.connect(lambda index: self.opened.emit(self._model.id_at(index.row())))
        theme.changed.connect(self.refit)
        self.refit()

    def show_rows(self, rows: Sequence[int]) -> None:
        """Show these numbers of the catalog; selection, current row and scroll stay with their files."""
        chosen, current = set(self.selected_ids()), self.current_id()
        anchor, top = self._anchor()
        self._quiet = True
        self._model.show_rows(rows)
        self._restore(chosen, current, anchor, top)
        self._quiet = False
        if set(self.selected_ids()) != chosen:
            self.selected.emit()

    def selected_ids(self) -> list[str]:
        """The selected files, from top to bottom."""
        spans = sorted((r.top(), r.bottom()) for r in self.selectionModel().selection())
        return [self._model.id_at(row) for top, bottom in spans for row in range(top, bottom + 1)]

    def current_id(self) -> str:
        """The file that the keyboard is on; empty where there is none."""
        index = self.currentIndex()
        return self._model.id_at(index.row()) if index.isValid() else ""

    def show_sort(self, sort_by: str, descending: bool) -> None:
        """Mark the column that the files are sorted by."""
        self._model.show_sort(sort_by, descending)

    def titles(self) -> dict[str, str]:
        """The columns that may be hidden, and their titles."""
        return {column: self._model.title(column) for column in COLUMNS[1:]}

    @property
    def hidden_columns(self) -> set[str]:
        """The columns that the user does not want."""
        return set(self._hidden)

    def hide_columns(self, columns: set[str]) -> None:
        """Leave these columns out."""
        self._hidden = set(columns) & set(WIDTHS)
        self._fit()

    def widths(self) -> dict[str, int]:
        """What the columns measure, at 13 px text."""
        scale = theme.px(100) / 100
        return {
            c: round(self.columnWidth(n) / scale)
            for n, c in enumerate(COLUMNS)
            if c in WIDTHS and not self.isColumnHidden(n)
        }

    def show_widths(self, widths: dict[str, int]) -> None:
        """Give columns the widths that the user gave them."""
        for number, column in enumerate(COLUMNS):
            if column in WIDTHS:
                self.setColumnWidth(number, theme.px(int(widths.get(column, WIDTHS[column]))))
        self._fit()

    def refit(self) -> None:
        """Take the sizes of the text in force."""
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self.show_widths({})

    def plain_text(self) -> str:
        """What the table shows, a line a file; at most the first hundred."""
        shown = [c for n, c in enumerate(COLUMNS) if not self.isColumnHidden(n)]
        rows = range(min(100, self._model.rowCount()))
        return "\n".join("\t".join(self._model.text(row, c) for c in shown) for row in rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.current_id():
            self.opened.emit(self.current_id())
            return
        if event.matches(QKeySequence.StandardKey.Paste):
            urls = QGuiApplication.clipboard().mimeData().urls()
            paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
            if paths:
                self.pasted.emit(paths)
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next name that begins so; Qt's own search asks the model for every row."""
        names, rows = self._model.catalog.names, self._model.rows
        wanted, begin = search.casefold(), max(0, self.currentIndex().row())
        for row in (*range(begin, len(rows)), *range(begin)):
            if names[rows[row]].casefold().startswith(wanted):
                self.setCurrentIndex(self._model.index(row, 0))
                return

    def startDrag(self, actions: Qt.DropAction) -> None:
        self.dragged.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cover the ground, so that Qt may move what is painted when it scrolls: seven times less to paint."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.color("surface"))
        painter.end()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _dress(self) -> None:
        self.setProperty("look", "files")
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragEnabled(True)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _head(self) -> None:
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(lambda n: self.sort_asked.emit(COLUMNS[n]))
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(lambda at: self.columns_asked.emit(header.mapToGlobal(at)))

    def _fit(self) -> None:
        """Hide what the user does not want, and what a narrow table has no room for."""
        wanted = {c: self.columnWidth(n) or theme.px(WIDTHS[c]) for n, c in enumerate(COLUMNS) if c in WIDTHS}
        for column in self._hidden:
            wanted.pop(column, None)
        room = self.viewport().width() - theme.px(LEAST_NAME)
        for column in GIVE_WAY:
            if sum(wanted.values()) <= room:
                break
            wanted.pop(column, None)
        for number, column in enumerate(COLUMNS):
            self.setColumnHidden(number, column != "name" and column not in wanted)

    def _selection_changed(self) -> None:
        if not self._quiet:
            self.selected.emit()

    def _anchor(self) -> tuple[str, int]:
        """The file at the top of the view, and how many pixels of it are above; none at the very top."""
        value = self.verticalScrollBar().value()
        row = self.rowAt(0)
        if not value or row < 0:
            return "", 0
        return self._model.id_at(row), value - row * self.rowHeight(row)

    def _restore(self, chosen: set[str], current: str, anchor: str, top: int) -> None:
        places = self._places(chosen | {current, anchor} - {""})
        selection = QItemSelection()
        for begin, end in _spans(sorted(places[i] for i in chosen if i in places)):
            selection.select(self._model.index(begin, 0), self._model.index(end, len(COLUMNS) - 1))
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(selection, flags.ClearAndSelect)
        if current in places:
            self.selectionModel().setCurrentIndex(self._model.index(places[current], 0), flags.NoUpdate)
        if anchor in places:
            self.verticalScrollBar().setValue(places[anchor] * theme.px(ROW) + top)

    def _places(self, wanted: set[str]) -> dict[str, int]:
        """In which rows files stand now."""
        numbers = {self._model.catalog.find(i): i for i in wanted}
        numbers.pop(None, None)
        if not numbers:
            return {}
        return {numbers[n]: row for row, n in enumerate(self._model.rows) if n in numbers}


def _spans(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Rows in order as spans of neighbours."""
    spans: list[tuple[int, int]] = []
    for row in rows:
        if spans and spans[-1][1] == row - 1:
            spans[-1] = (spans[-1][0], row)
        else:
            spans.append((row, row))
    return spans
