"""What stands in the place of the table until there is something to show: grey bars in the shape of its rows."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from carrel.ui.library.filecell import ROW
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named

_SHAPES = (0.62, 0.48, 0.71, 0.55, 0.4, 0.66, 0.52, 0.45)
"""How long each row's first bar is, of a third of the width."""


class Skeleton(QWidget):
    """It does not move: nothing here says how far the loading is."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "library.loading", self.tr("Loading the library"))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("sunken"))
            third, high = self.width() / 3, theme.px(10)
            for number, part in enumerate(_SHAPES):
                top = theme.px(30) + number * theme.px(ROW) + (theme.px(ROW) - high) / 2
                for place, length in ((0, third * part), (third, third * 0.3), (third * 1.6, third * 0.5)):
                    painter.drawRoundedRect(QRectF(14 + place, top, length, high), high / 2, high / 2)
