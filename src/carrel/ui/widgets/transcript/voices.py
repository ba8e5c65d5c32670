"""The transcript as a screen reader meets it: each message in sight is an item with who said it and its words.

Messages are painted, so Qt knows no widget for them. Each in sight gets a small QObject, through which Qt keeps and
drops what it tells the reader: an interface without an object would outlive its message, and be freed twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface, QAccessibleObject
from PySide6.QtWidgets import QAccessibleWidget, QWidget


@dataclass(frozen=True, slots=True)
class Speech:
    """What there is to say of one message; `box` is its place on the ground, `words` are put together when asked."""

    who: str = ""
    words: Callable[[], str] = str
    box: QRect = field(default_factory=QRect)


class Voice(QObject):
    """One message in sight."""

    def __init__(self, ground: Ground, entry_id: str) -> None:
        super().__init__(ground)
        self.entry_id = entry_id
        self._ground = ground

    def speech(self) -> Speech:
        """What it says now."""
        return self._ground.tell(self.entry_id)


class Ground(QWidget):
    """What the transcript is painted on. `tell` says what a message says, `order` gives the ids of the messages in
    sight, each with its buttons; nothing is made before a screen reader asks.
    """

    def __init__(self, tell: Callable[[str], Speech], order: Callable[[], Sequence[tuple[str, list[QWidget]]]]) -> None:
        super().__init__()
        self.tell, self._order = tell, order
        self._voices: dict[str, Voice] = {}
        _listen()

    def parts(self) -> list[QObject]:
        """The messages in sight, each followed by its buttons."""
        held: list[QObject] = []
        for entry_id, buttons in self._order():
            if entry_id not in self._voices:
                self._voices[entry_id] = Voice(self, entry_id)
            held += [self._voices[entry_id], *buttons]
        return held

    def moved(self) -> None:
        """Other messages are in sight: drop those that are not, and say so to a reader that listens."""
        if not self._voices:
            return
        seen = {entry_id for entry_id, _ in self._order()}
        gone = [entry_id for entry_id in self._voices if entry_id not in seen]
        for entry_id in gone:
            self._voices.pop(entry_id).deleteLater()
        if gone and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.ObjectReorder))


class _Message(QAccessibleObject):
    def __init__(self, voice: Voice) -> None:
        super().__init__(voice)
        self._voice = voice

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        said = self._voice.speech()
        if kind == QAccessible.Text.Name:
            return said.who
        return said.words() if kind in {QAccessible.Text.Value, QAccessible.Text.Description} else ""

    def state(self) -> QAccessible.State:
        return QAccessible.State()

    def rect(self) -> QRect:
        ground = self._voice.parent()
        box = self._voice.speech().box
        return QRect(ground.mapToGlobal(box.topLeft()), box.size()) if isinstance(ground, QWidget) else box

    def parent(self) -> QAccessibleInterface | None:
        return QAccessible.queryAccessibleInterface(self._voice.parent())

    def child(self, index: int) -> QAccessibleInterface | None:
        return None

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:
        return None


class _Messages(QAccessibleWidget):
    def __init__(self, ground: Ground) -> None:
        super().__init__(ground, QAccessible.Role.List)
        self._ground = ground

    def childCount(self) -> int:
        return len(self._ground.parts())

    def child(self, index: int) -> QAccessibleInterface | None:
        parts = self._ground.parts()
        return QAccessible.queryAccessibleInterface(parts[index]) if 0 <= index < len(parts) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        parts, wanted = self._ground.parts(), child.object()
        return next((number for number, part in enumerate(parts) if part is wanted), -1)

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:
        point = self._ground.mapFromGlobal(QPoint(x, y))
        button = self._ground.childAt(point)
        parts = self._ground.parts()
        if button is not None:
            return QAccessible.queryAccessibleInterface(button)
        under = (v for v in parts if isinstance(v, Voice) and v.speech().box.contains(point))
        return next(map(QAccessible.queryAccessibleInterface, under), None)


_INTERFACES = {Ground: _Messages, Voice: _Message}
_listening: list[bool] = []


def _listen() -> None:
    """Have Qt ask here first; it keeps the function for as long as the process runs."""
    if not _listening:
        _listening.append(True)
        QAccessible.installFactory(_interface)


def _interface(_: str, subject: QObject | None) -> QAccessibleInterface | None:
    made = _INTERFACES.get(type(subject))
    return made(subject) if made is not None else None
