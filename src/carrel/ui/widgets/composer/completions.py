"""The list that completes a word while it is typed: it hangs over the composer and never takes the keys from it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.composer.field import TextField
from carrel.ui.widgets.composer.rows import Row, RowList
from carrel.ui.widgets.controls import column, label, named
from carrel.ui.widgets.notes import announce

STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
TAKES = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}


class Completions(QFrame):
    """Lies in the window itself, over the composer. `chosen` tells a key."""

    chosen = Signal(str)

    def __init__(self, field: TextField, above: QWidget) -> None:
        """Hear the keys of `field`, and hang above `above`."""
        super().__init__(above)
        named(self, "chat.completions", self.tr("Suggestions"))
        self.setProperty("popup", True)
        self._field, self._above = field, above
        self.list = RowList("chat.completions.list", self.tr("Suggestions"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._note = label("", "small", wrap=True)
        self.setLayout(column(self._note, self.list, spacing=2, margins=(6, 6, 6, 6)))
        self.list.chosen.connect(self._take)
        field.installEventFilter(self)
        field.focused.connect(lambda focused: focused or self.hide())
        self.hide()

    def say(self, note: str, rows: Sequence[Row], *, points: bool = True) -> None:
        """Show rows, with a word over them; nothing at all hides the list. Unless it `points` at the first one, Enter
        goes on to the field until an arrow has pointed at one.
        """
        self.list.fill(rows)
        if not points:
            self.list.point_nowhere()
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.list.setVisible(bool(rows))
        if not rows and not note:
            self.hide()
            return
        self._place()
        if not self.isVisible():
            announce(self._field, note or self.tr("{n} suggestions").format(n=len(rows)))
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """While the list is seen, arrows, Enter, Tab and Esc are for it."""
        if not self.isVisible() or self._field.is_composing:
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._key(event)

    def _key(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            return True
        if event.key() in STEPS and self.list.rows():
            self.list.step(STEPS[Qt.Key(event.key())])
            return True
        return event.key() in TAKES and self.list.choose()

    def _take(self, key: str) -> None:
        self.hide()
        self.chosen.emit(key)
        self._field.setFocus()

    def _place(self) -> None:
        window = self._above.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        width = min(theme.px(460), self._above.width())
        self.list.setFixedHeight(self.list.height_for_rows())
        self.setFixedWidth(width)
        self.adjustSize()
        corner = self._above.mapTo(window, QPoint(0, 0))
        self.move(corner.x(), max(0, corner.y() - self.height() - theme.px(6)))
