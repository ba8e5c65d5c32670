"""What stands around a person's words: the bubble, what is quoted above them, the files below, the buttons beside."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import ornaments
from carrel.ui.widgets.transcript.entry import Entry
from carrel.ui.widgets.transcript.quoting import Quote


class Bubble:
    """Laid out in two steps, since the words between them have a height of their own."""

    def __init__(self, entry: Entry) -> None:
        """Read what is quoted."""
        self.entry = entry
        self.box = QRectF()
        self._quote = Quote(entry.quoted)
        self._left = self._inner = 0.0

    def begin(self, width: float, ideal: float) -> tuple[float, float, float]:
        """Where the words go, as (x, y, width), in a column of this width; `ideal` is what they take on one line."""
        beside = theme.px(28) + (theme.px(96) if self.entry.versions[1] > 1 else 0)
        most = min(width - beside, theme.px(560)) - 2 * theme.px(14)
        chips = (ornaments.chip_width(name) for name in self.entry.attachments)
        self._inner = min(most, max(ideal, self._quote.ideal_width, *chips, 0.0))
        self._left = width - self._inner - theme.px(14)
        return self._left, theme.px(10) + self._quote.lay_out(self._inner), self._inner

    def end(self, y: float) -> dict[str, QRectF]:
        """Close it below the words, which end there; gives the places of its buttons."""
        y += theme.px(32) * ornaments.chip_rows(self.entry.attachments, self._inner)
        self.box = QRectF(self._left - theme.px(14), 0, self._inner + 2 * theme.px(14), y + theme.px(10))
        side, wide = theme.px(24), theme.px(96)
        left, top = self.box.left() - side - theme.px(4), self.box.bottom() - side
        slots = {"edit": QRectF(left, top, side, side)}
        if self.entry.versions[1] > 1:
            slots["versions"] = QRectF(left - wide, top, wide, side)
        return slots

    def paint(self, painter: QPainter) -> None:
        """All of it but the words."""
        ornaments.ground(painter, self.box)
        pad_x, pad_y = theme.px(14), theme.px(10)
        inner = self.box.adjusted(pad_x, pad_y, -pad_x, -pad_y)
        self._quote.paint(painter, inner)
        ornaments.paint_chips(painter, inner, self.entry.attachments)
