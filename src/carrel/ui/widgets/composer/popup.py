"""What opens over the composer: a frame that closes by itself, placed above the button that opened it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named


class Popup(QFrame):
    """A frame in a window of its own; Esc or a click elsewhere closes it."""

    def __init__(self, parent: QWidget, object_name: str, accessible: str) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        named(self, object_name, accessible)
        self.setProperty("popup", True)

    def open_above(self, anchor: QWidget) -> None:
        """Show with the lower left corner above the anchor, wholly on its screen."""
        self.adjustSize()
        corner = anchor.mapToGlobal(QPoint(0, 0))
        room = anchor.screen().availableGeometry()
        x = max(room.left(), min(corner.x(), room.right() - self.width()))
        above = corner.y() - self.height() - theme.px(6)
        below = corner.y() + anchor.height() + theme.px(6)
        self.move(x, above if above >= room.top() else min(below, room.bottom() - self.height()))
        self.show()

    def event(self, event: QEvent) -> bool:
        """Esc is for this frame, not for the window under it."""
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)
