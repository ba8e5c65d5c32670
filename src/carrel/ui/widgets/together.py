"""Texts side by side that scroll together, however long each is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractScrollArea, QWidget


class Together(QObject):
    """Where one is moved the others go as far down their own texts: all ends meet."""

    def __init__(self, owner: QWidget, areas: Sequence[QAbstractScrollArea]) -> None:
        super().__init__(owner)
        self._areas = tuple(areas)
        self._is_moving = False
        for area in areas:
            area.verticalScrollBar().valueChanged.connect(lambda _, moved=area: self.follow(moved))

    def follow(self, moved: QAbstractScrollArea) -> None:
        """Let the others go where this one is."""
        if self._is_moving:
            return
        self._is_moving = True
        for other in self._areas:
            if other is not moved:
                self.take_along(moved, other)
        self._is_moving = False

    def take_along(self, moved: QAbstractScrollArea, other: QAbstractScrollArea) -> None:
        """Move one of the others."""
        bar, target = moved.verticalScrollBar(), other.verticalScrollBar()
        if bar.maximum():
            target.setValue(round(target.maximum() * bar.value() / bar.maximum()))
