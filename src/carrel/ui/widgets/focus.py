"""Where the focus goes when what has it is hidden: somewhere near by, not to the other end of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QApplication, QWidget


@contextmanager
def handed_on(inside: QWidget, to: Callable[[], QWidget | None]) -> Iterator[None]:
    """If the block hides what has the focus inside a widget, give the focus to `to()`, which is asked afterwards."""
    held = QApplication.focusWidget()
    is_inside = held is not None and inside.isAncestorOf(held)
    yield
    if is_inside and not held.isVisible() and (heir := to()) is not None:
        heir.setFocus()
