"""Parts under one another that grow at their end: what is settled is read, laid out and placed once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from carrel.model.references import named
from carrel.model.segments import CHUNK, Segment, Segmenter, cut
from carrel.ui.widgets.transcript.parts import TextPart, part_of, style_of


class Column:
    """A text as parts. `plain` is the style of plain text that is cut into chunks; else the text is Markdown."""

    def __init__(self, *, plain: str = "", gap: float = 0.0) -> None:
        """`gap` is in pixels between parts."""
        self._plain, self.gap = plain, gap
        self._begin()

    def _begin(self) -> None:
        self._segmenter = Segmenter()
        self._fed = ""
        self._start = 0
        self._settled: list[TextPart] = []
        self._tail: list[TextPart] = []
        self._width = 0.0
        self._tops: list[float] = []
        self._fixed = 0
        self._fixed_end = 0.0
        self._naming: dict[str, list[int]] = {}
        self._defined: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._settled) + len(self._tail)

    def __getitem__(self, number: int) -> TextPart:
        settled = len(self._settled)
        return self._settled[number] if number < settled else self._tail[number - settled]

    def show(self, text: str) -> None:
        """Take the text as it is now; a longer one with the same beginning costs only its end."""
        if not text.startswith(self._fed):
            self._begin()
        if self._plain:
            self._show_plain(text)
        else:
            self._segmenter.feed(text[len(self._fed) :])
            self._show_segments()
        self._fed = text

    def lay_out(self, width: float) -> float:
        """The height at a width, in pixels."""
        if width != self._width:
            self._width, self._fixed, self._fixed_end, self._tops = width, 0, 0.0, []
        del self._tops[self._fixed :]
        y = self._place(self._settled[self._fixed :], self._fixed_end)
        self._fixed, self._fixed_end = len(self._settled), y
        y = self._place(self._tail, y)
        return max(0.0, y - self.gap)

    def ideal_width(self) -> float:
        """The width that the widest part would take on one line."""
        return max((self[n].ideal_width() for n in range(len(self))), default=40.0)

    def top(self, number: int) -> float:
        """Where a part begins."""
        return self._tops[number]

    def near(self, y: float) -> int:
        """The number of the part at or next below a place."""
        return min(bisect_left(self._tops, y, key=lambda top: top) or 1, len(self._tops)) - 1

    def between(self, top: float, bottom: float) -> Iterator[tuple[int, float, TextPart]]:
        """(number, y, part) of all that shows between two places."""
        if not self._tops:
            return
        for number in range(max(0, self.near(top)), len(self._tops)):
            if self._tops[number] > bottom:
                return
            yield number, self._tops[number], self[number]

    def _place(self, parts: list[TextPart], y: float) -> float:
        for part in parts:
            if part.width != self._width - part.shift:
                part.lay_out(self._width - part.shift)
            self._tops.append(y)
            y += part.height + self.gap if part.height else 0.0
        return y

    def _show_plain(self, text: str) -> None:
        while len(text) - self._start > CHUNK:
            stop = cut(text, self._start)
            self._settled.append(_plain_part(self._plain, text[self._start : stop].rstrip("\n")))
            self._start, self._tail = stop, []
        rest = text[self._start :]
        if rest and not self._tail:
            self._tail = [TextPart(self._plain)]
        for part in self._tail:
            if part.show(rest):
                part.width = 0

    def _show_segments(self) -> None:
        fresh = self._segmenter.settled[len(self._settled) :]
        for segment in fresh:
            part = part_of(segment)
            part.define(self._definitions_of(part))
            for label in named(segment.text) if segment.kind != "code" else ():
                self._naming.setdefault(label, []).append(len(self._settled))
            self._settled.append(part)
        self._resolve()
        held = [] if fresh else self._tail
        self._tail = []
        for number, segment in enumerate(self._segmenter.tail):
            part = held[number] if number < len(held) and _shows(held[number], segment) else part_of(segment)
            is_other = part.show(segment.text)
            if part.define(self._definitions_of(part)) or is_other:
                part.width = 0
            self._tail.append(part)

    def _definitions_of(self, part: TextPart) -> str:
        """The lines elsewhere that give the links of a part their addresses."""
        known = self._segmenter.definitions
        if not known or part.style == "code":
            return ""
        return "\n".join(known[label] for label in sorted(named(part.source) & known.keys()))

    def _resolve(self) -> None:
        """A definition may come long after its links: the settled parts that name it, and no others, are read again."""
        known = self._segmenter.definitions
        if known == self._defined:
            return
        other = {label for label in known.keys() | self._defined.keys() if known.get(label) != self._defined.get(label)}
        self._defined = dict(known)
        for number in {number for label in other for number in self._naming.get(label, ())}:
            part = self._settled[number]
            if part.define(self._definitions_of(part)):
                part.width = 0
                if number < self._fixed:
                    self._fixed, self._fixed_end = number, self._tops[number]


def _shows(part: TextPart, segment: Segment) -> bool:
    """Whether a part is of the kind and in the place of a segment, so that only its words may be others."""
    return (part.style, part.depth) == (style_of(segment), segment.depth)


def _plain_part(style: str, text: str) -> TextPart:
    part = TextPart(style)
    part.show(text)
    return part
