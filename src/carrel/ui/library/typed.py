"""The letters that are typed into a list to get to a name: those that follow each other fast belong together."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QApplication

from carrel.work.catalog import folded


class Typed:
    """As Qt's own lists do it: `rep` looks for that, a new letter or the same one again for the next name with it."""

    def __init__(self) -> None:
        self._letters = ""
        self._since = QElapsedTimer()

    def taken(self, letters: str) -> tuple[str, bool]:
        """What is looked for now, folded, and whether the row that is current is passed over."""
        is_new = not self._since.isValid() or self._since.elapsed() >= QApplication.keyboardInputInterval()
        self._since.start()
        self._letters = folded(letters) if is_new else self._letters + folded(letters)
        if len(set(self._letters)) == 1:
            return self._letters[0], True
        return self._letters, is_new
