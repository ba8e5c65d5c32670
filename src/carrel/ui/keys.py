"""The keys that work everywhere in the window: they turn to a pane, ask the one in front, or change the text size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut

from carrel.ui.theme import theme

if TYPE_CHECKING:
    from carrel.ui.rail import Place
    from carrel.ui.window import Window


class Keys(QObject):
    """Belongs to a window."""

    def __init__(self, window: Window, places: Sequence[Place]) -> None:
        """Take the keys; Ctrl+1 and on are the places that do not stand at the end."""
        super().__init__(window)
        self._window = window
        for number, place in enumerate((p for p in places if not p.at_end), 1):
            self._key(f"Ctrl+{number}", lambda key=place.key: window.go(key))
        self._key(QKeySequence.StandardKey.New, lambda: window.in_front and window.in_front.new())
        self._key(QKeySequence.StandardKey.Find, lambda: window.in_front and window.in_front.find())
        self._key("Esc", window.escape)
        self._key("Ctrl+,", lambda: window.go("settings"))
        self._key(QKeySequence.StandardKey.Quit, window.close)
        for keys, step in (("Ctrl++", 1), ("Ctrl+=", 1), ("Ctrl+-", -1), ("Ctrl+0", 0)):
            self._key(keys, lambda s=step: self._zoom(s))

    def _key(self, keys: str | QKeySequence.StandardKey, slot: Callable[[], object]) -> None:
        QShortcut(QKeySequence(keys), self._window).activated.connect(slot)

    def _zoom(self, step: int) -> None:
        desk = self._window.desk
        theme.choose(desk.settings.theme, theme.grow + step if step else 0)
        desk.change_settings(text_size=theme.grow)
