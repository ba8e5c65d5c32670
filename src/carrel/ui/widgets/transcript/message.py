"""One message laid out: header, thinking, body, note; and the places where its buttons go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from carrel.model.finding import Where
from carrel.model.occurrences import Pattern
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import ornaments
from carrel.ui.widgets.transcript.bubble import Bubble
from carrel.ui.widgets.transcript.column import Column
from carrel.ui.widgets.transcript.document import Link, links
from carrel.ui.widgets.transcript.entry import Entry
from carrel.ui.widgets.transcript.parts import TextPart

NEAR = 40
"""Pixels beyond what is asked for that buttons are told of, so that they are there before they are seen."""

Spot = tuple[int, int]
"""A place in a message's text: the number of a part, and a position in it. The parts of what is said count from 0,
those of what is thought from `BEGIN`, so that a place stays the same when the thinking is folded.
"""

BEGIN: Spot = (-1_000_000, 0)
"""Before everything in a message, folded or not."""


@dataclass(slots=True)
class _Placed:
    """A column where it stands; `first` is the number of its first part among all of the message."""

    x: float
    y: float
    first: int
    column: Column


class MessageView:
    """The layout of one entry at one width."""

    def __init__(self, entry: Entry) -> None:
        """Read the entry; `lay_out` gives it a size."""
        self.entry = entry
        self.height = 0.0
        self.width = 0.0
        self._slots: dict[str, QRectF] = {}
        self._thinking = Column(plain="thinking")
        self._body = Column(plain="" if entry.role == "assistant" else "said", gap=theme.px(8))
        self._columns: list[_Placed] = []
        self._thinking_end = 0.0
        self._bubble = Bubble(entry)
        self._is_dirty = True
        self.show(entry)

    def show(self, entry: Entry) -> None:
        """Take another state of the same message."""
        self.entry = entry
        self._body.show(entry.text)
        self._bubble = Bubble(entry)
        if entry.thinking_open:
            self._thinking.show(entry.thinking)
        self._is_dirty = True

    def lay_out(self, width: float) -> float:
        """The height at a width; what is settled at that width costs nothing."""
        if self._is_dirty or width != self.width:
            self.width = width
            self._columns, self._slots = [], {}
            self.height = self._lay_user(width) if self.entry.role == "user" else self._lay_reply(width)
            self._is_dirty = False
        return self.height

    def part(self, number: int) -> TextPart | None:
        """A part by its number in the message."""
        for placed in self._columns:
            if placed.first <= number < placed.first + len(placed.column):
                return placed.column[number - placed.first]
        return None

    def words(self) -> list[TextPart]:
        """The parts of what is said, without the thinking."""
        return [self._body[number] for number in range(len(self._body))]

    def places(self, wanted: Pattern, where: Where) -> list[tuple[int, int, int]]:
        """(number of a part, from, to) of all places in what is said or thought; none where that is folded."""
        column = self._thinking if where == "thinking" else self._body
        placed = next((placed for placed in self._columns if placed.column is column), None)
        if placed is None:
            return []
        return [(placed.first + n, *span) for n in range(len(column)) for span in column[n].found(wanted)]

    def box(self, number: int, position: int) -> QRectF:
        """Where a character of a part stands, from the top of the message."""
        placed = next(p for p in self._columns if p.first <= number < p.first + len(p.column))
        part, y = placed.column[number - placed.first], placed.y + placed.column.top(number - placed.first)
        return part.box(position).translated(part.origin(placed.x + part.shift, y))

    def slots(self, top: float, bottom: float) -> Iterator[tuple[str, QRectF]]:
        """Names and places of the buttons between two heights of the message, and shortly before and after."""
        for name, box in self._slots.items():
            if name != "note":
                yield name, box.translated(0, self.pinned(top)) if name.startswith("thinking") else box
        for number, place, part in self._between(top - NEAR, bottom + NEAR):
            if part.style == "code":
                wide = theme.px(70)
                left = place.x() + part.width - wide
                yield f"code:{number}", QRectF(left, place.y() + theme.px(4), wide - theme.px(4), theme.px(24))
            elif part.style == "table":
                yield f"table:{number}", QRectF(self.width + 1, place.y(), theme.px(22), theme.px(22))

    def pinned(self, top: float) -> float:
        """How far down the title of open thinking stands, as it stays at `top` while some of its thinking is below."""
        box = self._slots.get("thinking")
        if box is None or not self.entry.thinking_open:
            return 0.0
        return max(0.0, min(top, self._thinking_end - box.height()) - box.top())

    def title_top(self) -> float:
        """Where the title of its thinking stands."""
        return self._slots["thinking"].top() if "thinking" in self._slots else 0.0

    @property
    def thinking_end(self) -> float:
        """Where its open thinking ends; 0 where none is open."""
        return self._thinking_end if self.entry.thinking_open else 0.0

    def paint(
        self, painter: QPainter, clip: QRectF, selection: tuple[Spot, Spot] | None, marked: Pattern | None = None
    ) -> None:
        """Paint at the origin; `clip` is what shows of it, `marked` is marked wherever it stands."""
        if self.entry.role == "user":
            self._bubble.paint(painter)
        else:
            ornaments.header(painter, self.width, self.entry)
            if "note" in self._slots:
                ornaments.note(painter, self._slots["note"], self.entry)
        for number, place, part in self._between(clip.top(), clip.bottom()):
            part.paint(painter, place, clip, _in_part(selection, number, part.length), marked)
        if moved := self.pinned(clip.top()):
            ornaments.strip(painter, self._slots["thinking"].translated(0, moved), self.width)

    def spot_at(self, point: QPointF) -> Spot:
        """The place in the text nearest to a point."""
        for placed in reversed(self._columns):
            if len(placed.column) and (point.y() >= placed.y or placed is self._columns[0]):
                number = placed.column.near(point.y() - placed.y)
                part = placed.column[number]
                origin = part.origin(placed.x + part.shift, placed.y + placed.column.top(number))
                return placed.first + number, part.position_at(point - origin)
        return (0, 0)

    def link_at(self, point: QPointF) -> str:
        """The address of the link under a point, or an empty text."""
        found = self._under(point)
        return found[1].link_at(point - found[1].origin(found[0].x(), found[0].y())) if found else ""

    def part_at(self, point: QPointF) -> tuple[TextPart, QPointF] | None:
        """The part under a point, and the point from the part's corner."""
        found = self._under(point)
        return (found[1], point - found[0]) if found else None

    def parts_in(self, top: float, bottom: float) -> Iterator[TextPart]:
        """The parts that show between two heights."""
        yield from (part for _, _, part in self._between(top, bottom))

    def links(self, top: float, bottom: float) -> Iterator[tuple[int, Link]]:
        """(number of its part, link) of each link that stands between two heights."""
        for number, _, part in self._between(top, bottom):
            for link in links(part.document):
                box = self.box(number, link.start)
                if box.top() >= top and box.bottom() <= bottom:
                    yield number, link

    def text_between(self, start: Spot, stop: Spot) -> str:
        """The plain text from one spot to another."""
        return "\n\n".join(part.selected_text(begin, end) for part, begin, end in self.parts_between(start, stop))

    def spoken(self) -> str:
        """All of its words, for a screen reader."""
        words = self.text_between(BEGIN, self.end)
        files = ", ".join((*self.entry.attachments, *(file.words for file in self.entry.files)))
        return "\n".join(t for t in (self.entry.quoted, words, files, self.entry.note) if t)

    def parts_between(self, start: Spot, stop: Spot) -> Iterator[tuple[TextPart, int, int]]:
        """(part, from, to) of all that lies between two spots."""
        for placed in self._columns:
            last = placed.first + len(placed.column) - 1
            for number in range(max(start[0], placed.first), min(stop[0], last) + 1):
                part = placed.column[number - placed.first]
                begin = start[1] if number == start[0] else 0
                yield part, begin, stop[1] if number == stop[0] else part.length

    @property
    def end(self) -> Spot:
        """The last place in the text."""
        placed = next((placed for placed in reversed(self._columns) if len(placed.column)), None)
        if placed is None:
            return (0, 0)
        last = len(placed.column) - 1
        return placed.first + last, placed.column[last].length

    def _between(self, top: float, bottom: float) -> Iterator[tuple[int, QPointF, TextPart]]:
        for placed in self._columns:
            for number, y, part in placed.column.between(top - placed.y, bottom - placed.y):
                yield placed.first + number, QPointF(placed.x + part.shift, placed.y + y), part

    def _under(self, point: QPointF) -> tuple[QPointF, TextPart] | None:
        for _, place, part in self._between(point.y(), point.y()):
            if place.y() <= point.y() <= place.y() + part.height:
                return place, part
        return None

    # Layout

    def _lay_user(self, width: float) -> float:
        x, y, inner = self._bubble.begin(width, self._body.ideal_width())
        self._slots |= self._bubble.end(self._put(self._body, x, y, inner))
        return self._bubble.box.height() + theme.px(24)

    def _lay_reply(self, width: float) -> float:
        y = float(theme.px(26))
        if self.entry.thinking_title:
            side = theme.px(24)
            self._slots["thinking"] = QRectF(-theme.px(8), y, width - side, side)
            if self.entry.thinking_open:
                self._slots["thinking_copy"] = QRectF(width - side, y, side, side)
            y += theme.px(30)
            if self.entry.thinking_open:
                self._thinking_end = self._put(self._thinking, 0, y, width, BEGIN[0])
                y = self._thinking_end + theme.px(8)
        y = self._put(self._body, 0, y, width) + theme.px(8)
        for number in range(len(self.entry.files)):
            self._slots[f"file:{number}"] = QRectF(0, y + theme.px(2), width, theme.px(26))
            y = self._slots[f"file:{number}"].bottom() + theme.px(6)
        if self.entry.note:
            self._slots["note"] = QRectF(0, y, width, self._note_height(width))
            y = self._slots["note"].bottom() + theme.px(4)
        if self.entry.actions:
            self._slots["actions"] = QRectF(-theme.px(8), y + theme.px(2), width, theme.px(26))
            y = self._slots["actions"].bottom()
        for number in range(len(self.entry.questions)):
            self._slots[f"question:{number}"] = QRectF(0, y + theme.px(8), width, theme.px(26))
            y = self._slots[f"question:{number}"].bottom()
        return y + theme.px(24)

    def _put(self, column: Column, x: float, y: float, width: float, first: int = 0) -> float:
        """Place a column, whose parts are counted from `first`; gives where it ends."""
        height = column.lay_out(width)
        self._columns.append(_Placed(x, y, first, column))
        return y + height

    def _note_height(self, width: float) -> float:
        room = QRectF(0, 0, width, 10_000)
        flags = Qt.TextFlag.TextWordWrap.value
        return QFontMetricsF(theme.font(12.5)).boundingRect(room, flags, self.entry.note).height() + 4


def _in_part(selection: tuple[Spot, Spot] | None, number: int, length: int) -> tuple[int, int] | None:
    """What of a selection lies in one part."""
    if selection is None or not selection[0][0] <= number <= selection[1][0]:
        return None
    begin = selection[0][1] if number == selection[0][0] else 0
    end = selection[1][1] if number == selection[1][0] else length
    return (begin, end) if end > begin else None
