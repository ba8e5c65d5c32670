"""A box to tick, painted in lists: by itself, and with a name and what stands beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from carrel.ui.icons import paint_icon
from carrel.ui.theme import theme

BESIDE = Qt.ItemDataRole.UserRole + 1
"""The role of the smaller words beside a name."""


def paint_tick(painter: QPainter, left: float, middle: float, is_on: bool) -> None:
    """A box whose left edge is at `left`, its middle at the height `middle`."""
    side = theme.px(14)
    box = QRectF(left + 0.5, middle - side / 2, side, side)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("accent" if is_on else "faint"), 1.3))
    painter.setBrush(theme.color("accent" if is_on else "surface"))
    painter.drawRoundedRect(box, 4, 4)
    if is_on:
        paint_icon(painter, "check", box.adjusted(1, 1, -1, -1), "on_accent")


class TickDelegate(QStyledItemDelegate):
    """A line with a box, a name and a folder; the view turns the tick when a line is clicked."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(100, theme.px(30))

    def editorEvent(self, event: QEvent, model: object, option: QStyleOptionViewItem, index: QModelIndex) -> bool:
        """Only the Space key here: a click is the view's, wherever on the line it falls."""
        return event.type() == QEvent.Type.KeyPress and super().editorEvent(event, model, option, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        painter.save()
        box: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.color("accent_soft"))
        is_on = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
        paint_tick(painter, box.left() + 8, box.center().y() + 1, is_on)
        left = box.left() + theme.px(32)
        font, small = theme.font(13), theme.font(11.5)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        name = QFontMetrics(font).elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, box.right() - left - 8)
        painter.drawText(QRect(left, box.top(), box.right() - left, box.height()), flags, name)
        left += QFontMetrics(font).horizontalAdvance(name) + 10
        beside = QFontMetrics(small).elidedText(
            str(index.data(BESIDE) or ""), Qt.TextElideMode.ElideRight, max(0, box.right() - left - 8)
        )
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        painter.drawText(QRect(left, box.top() + 1, max(0, box.right() - left), box.height()), flags, beside)
        painter.restore()
