"""A choice among a few, and a number: both leave the wheel to the page that scrolls under them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSpinBox

from carrel.ui.icons import paint_icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named


class Choice(QComboBox):
    """A combo box with an arrow in the colours of the theme."""

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        named(self, object_name, accessible)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt would give it the focus at the wheel's first step

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = theme.px(13)
        place = QRectF(self.width() - side - 8, (self.height() - side) / 2, side, side)
        with QPainter(self) as painter:
            paint_icon(painter, "down", place, "muted" if self.isEnabled() else "faint")

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Number(QSpinBox):
    """A whole number between two others."""

    def __init__(self, object_name: str, accessible: str, least: int, most: int) -> None:
        super().__init__()
        named(self, object_name, accessible)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setRange(least, most)
        self.lineEdit().setTextMargins(8, 0, 8, 0)  # the style sheet's padding does not reach it

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
