"""What is selected in the transcript: from one place to another, over parts and over messages."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor

from carrel.ui.widgets.transcript.clipping import Clip, clip_of
from carrel.ui.widgets.transcript.entry import Entry
from carrel.ui.widgets.transcript.message import BEGIN, MessageView, Spot
from carrel.ui.widgets.transcript.parts import TextPart
from carrel.ui.widgets.transcript.rows import Rows

Piece = tuple[TextPart, int, int]
"""A part, and from where to where in it."""

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

    def around(self, place: Place, what: QTextCursor.SelectionType) -> None:
        """Select the word or the paragraph at a place."""
        number, (part, position) = place
        found = self._rows.view(number).part(part)
        if found is not None:
            begin, end = found.around(position, what)
            self.anchor, self.cursor = (number, (part, begin)), (number, (part, end))

    def all(self) -> None:
        """Select everything."""
        if len(self._rows):
            last = len(self._rows) - 1
            self.anchor, self.cursor = (0, BEGIN), (last, self._rows.view(last).end)

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
        begin = span[0][1] if number == span[0][0] else BEGIN
        end = span[1][1] if number == span[1][0] else view.end
        return begin, end

    def lies_in(self, number: int) -> bool:
        """Whether something is selected, and all of it in one row."""
        return list(self._numbers()) == [number]

    def text(self) -> str:
        """The selected words."""
        told: list[str] = []
        for number in self._numbers():
            if self._is_whole(number):
                told += (clip.text for clip in _whole(self._rows.entry(number)))
            else:
                view = self._rows.view(number)
                told += (part.selected_text(start, stop) for part, start, stop in self._pieces(number, view))
        return "\n\n".join(told)

    def clips(self) -> list[Clip]:
        """What is selected, as it is copied."""
        held: list[Clip | Piece] = []
        for number in self._numbers():
            whole = self._is_whole(number)
            held += _whole(self._rows.entry(number)) if whole else self._pieces(number, self._rows.view(number))
        first = next((piece[0].column for piece in held if not isinstance(piece, Clip)), 0)
        alone = len(held) == 1
        return [p if isinstance(p, Clip) else clip_of(*p, alone=alone, margin=first) for p in held]

    def _numbers(self) -> range:
        span = self.span()
        return range(span[0][0], span[1][0] + 1) if span else range(0)

    def _is_whole(self, number: int) -> bool:
        """Whether all of a row is selected for certain: it needs no layout then, which takes long over many rows."""
        span = self.span()
        assert span is not None, "it is asked of what is selected"
        return span[0] <= (number, BEGIN) and number < span[1][0]

    def _pieces(self, number: int, view: MessageView) -> list[Piece]:
        within = self.within(number, view)
        return [piece for piece in view.parts_between(*within) if piece[2] > piece[1]] if within else []


def _whole(entry: Entry) -> list[Clip]:
    """All of a message, as it was written; what is thought only where it is unfolded."""
    said = Clip(entry.text, "markdown" if entry.role == "assistant" else "plain")
    thought = [Clip(entry.thinking, "plain")] if entry.thinking_open else []
    return [clip for clip in (*thought, said) if clip.text]
