"""Jumps in the transcript: to a message, and to the exact place of words in it, which is marked."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.model.finding import Where
from carrel.model.occurrences import context, pattern
from carrel.ui.widgets.transcript.holding import Holding
from carrel.ui.widgets.transcript.marks import Spans
from carrel.ui.widgets.transcript.message import MessageView
from carrel.ui.widgets.transcript.parts import TextPart


class Jumping(Holding):
    """A canvas that can be told what to show. What it jumps to is laid out first, and nothing on the way to it."""

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__(object_name, accessible)
        self._focused: TextPart | None = None

    def show_entry(self, entry_id: str) -> bool:
        """Bring a message to the top of the view; False where it is not in this chat."""
        number = self._rows.number(entry_id)
        if number is not None:
            self._rows.view(number)
            self._bring(number, -self._pad)
        return number is not None

    def mark(self, words: Sequence[str]) -> None:
        """Mark each of these wherever it is shown; none takes the marks away."""
        self._marked = pattern(words)
        self._focus(None, (0, 0))
        self.viewport().update()

    def show_place(self, entry_id: str, where: Where, place: int = 0, around: str = "") -> tuple[int, int]:
        """Bring one of the marked places in what a message says or thinks into view, and mark it apart.

        `place` counts from 0; the place after the words `around`, where they are found, counts more. Gives which place
        it was, and how many there are: 0 where the message is not shown, is folded, or has none.
        """
        number = self._rows.number(entry_id)
        if number is None or self._marked is None:
            return 0, 0
        view = self._rows.view(number)
        places = view.places(self._marked, where)
        if not places:
            self.show_entry(entry_id)
            return 0, 0
        nearest = _nearest(view, places, around)
        place = min(place, len(places) - 1) if nearest is None else nearest
        part_number, start, stop = places[place]
        part = view.part(part_number)
        assert part is not None, "it has just been found there"
        self._focus(part, (start, stop))
        part.reveal(start)
        self._bring(number, view.box(part_number, start).top(), into_sight=True)
        self._held = self._at(number, (part_number, start))
        return place, len(places)

    def _focus(self, part: TextPart | None, span: tuple[int, int]) -> None:
        if self._focused is not None:
            self._focused.focused = None
        self._focused = part
        if part is not None:
            part.focused = span

    def _bring(self, number: int, y: float, *, into_sight: bool = False) -> None:
        """Scroll to a place in a row: to the top, or a third down where it is not in sight already."""
        self._follows = False
        bar, room = self.verticalScrollBar(), self.viewport().height()
        for _ in range(3):  # what is laid out on the way may change where the row begins
            self._set_range()
            wanted = self._rows.top(number) + self._pad + y
            if not into_sight:
                bar.setValue(int(wanted))
            elif not room / 10 <= wanted - bar.value() <= room * 0.8:
                bar.setValue(int(wanted - room / 3))
            self._arrange()


def _nearest(view: MessageView, places: Sequence[tuple[int, int, int]], around: str) -> int | None:
    """The first place that lies in these words, where they stand in one part."""
    wanted = context(around)
    spans: dict[int, Spans] = {}
    for place, (number, start, _) in enumerate(places) if wanted else ():
        if number not in spans:
            part = view.part(number)
            spans[number] = part.found_once(wanted) if part is not None and wanted is not None else ()
        if any(first <= start < last for first, last in spans[number]):
            return place
    return None
