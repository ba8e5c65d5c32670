"""A hand on the real window: finds widgets by name, clicks, types, waits for what is to be seen, takes pictures."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QLibraryInfo, QMimeData, QPoint, QPointF, Qt, QUrl, QVersionNumber
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QWidget

W = TypeVar("W", bound=QWidget)


class NotSeen(AssertionError):
    """What should have appeared did not, in the time it had."""


class Hand:
    """Acts as a person does: on widgets that can be seen, through mouse and keyboard events."""

    def __init__(self, window: QWidget, patience: float = 60.0) -> None:
        """`patience` is in seconds; it is how long `until` waits before it gives up."""
        self.window = window
        self.patience = patience

    def find(self, name: str, kind: type[W] = QWidget) -> W:
        """The widget of that object name; one that can be seen before one that cannot."""
        found: list[W] = list(self.window.findChildren(kind, name))
        found += [w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.objectName() == name]
        for top in QApplication.topLevelWidgets():
            if top is not self.window:
                found += top.findChildren(kind, name)
        if not found:
            raise NotSeen(f"there is no {name}")
        return next((w for w in found if w.isVisible()), found[0])

    def sees(self, name: str) -> bool:
        """Whether a widget of that name can be seen."""
        try:
            return self.find(name).isVisible()
        except NotSeen:
            return False

    def click(self, name: str) -> None:
        """Press a button that can be seen and used."""
        widget = self.find(name)
        if not widget.isVisible() or not widget.isEnabled():
            raise NotSeen(f"{name} cannot be pressed: visible {widget.isVisible()}, enabled {widget.isEnabled()}")
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def type(self, name: str, text: str) -> None:
        """Put the focus there and replace what it holds."""
        widget = self.find(name)
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(widget, Qt.Key.Key_Delete)
        QTest.keyClicks(widget, text)

    def key(self, name: str, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key on a widget."""
        QTest.keyClick(self.find(name), key, modifiers)

    def drop(self, paths: list[Path], name: str = "", at: QPoint | None = None) -> None:
        """Drag files over the window, or over one of its widgets, and let go there: in its middle, or at a place."""
        target = self.find(name) if name else self.window
        if isinstance(target, QAbstractScrollArea):
            target = target.viewport()
        where = at or QPoint(target.width() // 2, target.height() // 2)
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
        how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(target, QDragEnterEvent(_entered_at(where), *how))
        QApplication.sendEvent(target, QDropEvent(QPointF(where), *how))

    def words(self, name: str) -> str:
        """All plain text that a widget and its labels show."""
        widget = self.find(name)
        own = [getattr(widget, m)() for m in ("text", "toPlainText", "plain_text") if hasattr(widget, m)]
        return "\n".join([*own, *(w.text() for w in widget.findChildren(QLabel) if w.isVisibleTo(widget))])

    async def until(self, seen: Callable[[], object], what: str, patience: float | None = None) -> None:
        """Wait until `seen()` is true; `what` says what is waited for."""
        deadline = time.monotonic() + (patience or self.patience)
        while not _try(seen):
            if time.monotonic() > deadline:
                raise NotSeen(f"waited in vain until {what}")
            await asyncio.sleep(0.02)

    async def settle(self, seconds: float = 0.15) -> None:
        """Let timers and paints happen."""
        await asyncio.sleep(seconds)

    def picture(self, file: Path) -> Path:
        """Save what the window shows."""
        file.parent.mkdir(parents=True, exist_ok=True)
        if not self.window.grab().save(str(file)):
            raise OSError(f"the picture {file} could not be saved")
        return file


def _try(seen: Callable[[], object]) -> bool:
    try:
        return bool(seen())
    except NotSeen:
        return False


def _entered_at(where: QPoint) -> QPoint | QPointF:
    """Where a drag comes in, as this Qt takes it: from 6.12 on with fractions, before that in whole pixels only."""
    return QPointF(where) if QLibraryInfo.version() >= QVersionNumber(6, 12) else where
