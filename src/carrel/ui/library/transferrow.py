"""Paints one row of a queue: the file, its bar or the reason why it stopped, how far it is, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from carrel.model.transfers import Transfer
from carrel.ui.icons import paint_icon
from carrel.ui.library.transferwords import action_words, actions, amount, part, reason, title
from carrel.ui.theme import theme

ROW = 38
"""Pixels of a row at 13 px text."""

TRANSFER = Qt.ItemDataRole.UserRole

_MIDDLE_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_MIDDLE_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class TransferCell(QStyledItemDelegate):
    """The row's parts, and where its actions can be pressed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hover: tuple[str, str] = ("", "")
        """The row and the action that the mouse is on."""
        theme.changed.connect(self._measure)
        self._measure()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(200, theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        row: Transfer = index.data(TRANSFER)
        box: QRect = option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.color("accent_soft"))
        name, middle, end = self._parts(box, row)
        painter.setFont(self._font)
        self._name(painter, name, row)
        if reason(row):
            self._reason(painter, middle.united(end), row)
        else:
            self._bar(painter, middle, row)
            self._words(painter, end, "muted", amount(row), _MIDDLE_RIGHT)
        painter.setFont(self._small)
        for key, place in self.action_rects(box, row).items():
            role = "text" if self.hover == (row.id, key) else "muted"
            self._words(painter, place, role, action_words(key, row), _MIDDLE_RIGHT)
        painter.restore()

    def action_rects(self, box: QRect, row: Transfer) -> dict[str, QRect]:
        """Where each action can be pressed; the nearest one stands at the right end."""
        right = box.right() - theme.px(26)
        places = {}
        for key in reversed(actions(row)):
            width = self._small_metrics.horizontalAdvance(action_words(key, row))
            places[key] = QRect(right - width, box.top(), width + 1, box.height())
            right -= width + theme.px(14)
        return places

    def _parts(self, box: QRect, row: Transfer) -> tuple[QRect, QRect, QRect]:
        """Name, bar or reason, and amount, left of the actions; bars end at one place, reasons take what there is."""
        left = box.left() + theme.px(14)
        ends = [place.left() for place in self.action_rects(box, row).values()]
        right = min(ends, default=box.right()) - theme.px(20)
        if not reason(row):
            right = min(right, box.right() - theme.px(150))
        name = max(theme.px(150), min(theme.px(250), (right - left) // 3))
        words = min(theme.px(140), (right - left) // 3)
        bar = left + name + theme.px(12)
        return (
            QRect(left, box.top(), name, box.height()),
            QRect(bar, box.top(), max(0, right - words - bar - theme.px(16)), box.height()),
            QRect(right - words, box.top(), words, box.height()),
        )

    def _name(self, painter: QPainter, box: QRect, row: Transfer) -> None:
        side = theme.px(14)
        top = box.top() + (box.height() - side) / 2
        paint_icon(painter, "file", QRectF(box.left(), top, side, side), "muted")
        self._words(painter, box.adjusted(side + 5, 0, 0, 0), "text", title(row), _MIDDLE_LEFT)

    def _bar(self, painter: QPainter, box: QRect, row: Transfer) -> None:
        high = theme.px(5)
        groove = QRectF(box.left(), box.top() + (box.height() - high) / 2, box.width(), high)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("sunken"))
        painter.drawRoundedRect(groove, high / 2, high / 2)
        painter.setBrush(theme.color("accent" if row.state in {"moving", "done"} else "faint"))
        painter.drawRoundedRect(
            QRectF(groove.topLeft(), QSize(round(groove.width() * part(row)), high)), high / 2, high / 2
        )

    def _reason(self, painter: QPainter, box: QRect, row: Transfer) -> None:
        roles = {"duplicate": "warn", "interrupted": "warn", "done": "muted"}
        role = roles.get(row.state, "danger" if row.error else "warn")
        self._words(painter, box, role, reason(row), _MIDDLE_LEFT)

    @staticmethod
    def _words(painter: QPainter, box: QRect, role: str, text: str, where: Qt.AlignmentFlag) -> None:
        font = painter.font()
        painter.setPen(theme.color(role))
        mode = Qt.TextElideMode.ElideMiddle if role == "text" else Qt.TextElideMode.ElideRight
        painter.drawText(box, where, QFontMetrics(font).elidedText(text, mode, box.width()))

    def _measure(self) -> None:
        self._font = theme.font(13)
        self._small = theme.font(11.5)
        self._small.setWeight(QFont.Weight.Medium)
        self._small_metrics = QFontMetrics(self._small)
