"""One entry of the list column, and how it is painted: two lines with a tag, or the title of a section."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from carrel.ui.icons import paint_icon
from carrel.ui.theme import theme
from carrel.ui.widgets.marked import paint_marked


@dataclass(frozen=True, slots=True)
class Item:
    """One entry. An entry without `key` is a section title. `icon` stands at the right end, as the tag does.

    `marks` are words of the snippet, as (start, length); a snippet with marks takes two lines. `busy` says in words
    what is under way: a turning mark shows it.
    """

    key: str
    title: str
    snippet: str = ""
    tag: str = ""
    tone: str = "none"
    note: str = ""
    icon: str = ""
    strong: bool = True
    marks: tuple[tuple[int, int], ...] = ()
    busy: str = ""


ITEM = Qt.ItemDataRole.UserRole

BY_KEYS = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_KeyboardFocusChange
"""Who came by the keyboard sees where; the mouse has shown it already."""


class ItemDelegate(QStyledItemDelegate):
    """Paints entries. `angle` is where the mark on what is under way stands, in degrees."""

    angle = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        item: Item = index.data(ITEM)
        if not item.key:
            return QSize(100, theme.px(32))
        return QSize(100, theme.px((68 if item.marks else 51) if item.snippet else 36))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        item: Item = index.data(ITEM)
        painter.save()
        if item.key:
            self._entry(painter, option, item)
        else:
            painter.setFont(theme.font(11, bold=True))
            painter.setPen(theme.color("muted"))
            box = option.rect.adjusted(14, theme.px(12), -14, 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignTop, item.title.upper())
        painter.restore()

    def _entry(self, painter: QPainter, option: QStyleOptionViewItem, item: Item) -> None:
        box: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.color("accent_soft"))
            painter.fillRect(QRect(box.topLeft(), QSize(3, box.height())), theme.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, theme.color("sunken"))
        if option.state & BY_KEYS == BY_KEYS:
            painter.setPen(theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0, 0, -1, -1))
        inner = box.adjusted(17, theme.px(8), -14, -theme.px(6))
        right = self._right_end(painter, inner, item)
        bold = theme.font(13, bold=item.strong)
        self._line(painter, bold, "text", QRect(inner.topLeft(), QSize(right - inner.left(), theme.px(19))), item.title)
        if item.marks:
            below = QRect(inner.left(), inner.top() + theme.px(19), inner.width(), theme.px(34))
            paint_marked(painter, below, item.snippet, item.marks, theme.font(11.5))
        elif item.snippet:
            below = QRect(inner.left(), inner.top() + theme.px(19), inner.width(), theme.px(17))
            self._line(painter, theme.font(11.5), "muted", below, item.snippet)

    def _right_end(self, painter: QPainter, inner: QRect, item: Item) -> int:
        """Paint what stands at the right of the first line; give the x where the title must end."""
        right = inner.right()
        if item.busy:
            side = theme.px(13)
            self._turning(painter, QRectF(right - side, inner.top() + theme.px(3), side, side))
            right -= side + 8
        if item.icon:
            side = theme.px(15)
            paint_icon(painter, item.icon, QRectF(right - side, inner.top() + 2, side, side), "muted")
            right -= side + 6
        if item.note:
            font = theme.font(11.5)
            width = QFontMetrics(font).horizontalAdvance(item.note)
            self._line(painter, font, "muted", QRect(right - width, inner.top(), width + 2, theme.px(19)), item.note)
            right -= width + 8
        if item.tag:
            right = self._tag(painter, QPoint(right, inner.top()), item) - 6
        return right

    def _turning(self, painter: QPainter, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for role, start, span in (("border", 0, 360), ("accent", 90 - self.angle, -100)):
            painter.setPen(QPen(theme.color(role), 1.8))
            painter.drawArc(box.adjusted(1, 1, -1, -1), start * 16, span * 16)

    def _tag(self, painter: QPainter, end: QPoint, item: Item) -> int:
        font = theme.font(11.5)
        width = QFontMetrics(font).horizontalAdvance(item.tag) + 14
        box = QRect(end.x() - width, end.y(), width, theme.px(19))
        ground, ink = {"ok": ("accent_soft", "accent"), "none": ("sunken", "muted")}.get(
            item.tone, (f"{item.tone}_soft", item.tone)
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(ground))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(font)
        painter.setPen(theme.color(ink))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, item.tag)
        return box.left()

    @staticmethod
    def _line(painter: QPainter, font: object, role: str, box: QRect, text: str) -> None:
        painter.setFont(font)
        painter.setPen(theme.color(role))
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # else … stands before what runs leftwards
        shown = QFontMetrics(font).elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
