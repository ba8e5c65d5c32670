"""A few lines of text with some of its words marked, painted at a place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption

from carrel.ui.theme import theme

Marks = Sequence[tuple[int, int]]
"""(start, length) in characters."""


def paint_marked(painter: QPainter, box: QRect, text: str, marks: Marks, font: QFont) -> None:
    """Fill the box with as many lines as it has room for; the rest of the text is left out."""
    height = QFontMetrics(font).height()
    layout = QTextLayout(text.replace("\n", " "), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats([_mark(text, start, length) for start, length in marks])
    layout.beginLayout()
    y = 0
    while y + height <= box.height() + 2 and (line := layout.createLine()).isValid():
        line.setLineWidth(box.width())
        line.setPosition(QPointF(0, y))
        y += height
    layout.endLayout()
    painter.setPen(theme.color("muted"))
    layout.draw(painter, QPointF(box.topLeft()))


def _mark(text: str, start: int, length: int) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length = _units(text[:start]), _units(text[start : start + length])
    ink = QTextCharFormat()
    ink.setBackground(theme.color("warn_soft"))
    ink.setForeground(theme.color("text"))
    made.format = ink
    return made


def _units(text: str) -> int:
    """Qt counts in UTF-16: an emoji is two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
