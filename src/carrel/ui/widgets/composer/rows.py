"""A short list to choose from, painted: a mark, words, lesser words at the right, under headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from carrel.ui.icons import paint_icon, paint_logo
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named

MOST = 9
"""Rows that are seen at once."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to choose. Its mark is an icon, a logo, or `letter` in a circle. A heading has no key."""

    key: str
    words: str
    beside: str = ""
    icon: str = ""
    logo: str = ""
    letter: str = ""
    is_heading: bool = False
    is_chosen: bool = False
    can_choose: bool = True


ROW = Qt.ItemDataRole.UserRole


class _Model(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return len(self.rows)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return ", ".join(t for t in (row.words, row.beside) if t)
        return None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        row = self.rows[index.row()]
        return super().flags(index) if row.can_choose and not row.is_heading else Qt.ItemFlag.NoItemFlags

    def fill(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(100, theme.px(26 if index.data(ROW).is_heading else 30))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        row: Row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.is_heading:
            inner = option.rect.adjusted(theme.px(10), theme.px(4), -8, 0)
            _words(painter, theme.font(11, bold=True), "muted", inner, row.words.upper())
        else:
            self._row(painter, option, row)
        painter.restore()

    def _row(self, painter: QPainter, option: QStyleOptionViewItem, row: Row) -> None:
        box: QRect = option.rect
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver) and row.can_choose:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft"))
            painter.drawRoundedRect(box.adjusted(4, 1, -4, -1), 6, 6)
        side = theme.px(18)
        _mark(painter, QRectF(box.left() + theme.px(10), box.center().y() - side / 2 + 1, side, side), row)
        inner = box.adjusted(theme.px(36), 0, -theme.px(12), 0)
        if row.is_chosen:
            paint_icon(painter, "check", QRectF(inner.right() - 14, box.center().y() - 6, 14, 14), "accent")
            inner.setRight(inner.right() - 22)
        small = theme.font(11.5)
        width = min(QFontMetrics(small).horizontalAdvance(row.beside) + 2, inner.width() // 2)
        _words(painter, small, "muted", QRect(inner.right() - width, inner.top(), width, inner.height()), row.beside)
        inner.setRight(inner.right() - width - 8 * bool(row.beside))
        _words(painter, theme.font(13), "text" if row.can_choose else "muted", inner, row.words)


def _mark(painter: QPainter, box: QRectF, row: Row) -> None:
    if row.icon:
        paint_icon(painter, row.icon, box.adjusted(1.5, 1.5, -1.5, -1.5), "muted")
    elif row.logo:
        paint_logo(painter, row.logo, box.adjusted(1, 1, -1, -1), "text" if row.can_choose else "muted")
    elif row.letter:
        painter.setPen(theme.color("border"))
        painter.setBrush(theme.color("sunken"))
        painter.drawEllipse(box)
        painter.setFont(theme.font(10, bold=True))
        painter.setPen(theme.color("muted"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, row.letter.upper())


def _words(painter: QPainter, font: object, role: str, box: QRect, text: str) -> None:
    painter.setFont(font)
    painter.setPen(theme.color(role))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, box.width())
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


class RowList(QListView):
    """The list. `chosen` tells a key."""

    chosen = Signal(str)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        named(self, object_name, accessible)
        self._model = _Model()
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._choose)  # not `activated` too: many desktops tell that of a click as well

    def fill(self, rows: Sequence[Row]) -> None:
        """Show these, and point at the chosen one, else at the first."""
        self._model.fill(rows)
        free = [n for n, row in enumerate(rows) if row.can_choose and not row.is_heading]
        here = next((n for n in free if rows[n].is_chosen), free[0] if free else -1)
        self.setCurrentIndex(self._model.index(here) if here >= 0 else QModelIndex())

    def point_nowhere(self) -> None:
        """Nothing is chosen until somebody points at it."""
        self.setCurrentIndex(QModelIndex())

    def rows(self) -> list[Row]:
        """What is shown."""
        return list(self._model.rows)

    def step(self, by: int) -> None:
        """Point at the next row (1) or the one before (-1), over headings and what cannot be chosen, and around."""
        free = [n for n, row in enumerate(self._model.rows) if row.can_choose and not row.is_heading]
        if free:
            at = free.index(self.currentIndex().row()) if self.currentIndex().row() in free else min(-by, 0)
            self.setCurrentIndex(self._model.index(free[(at + by) % len(free)]))

    def choose(self) -> bool:
        """Choose the row that is pointed at; False where there is none."""
        index = self.currentIndex()
        if index.isValid():
            self._choose(index)
        return index.isValid()

    def height_for_rows(self) -> int:
        """Pixels that the rows take, at most those of `MOST` rows."""
        heights = [theme.px(26 if row.is_heading else 30) for row in self._model.rows]
        return min(sum(heights), MOST * theme.px(30)) + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in {Qt.Key.Key_Return, Qt.Key.Key_Enter} or not self.choose():
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        if index.flags() & Qt.ItemFlag.ItemIsEnabled:
            self.chosen.emit(self._model.rows[index.row()].key)
