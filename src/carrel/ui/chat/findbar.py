"""The bar above the transcript that finds words in the open chat."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import label, named, row, search_field, tool
from carrel.ui.widgets.notes import announce

PAUSE = 150
"""Milliseconds after the last letter before the store is asked."""


class FindBar(QFrame):
    """`typed` tells the words once a person pauses, `stepped` 1 for the next place and -1 for the one before."""

    typed = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "chat.find", self.tr("Find in this chat"))
        self.setProperty("part", "head")
        self.field = search_field(self.tr("Find in this chat"), "chat.find.field")
        self.count = label("", "small")
        named(self.count, "chat.find.count")
        self._up = tool("up", "chat.find.up", self.tr("The place before"))
        self._down = tool("down", "chat.find.down", self.tr("The next place"))
        close = tool("close", "chat.find.close", self.tr("Close"))
        self.setLayout(row(self.field, self.count, self._up, self._down, close, margins=(14, 6, 10, 6), spacing=6))
        self.layout().setStretch(0, 1)
        self.count.setMinimumWidth(theme.px(64))
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(lambda: self.typed.emit(self.field.text()))
        self.field.textChanged.connect(lambda _: self._timer.start())
        self.field.installEventFilter(self)
        self._up.clicked.connect(lambda: self.stepped.emit(-1))
        self._down.clicked.connect(lambda: self.stepped.emit(1))
        close.clicked.connect(self.closed)
        self.hide()

    def begin(self, words: str = "") -> None:
        """Show the bar; `words` take the place of what it holds."""
        self.show()
        if words:
            self.field.setText(words)
            self._now()
        elif self.field.text():
            self._now()
        self.field.setFocus()
        self.field.selectAll()

    def show_place(self, place: int, count: int) -> None:
        """Say which place of how many is in view; 0 of 0 where there is none."""
        words = self.tr("{n} of {m}").format(n=place, m=count) if count else self.tr("Not found")
        self.count.setText(words if self.field.text().strip() else "")
        for one in (self._up, self._down):
            one.setEnabled(count > 0)
        if self.count.text():
            announce(self.field, words)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, Shift+Enter back; so do Down and Up."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            enter = -1 if back else 1
            steps = {Qt.Key.Key_Return: enter, Qt.Key.Key_Enter: enter, Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
            if event.key() in steps:
                self._step(steps[event.key()])
                return True
        return False

    def _step(self, step: int) -> None:
        if self._timer.isActive():
            self._now()
        else:
            self.stepped.emit(step)

    def _now(self) -> None:
        self._timer.stop()
        self.typed.emit(self.field.text())
