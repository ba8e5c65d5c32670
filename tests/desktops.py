"""A desktop for tests: it shows nothing, and remembers what it was asked to show."""

from __future__ import annotations

from psygnal import Signal


class Recorder:
    """Answers as a desktop with a notification service does, or as one without (`has_service`)."""

    clicked = Signal(str, str)
    looked = Signal(bool)

    def __init__(self, *, has_service: bool = True) -> None:
        self.has_service = has_service
        self.shown: list[tuple[str, str]] = []
        self.keys: list[str] = []

    def look(self) -> None:
        self.looked.emit(self.has_service)

    def show(self, key: str, title: str, text: str, press: str) -> None:
        self.keys.append(key)
        self.shown.append((title, text))
