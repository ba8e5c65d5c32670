"""Paints one cell of the file table: a name with its icon, a state as a tag, the rest as quiet text."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QStaticText
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from carrel.ui.icons import paint_icon
from carrel.ui.library.filemodel import COLUMNS, FileModel
from carrel.ui.library.words import state_words
from carrel.ui.theme import theme

ROW = 34
"""Pixels of a row at 13 px text."""

GROUNDS = {"ok": ("accent_soft", "accent"), "none": ("sunken", "muted")}

_SELECTED, _FOCUSED = QStyle.StateFlag.State_Selected.value, QStyle.StateFlag.State_HasFocus.value

TEXTS = 4000
"""Texts that are kept laid out: some screens of them."""


class FileCell(QStyledItemDelegate):
    """Fonts, and texts as they are laid out, are kept until the theme changes: that costs more than the painting."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        theme.changed.connect(self._measure)
        self._measure()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """What a column needs for this cell; Qt asks it of the rows in sight when a border is pressed twice."""
        model: FileModel = index.model()
        column = COLUMNS[index.column()]
        around, icon = theme.px(12) + theme.px(4) + 2, theme.px(14) + 6
        font = QFontMetrics(self._small) if column == "state" else self._metrics
        wide = around + font.horizontalAdvance(model.text(index.row(), column)) + (14 if column == "state" else 0)
        if column == "name":
            wide += icon * (2 if model.catalog.shared[model.rows[index.row()]] else 1)
        return QSize(wide, theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        model: FileModel = index.model()
        box: QRect = option.rect
        self._ground(painter, option)
        inner = box.adjusted(theme.px(12), 0, -theme.px(4), -1)
        column = COLUMNS[index.column()]
        if column == "name":
            self._name(painter, inner, model, index.row())
        elif column == "state":
            paint_tag(painter, inner, *state_words(model.catalog.states[model.rows[index.row()]]), font=self._small)
        else:
            self._text(painter, inner, "muted", model.text(index.row(), column))

    @staticmethod
    def _ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
        box: QRect = option.rect
        state = option.state.value
        if state & _SELECTED:
            painter.fillRect(box, theme.color("accent_soft"))
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.color("border"))
        if state & _FOCUSED:
            painter.fillRect(QRect(box.left(), box.bottom() - 1, box.width(), 2), theme.color("accent"))

    def _name(self, painter: QPainter, inner: QRect, model: FileModel, row: int) -> None:
        side = theme.px(14)
        top = inner.top() + (inner.height() - side) / 2
        kind = "image" if model.text(row, "kind") == "Image" else "file"
        paint_icon(painter, kind, QRectF(inner.left(), top, side, side), "muted")
        words = inner.adjusted(side + 6, 0, 0, 0)
        if model.catalog.shared[model.rows[row]]:
            words.setRight(words.right() - side - 6)
            paint_icon(painter, "user", QRectF(inner.right() - side, top, side, side), "muted")
        self._text(painter, words, "text", model.text(row, "name"), Qt.TextElideMode.ElideMiddle)

    def _text(
        self, painter: QPainter, box: QRect, role: str, text: str, where: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        painter.setFont(self._font)
        painter.setPen(theme.color(role))
        top = box.top() + (box.height() - self._metrics.height()) // 2
        painter.drawStaticText(QPoint(box.left(), top), self._laid_out(text, where, box.width()))

    def _laid_out(self, text: str, where: Qt.TextElideMode, width: int) -> QStaticText:
        key = (text, where, width)
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) >= TEXTS:
                self._texts.clear()
            found = self._texts[key] = QStaticText(self._metrics.elidedText(text, where, width))
            found.setTextFormat(Qt.TextFormat.PlainText)
            found.prepare(font=self._font)
        return found

    def _measure(self) -> None:
        self._texts: dict[tuple[str, Qt.TextElideMode, int], QStaticText] = {}
        self._font = theme.font(13)
        self._small = theme.font(11.5)
        self._metrics = QFontMetrics(self._font)


def paint_tag(painter: QPainter, inner: QRect, words: str, tone: str, *, font: QFont) -> None:
    """A word on its coloured ground, at the left of a box."""
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, inner.width() - 14)
    high = theme.px(19)
    top = inner.top() + (inner.height() - high) // 2
    box = QRect(inner.left(), top, metrics.horizontalAdvance(shown) + 14, high)
    ground, ink = GROUNDS.get(tone, (f"{tone}_soft", tone))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(ground))
    painter.drawRoundedRect(box, 4, 4)
    painter.setFont(font)
    painter.setPen(theme.color(ink))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)
    painter.restore()
