"""What is selected in the transcript: from one place to another, over parts and over messages."""

from __future__ import annotations

from collections.abc import Iterator

from carrel.ui.widgets.transcript.clipping import Clip, clip_of
from carrel.ui.widgets.transcript.message import MessageView, Spot
from carrel.ui.widgets.transcript.rows import Rows

Place = tuple[int, Spot]
"""The number of a row, and a place in its text."""


class Selection:
    """An anchor and a cursor; nothing is selected while they are the same."""

    def __init__(self, rows: Rows) -> None:
        """Select nothing."""
        self._rows = rows
        self.anchor: Place | None = None
        self.cursor: Place | None = None

    def clear(self) -> None:
        """Select nothing."""
        self.anchor = self.cursor = None

    def begin(self, place: Place | None, *, extend: bool = False) -> None:
        """Start at a place, or stretch what is selected to it."""
        if not (extend and self.anchor is not None):
            self.anchor = place
        self.cursor = place

    def word(self, place: Place) -> None:
        """Select the word at a place."""
        number, (part, position) = place
        found = self._rows.view(number).part(part)
        if found is not None:
            begin, end = found.word_at(position)
            self.anchor, self.cursor = (number, (part, begin)), (number, (part, end))

    def all(self) -> None:
        """Select everything."""
        if len(self._rows):
            last = len(self._rows) - 1
            self.anchor, self.cursor = (0, (0, 0)), (last, self._rows.view(last).end)

    def span(self) -> tuple[Place, Place] | None:
        """From and to, in reading order; None where nothing is selected."""
        if self.anchor is None or self.cursor is None or self.anchor == self.cursor:
            return None
        return min(self.anchor, self.cursor), max(self.anchor, self.cursor)

    def within(self, number: int, view: MessageView) -> tuple[Spot, Spot] | None:
        """What of the selection lies in one row."""
        span = self.span()
        if span is None or not span[0][0] <= number <= span[1][0]:
            return None
        begin = span[0][1] if number == span[0][0] else (0, 0)
        end = span[1][1] if number == span[1][0] else view.end
        return begin, end

    def text(self) -> str:
        """The selected words."""
        return "\n\n".join(view.text_between(*within) for view, within in self._stretches())

    def clips(self) -> list[Clip]:
        """What is selected, as it is copied."""
        held = [piece for view, within in self._stretches() for piece in view.parts_between(*within)]
        return [clip_of(*piece, alone=len(held) == 1) for piece in held if piece[2] > piece[1]]

    def _stretches(self) -> Iterator[tuple[MessageView, tuple[Spot, Spot]]]:
        """The rows that something is selected in, and what."""
        span = self.span()
        for number in range(span[0][0], span[1][0] + 1) if span else ():
            view = self._rows.view(number)
            within = self.within(number, view)
            if within is not None:
                yield view, within
