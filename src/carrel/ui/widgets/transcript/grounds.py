"""What is painted behind and below a part's words: the ground of code, the bars of thinking and of quotations, the
chips of redaction tokens, and the bar that tells how far it is scrolled.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QTextDocument

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript.document import CODE_PAD, QUOTE_STEP, SafeDocument


def paint_ground(painter: QPainter, box: QRectF, style: str, language: str) -> None:
    """What a part of this style stands on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if style == "thinking":
        painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), theme.color("border"))
    elif style == "code":
        painter.setPen(theme.color("border"))
        painter.setBrush(theme.color("code"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        if language:
            painter.setFont(theme.font(11.5))
            painter.setPen(theme.color("muted"))
            name = QRectF(box.left() + theme.px(12), box.top() + theme.px(6), box.width() / 2, theme.px(20))
            painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, language[:40])


def paint_thumb(painter: QPainter, thumb: QRectF, *, held: bool) -> None:
    """How far wide code or a wide table is scrolled."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("muted" if held else "faint"))
    painter.drawRoundedRect(thumb, thumb.height() / 2, thumb.height() / 2)


def paint_inner(painter: QPainter, document: QTextDocument, clip: QRectF) -> None:
    """The ground of code within other words, a bar beside each quotation, a chip behind each token; from the text's
    origin.
    """
    if not isinstance(document, SafeDocument):
        return
    pad = theme.px(CODE_PAD)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for first, last in document.codes:
        box = _over(document, first, last)
        left = document.findBlockByNumber(first).blockFormat().leftMargin() - pad
        ground = QRectF(left, box.top() - pad / 2, document.textWidth() - left, box.height() + pad)
        if ground.intersects(clip):
            painter.setPen(theme.color("border"))
            painter.setBrush(theme.color("code"))
            painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    for level, first, last in document.quotes:
        box = _over(document, first, last)
        left = (level - 1) * float(theme.px(QUOTE_STEP))
        if document.findBlockByNumber(first).textDirection() == Qt.LayoutDirection.RightToLeft:
            left = document.textWidth() - left - 3
        bar = QRectF(left, box.top(), 3, box.height())
        if bar.intersects(clip):
            painter.fillRect(bar, theme.color("border"))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("warn_soft"))
    for start, stop in document.tokens:
        for chip in _lines(document, start, stop):
            if chip.intersects(clip):
                painter.drawRoundedRect(chip.adjusted(-2, 0, 2, 0), 4, 4)


def _lines(document: QTextDocument, start: int, stop: int) -> Iterator[QRectF]:
    """What words within one block cover, line by line; no higher than the letters need."""
    block = document.findBlock(start)
    words, top = block.layout(), document.documentLayout().blockBoundingRect(block).topLeft()
    begin, end = start - block.position(), stop - block.position()
    for line in (words.lineAt(n) for n in range(words.lineCount())):
        first, last = max(begin, line.textStart()), min(end, line.textStart() + line.textLength())
        if first < last:
            left, right = line.cursorToX(first)[0], line.cursorToX(last)[0]
            high = line.ascent() + line.descent()
            yield QRectF(top.x() + left, top.y() + line.y() + line.height() - high, right - left, high)


def _over(document: QTextDocument, first: int, last: int) -> QRectF:
    """What all blocks from the first to the last cover."""
    layout = document.documentLayout()
    top = layout.blockBoundingRect(document.findBlockByNumber(first))
    return top.united(layout.blockBoundingRect(document.findBlockByNumber(last)))
