"""The table of files: sorted by a click on a title, its selection and place kept through every refresh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from carrel.ui.library.filecell import ROW, FileCell
from carrel.ui.library.filecolumns import FileColumns
from carrel.ui.library.filemodel import COLUMNS, FileModel
from carrel.ui.library.typed import Typed
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named
from carrel.ui.widgets.notes import copy
from carrel.work.catalog import folded

if TYPE_CHECKING:
    from carrel.work.catalog import Catalog


class FileTable(QTableView):
    """`sort_asked` tells a column, `opened` a file, `selected` that the selection is another."""

    sort_asked = Signal(str)
    opened = Signal(str)
    selected = Signal()
    menu_asked = Signal(QPoint)
    columns_asked = Signal(QPoint)
    dragged = Signal()

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        named(self, "library.table", self.tr("Files of the library"))
        self._model = FileModel(catalog, self)
        self._quiet, self._typed = False, Typed()
        self.setModel(self._model)
        self.setItemDelegate(FileCell(self))
        self._dress()
        header = self.horizontalHeader()
        header.sectionClicked.connect(lambda n: self.sort_asked.emit(COLUMNS[n]))
        header.customContextMenuRequested.connect(lambda at: self.columns_asked.emit(header.mapToGlobal(at)))
        self.columns = FileColumns(self)
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
        self.executeDelayedItemsLayout()  # else it is painted once before, and once after
        self._restore(chosen, current, anchor, top)
        self._quiet = False
        if set(self.selected_ids()) != chosen:
            self.selected.emit()

    def selected_ids(self) -> list[str]:
        """The selected files, from top to bottom."""
        return [self._model.id_at(row) for row in self._selected_rows()]

    def current_id(self) -> str:
        """The file that the keyboard is on; empty where there is none."""
        index = self.currentIndex()
        return self._model.id_at(index.row()) if index.isValid() else ""

    def show_sort(self, sort_by: str, descending: bool) -> None:
        """Mark the column that the files are sorted by."""
        self._model.show_sort(sort_by, descending)
        self.columns.keep_in_sight(sort_by)

    def titles(self) -> dict[str, str]:
        """The columns that may be hidden, and their titles."""
        return {column: self._model.title(column) for column in COLUMNS[1:]}

    def refit(self) -> None:
        """Take the sizes of the text in force."""
        self.verticalHeader().setDefaultSectionSize(theme.px(ROW))
        self.columns.fit()

    def plain_text(self) -> str:
        """What the table shows, a line a file; at most the first hundred."""
        shown = self.columns.shown()
        rows = range(min(100, self._model.rowCount()))
        return "\n".join("\t".join(self._model.text(row, c) for c in shown) for row in rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.current_id():
            self.opened.emit(self.current_id())
        elif event.matches(QKeySequence.StandardKey.Copy):
            copy("\n".join(self._model.text(row, "name") for row in self._selected_rows()))
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the next name that begins with what is typed; Qt's own search asks the model for every row."""
        names, rows = self._model.catalog.names, self._model.rows
        wanted, is_further = self._typed.taken(search)
        if not wanted:
            return
        begin = max(0, self.currentIndex().row() + is_further)
        for row in (*range(begin, len(rows)), *range(min(begin, len(rows)))):
            if folded(names[rows[row]]).startswith(wanted):
                self.setCurrentIndex(self._model.index(row, 0))
                return

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """What is selected already can be dragged out; from any other row the mouse selects."""
        self.setDragEnabled(self.selectionModel().isSelected(self.indexAt(event.position().toPoint())))
        super().mousePressEvent(event)

    def startDrag(self, actions: Qt.DropAction) -> None:
        self.dragged.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cover the ground, so that Qt may move what is painted when it scrolls: seven times less to paint."""
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.color("surface"))
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.columns.fit()

    def _dress(self) -> None:
        self.setProperty("look", "files")
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def _selected_rows(self) -> list[int]:
        spans = sorted((r.top(), r.bottom()) for r in self.selectionModel().selection())
        return [row for top, bottom in spans for row in range(top, bottom + 1)]

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
