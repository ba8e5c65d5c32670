"""Imports what the panes stand on while the window rests: the first visit of a pane is as fast as the second."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from PySide6.QtCore import QObject, QTimer

REST = 200
"""Milliseconds between two modules: whoever types or scrolls meanwhile waits for one at most."""


class Preloading(QTimer):
    """One module a turn, in their order; ends by itself, and begins again only with `start`."""

    def __init__(self, modules: Iterable[str], parent: QObject | None = None) -> None:
        """Nothing is imported before `start`."""
        super().__init__(parent, interval=REST)
        self._left = list(modules)
        self.timeout.connect(self._next)

    def _next(self) -> None:
        if self._left:
            import_module(self._left.pop(0))
        else:
            self.stop()
