"""The place that is being read: it stays where it stands when the width or the size of the text changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QPointF
from PySide6.QtGui import QResizeEvent

from carrel.ui.widgets.transcript.canvas import Canvas
from carrel.ui.widgets.transcript.message import Spot


class Held(NamedTuple):
    """A place in a message, and how many pixels below the top of the view it stands."""

    entry_id: str
    spot: Spot
    y: float


class Holding(Canvas):
    """A canvas on which whoever does not follow the end goes on reading the same words through every layout."""

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__(object_name, accessible)
        self._held: Held | None = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._holding(lambda: super(Holding, self).resizeEvent(event))

    def _restart(self) -> None:
        self._holding(super()._restart)

    def _holding(self, change: Callable[[], None]) -> None:
        """The place is kept over several changes: found anew each time, it would creep up line by line."""
        held = self._held or self._being_read()
        change()
        if held is not None:
            self._bring_back(held)
        self._held = held

    def _being_read(self) -> Held | None:
        """The words at the top of the view; none where the view follows the end."""
        if self._follows or not len(self._rows):
            return None
        number = self._rows.at(self.verticalScrollBar().value() - self._pad)
        view = self._rows.laid_out(self._rows.ids[number])
        return None if view is None else self._at(number, view.spot_at(QPointF(0, -self._top_of(number))))

    def _at(self, number: int, spot: Spot) -> Held | None:
        view = self._rows.laid_out(self._rows.ids[number])
        if view is None or view.part(spot[0]) is None:
            return None
        return Held(view.entry.id, spot, self._top_of(number) + view.box(*spot).top())

    def _bring_back(self, held: Held) -> None:
        number = self._rows.number(held.entry_id)
        assert number is not None, "a change of layout takes no message away"
        y = min(held.y, self.viewport().height() * 0.8)  # the view may have become lower than that
        for _ in range(3):  # what is laid out on the way may change where the row begins
            view = self._rows.view(number)
            self._set_range()
            top = self._rows.top(number) + self._pad + view.box(*held.spot).top()
            self.verticalScrollBar().setValue(round(top - y))
            self._arrange()

    def _arrange(self) -> None:
        self._held = None
        super()._arrange()
