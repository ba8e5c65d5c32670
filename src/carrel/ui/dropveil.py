"""The veil over the window while files are dragged across it: it lights up and says what a drop would do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from carrel.ui.widgets.controls import column, label, named


class DropVeil(QFrame):
    """Covers its parent, lets every event through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "dropveil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._words = label("", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setLayout(column(self._words))
        self.hide()

    def say(self, words: str) -> None:
        """Cover the parent with these words."""
        self._words.setText(words)
        self.setGeometry(self.parentWidget().rect().adjusted(16, 16, -16, -16))
        self.show()
        self.raise_()
