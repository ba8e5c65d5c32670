"""A table of words and tags: light with thousands of rows, keeps what is selected through a refresh."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import as_tip, named

Place = QModelIndex | QPersistentModelIndex


class Cell(NamedTuple):
    """What stands in a cell; a `tone` makes it a tag (ok, warn, danger, info, none), else `role` is its colour.

    A number stands at the right, so that its digits stand below those of the next.
    """

    text: str
    tone: str = ""
    role: str = "text"
    tip: str = ""
    is_number: bool = False


Line = tuple[str, tuple[Cell, ...]]
"""A row: its key, and its cells."""

CELL = Qt.ItemDataRole.UserRole


class _Model(QAbstractTableModel):
    def __init__(self, headers: Sequence[str]) -> None:
        super().__init__()
        self.headers = list(headers)
        self.lines: list[Line] = []

    def rowCount(self, parent: Place | None = None) -> int:
        return len(self.lines)

    def columnCount(self, parent: Place | None = None) -> int:
        return len(self.headers)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.headers[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and self.lines and self._cell(0, section).is_number:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Place, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self._cell(index.row(), index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return cell.text
            case Qt.ItemDataRole.ToolTipRole:
                return as_tip(cell.tip) or None
            case _ if role == CELL:
                return cell
        return None

    def _cell(self, row: int, column: int) -> Cell:
        cells = self.lines[row][1]
        return cells[column] if column < len(cells) else Cell("")


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Place) -> QSize:
        return QSize(60, theme.px(33))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Place) -> None:
        cell: Cell = index.data(CELL)
        box: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.color("accent_soft"))
        painter.setPen(theme.color("border"))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        inner = box.adjusted(12, 0, -12 if cell.is_number else -4, -1)
        if cell.tone:
            _paint_tag(painter, inner, cell)
        else:
            font = theme.font(13)
            painter.setFont(font)
            painter.setPen(theme.color(cell.role))
            shown = QFontMetrics(font).elidedText(cell.text, Qt.TextElideMode.ElideRight, inner.width())
            side = Qt.AlignmentFlag.AlignRight if cell.is_number else Qt.AlignmentFlag.AlignLeft
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | side, shown)
        painter.restore()


def _paint_tag(painter: QPainter, inner: QRect, cell: Cell) -> None:
    font = theme.font(11.5)
    metrics = QFontMetrics(font)
    text = metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, inner.width() - 14)
    height = theme.px(19)
    box = QRect(inner.left(), inner.center().y() - height // 2, metrics.horizontalAdvance(text) + 14, height)
    ground, ink = {"ok": ("accent_soft", "accent"), "none": ("sunken", "muted")}.get(
        cell.tone, (f"{cell.tone}_soft", cell.tone)
    )
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(ground))
    painter.drawRoundedRect(box, 4, 4)
    painter.setFont(font)
    painter.setPen(theme.color(ink))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class TagTable(QTableView):
    """The table. `chosen` tells the key of the row that a person picked; nothing is told for a refresh."""

    chosen = Signal(str)

    def __init__(self, object_name: str, accessible: str, headers: Sequence[str], stretch: int) -> None:
        """`stretch` is the column that takes the room that the others leave."""
        super().__init__()
        named(self, object_name, accessible)
        self._model = _Model(headers)
        self._quiet = False
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setProperty("look", "tags")
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(40)
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().currentRowChanged.connect(self._current)
        theme.changed.connect(self._resize)
        self._widths: Mapping[int, int] = {}
        self._lesser: tuple[int, ...] = ()
        self._needed = 0
        self._resize()

    def set_widths(self, widths: Mapping[int, int]) -> None:
        """Pixels of columns at 13 px text, by column."""
        self._widths = dict(widths)
        self._resize()

    def hide_below(self, needed: int, columns: Sequence[int]) -> None:
        """Leave these columns out where the table is narrower than so many pixels (at 13 px text)."""
        self._needed, self._lesser = needed, tuple(columns)

    def fit(self, most: int) -> None:
        """Take the height of the rows that are shown, up to so many."""
        rows = min(most, max(1, len(self._model.lines)))
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows * theme.px(33) + 4)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for column in self._lesser:
            self.setColumnHidden(column, event.size().width() < theme.px(self._needed))

    def fill(self, lines: Sequence[Line]) -> None:
        """Show these; selection and scroll stay where their row does."""
        if list(lines) == self._model.lines:
            return
        key, top = self.current_key(), self.verticalScrollBar().value()
        self._quiet = True
        if [k for k, _ in lines] == [k for k, _ in self._model.lines]:
            self._model.lines = list(lines)
            last = self._model.index(max(0, len(lines) - 1), self._model.columnCount() - 1)
            self._model.dataChanged.emit(self._model.index(0, 0), last)
        else:
            self._model.beginResetModel()
            self._model.lines = list(lines)
            self._model.endResetModel()
            self.select(key)
            self.verticalScrollBar().setValue(top)
        self._quiet = False

    def put_first(self, line: Line, most: int) -> None:
        """Put one more row on top; the last goes where there are more than `most`."""
        self._model.beginInsertRows(QModelIndex(), 0, 0)
        self._model.lines.insert(0, line)
        self._model.endInsertRows()
        if len(self._model.lines) > most:
            self._model.beginRemoveRows(QModelIndex(), most, most)
            del self._model.lines[most:]
            self._model.endRemoveRows()

    def lines(self) -> list[Line]:
        """What is shown."""
        return list(self._model.lines)

    def plain_text(self) -> str:
        """All that the rows say."""
        return "\n".join(" ".join(cell.text for cell in cells) for _, cells in self._model.lines)

    def current_key(self) -> str:
        """The key of the selected row, or an empty text."""
        index = self.currentIndex()
        return self._model.lines[index.row()][0] if index.isValid() else ""

    def select(self, key: str) -> None:
        """Select a row without telling anyone; an unknown key selects nothing."""
        quiet, self._quiet = self._quiet, True
        found = next((n for n, (k, _) in enumerate(self._model.lines) if key and k == key), None)
        if found is None:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            self.selectRow(found)
        self._quiet = quiet

    def _current(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.chosen.emit(self._model.lines[index.row()][0])

    def _resize(self) -> None:
        self.verticalHeader().setDefaultSectionSize(theme.px(33))
        for column, width in self._widths.items():
            self.setColumnWidth(column, theme.px(width))
