"""How one result is painted: laid out once for each width, so that scrolling costs only the drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from carrel.ui.search.marks import Excerpt, excerpt, whole
from carrel.ui.theme import theme
from carrel.ui.widgets.ticks import paint_tick

if TYPE_CHECKING:
    from carrel.ui.search.results import Card

CARD = Qt.ItemDataRole.UserRole
EXCERPT = 230
"""Characters of a passage that a folded card shows."""

LONGEST = 20_000
"""Characters of a passage that an unfolded card shows."""

SIDE, GAP, PAD = 16, 10, 14
TOP, INDENT = 36, 40


class CardDelegate(QStyledItemDelegate):
    """Paints cards; knows which are unfolded."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._unfolded: set[int] = set()
        self._layouts: dict[int, QTextLayout] = {}

    def forget(self) -> None:
        """Other cards come: nothing is unfolded."""
        self._unfolded.clear()
        self.forget_sizes()

    def forget_sizes(self) -> None:
        """Another width, font or theme: lay out anew."""
        self._layouts.clear()

    def unfold(self, number: int) -> None:
        """Show the whole passage of a card, or the excerpt again."""
        self._unfolded ^= {number}
        self._layouts.pop(number, None)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        height = self._laid_out(index).boundingRect().height()
        return QSize(100, theme.px(TOP) + round(height) + theme.px(12) + GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        card: Card = index.data(CARD)
        is_ticked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        box = option.rect.adjusted(SIDE, 0, -SIDE, -GAP)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, option, box, is_ticked)
        line = QRect(box.left() + PAD, box.top() + theme.px(10), box.width() - 2 * PAD, theme.px(22))
        paint_tick(painter, line.left(), line.center().y(), is_ticked)
        right = self._score(painter, line, card)
        self._title(painter, line, right, card)
        painter.setPen(theme.color("muted"))
        self._laid_out(index).draw(painter, QPointF(box.left() + theme.px(INDENT), box.top() + theme.px(TOP)))
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, is_ticked: bool) -> None:
        is_here = option.state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus()
        is_over = option.state & QStyle.StateFlag.State_MouseOver
        painter.setPen(QPen(theme.color("accent" if is_ticked or is_here else "border"), 2 if is_here else 1))
        painter.setBrush(theme.color("window" if is_over else "surface"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)

    def _score(self, painter: QPainter, line: QRect, card: Card) -> int:
        """Number and bar at the right end; gives the x where the title must end."""
        font = theme.font(13)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        width = QFontMetrics(font).horizontalAdvance(card.score)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, card.score)
        length, height = theme.px(70), 5
        bar = QRectF(line.right() - width - 10 - length, line.center().y() - height / 2 + 1, length, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("sunken"))
        painter.drawRoundedRect(bar, 2.5, 2.5)
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(5.0, length * card.share), height), 2.5, 2.5)
        return round(bar.left()) - 12

    def _title(self, painter: QPainter, line: QRect, right: int, card: Card) -> None:
        left = line.left() + theme.px(INDENT) - PAD
        bold, small = theme.font(13, bold=True), theme.font(11.5)
        room = right - left
        place_width = min(QFontMetrics(small).horizontalAdvance(card.place), room // 3)
        title = QFontMetrics(bold).elidedText(card.title, Qt.TextElideMode.ElideMiddle, room - place_width - 10)
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(left, line.top(), room, line.height()), flags, title)
        left += QFontMetrics(bold).horizontalAdvance(title) + 10
        place = QFontMetrics(small).elidedText(card.place, Qt.TextElideMode.ElideRight, max(0, right - left))
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        painter.drawText(QRect(left, line.top() + 1, max(0, right - left), line.height()), flags, place)

    def _laid_out(self, index: QModelIndex) -> QTextLayout:
        number = index.row()
        if number not in self._layouts:
            card: Card = index.data(CARD)
            shown = (
                whole(card.passage[:LONGEST], card.query)
                if number in self._unfolded
                else excerpt(card.passage, card.query, EXCERPT)
            )
            width = self._view.viewport().width() - 2 * SIDE - theme.px(INDENT) - PAD
            self._layouts[number] = _lay_out(shown, max(120, width))
        return self._layouts[number]


def _lay_out(shown: Excerpt, width: int) -> QTextLayout:
    text = shown.text.replace("\n", "\u2028")
    made = QTextLayout(text, theme.font(13))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    made.setTextOption(option)
    made.setFormats([_mark(_units(text, 0, start), _units(text, start, start + n)) for start, n in shown.marks])
    made.setCacheEnabled(True)
    made.beginLayout()
    y = 0.0
    while (line := made.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, y))
        y += line.height() * 1.2
    made.endLayout()
    return made


def _units(text: str, start: int, end: int) -> int:
    """Qt counts in UTF-16: an emoji is two."""
    return len(text[start:end].encode("utf-16-le", "surrogatepass")) // 2


def _mark(start: int, length: int) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = start, length
    ink = QTextCharFormat()
    ink.setBackground(theme.color("warn_soft"))
    ink.setForeground(theme.color("text"))
    made.format = ink
    return made
