"""The veil over what takes files while they are dragged: it lights up and says what a drop would do."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QFrame, QWidget

from carrel.ui.widgets.controls import column, label, named

AROUND, WITHIN = 16, 8
"""Pixels that are left free at the edges of the whole window, and of one part of it."""


class DropVeil(QFrame):
    """Covers its parent or a part of it, lets every event through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "dropveil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._words = label("", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setLayout(column(self._words))
        self.hide()

    def say(self, words: str, part: QWidget | None = None) -> None:
        """Cover that part of the parent, or all of it, with these words."""
        self._words.setText(words)
        over = self.parentWidget() if part is None else part
        free = AROUND if part is None else WITHIN
        covered = QRect(over.mapTo(self.parentWidget(), QPoint(0, 0)), over.size())
        self.setGeometry(covered.adjusted(free, free, -free, -free))
        self.show()
        self.raise_()
