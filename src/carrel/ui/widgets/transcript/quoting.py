"""What a message quotes, above its words: a few lines without the marks of Markdown, the last one cut where it must."""

from __future__ import annotations

import re

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTextLayout, QTextOption

from carrel.ui.theme import theme

MOST = 3
"""Lines that are seen."""

SEEN = 1000
"""Characters that are looked at."""

_MARKS = re.compile(r"[*`]+|~~|^[ \t]*(?:#{1,6}|[>|]+)[ \t]*|[ \t]*\|[ \t]*|!?\[([^\]\n]*)\]\([^)\n]*\)", re.MULTILINE)


def plain(text: str) -> str:
    """Markdown on one line, as a person would read it aloud."""
    return " ".join(_MARKS.sub(lambda found: found[1] or " " if "|" in found[0] else found[1] or "", text).split())


class Quote:
    """The words of a quotation, laid out at the width that the bubble gives them."""

    def __init__(self, text: str) -> None:
        """Nothing is laid out yet; an empty text is no quotation."""
        self._words = f"“{plain(text[:SEEN])}{'…' if len(text) > SEEN else ''}”" if text.strip() else ""
        self._lines: list[str] = []

    @property
    def ideal_width(self) -> float:
        """Pixels that it would take on one line."""
        return QFontMetricsF(theme.font(11.5)).horizontalAdvance(self._words) + 1 if self._words else 0.0

    def lay_out(self, width: float) -> float:
        """The height at a width, in pixels; 0 where nothing is quoted."""
        self._lines = _lines(self._words, width)
        return len(self._lines) * theme.px(16) + theme.px(6) if self._lines else 0.0

    def paint(self, painter: QPainter, box: QRectF) -> None:
        """Paint it at the top of a box."""
        painter.setFont(theme.font(11.5))
        painter.setPen(theme.color("muted"))
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        for number, words in enumerate(self._lines):
            line = QRectF(box.left(), box.top() + number * theme.px(16), box.width(), theme.px(16))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words)


def _lines(words: str, width: float) -> list[str]:
    """The words broken into lines, of which the last one ends in … where more would follow."""
    if not words:
        return []
    font = theme.font(11.5)
    layout = QTextLayout(words, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    begins = []
    while len(begins) < MOST and (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        begins.append(line.textStart())
    layout.endLayout()
    units = words.encode("utf-16-le", "surrogatepass")  # Qt counts in these
    ends = [*begins[1:], len(units) // 2]
    lines = [units[2 * b : 2 * e].decode("utf-16-le", "surrogatepass") for b, e in zip(begins, ends, strict=True)]
    lines[-1] = QFontMetricsF(font).elidedText(lines[-1], Qt.TextElideMode.ElideRight, width)
    return [line.strip() for line in lines]
