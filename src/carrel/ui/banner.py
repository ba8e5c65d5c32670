"""The banner over the panes: what the whole session should know, one thing at a time and none of them lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from carrel.ui.widgets.notes import Note

if TYPE_CHECKING:
    from carrel.work.desk import Notice


class Banner(Note):
    """Shows the newest notice; one that warns comes back when what was said over it has gone. `pressed` tells a key."""

    pressed = Signal(str)

    def __init__(self) -> None:
        super().__init__("banner", banner=True, closable=True)
        self._notices: list[Notice] = []
        self.acted.connect(self._act)
        self.closed.connect(self._next)

    def show_notice(self, notice: Notice) -> None:
        """Say it; of one key only the last is true, and what only told something is over."""
        self._notices = [n for n in self._notices if n.key != notice.key and n.tone != "info"] + [notice]
        self.say(notice.tone, notice.title, notice.text, notice.actions)

    def clear(self, key: str) -> None:
        """What was said under this key is no longer true."""
        if any(n.key == key for n in self._notices):
            self._notices = [n for n in self._notices if n.key != key]
            self._show()

    def escape(self) -> None:
        """Esc takes away what can only be read; what can be acted on stays until it is closed."""
        if self._notices and not self._notices[-1].actions:
            self._next()

    def _act(self, key: str) -> None:
        self._next()
        self.pressed.emit(key)

    def _next(self) -> None:
        del self._notices[-1:]
        self._show()

    def _show(self) -> None:
        if self._notices:
            last = self._notices[-1]
            self.say(last.tone, last.title, last.text, last.actions)
        else:
            self.hide()
