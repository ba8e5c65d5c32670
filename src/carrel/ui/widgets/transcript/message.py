"""One message laid out: header, thinking, body in parts, note; and the places where its buttons go."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from carrel.model.segments import Segmenter
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import ornaments
from carrel.ui.widgets.transcript.entry import Entry
from carrel.ui.widgets.transcript.parts import TextPart, part_of

CHUNK = 3000
"""Characters of thinking in one part: only the last part is laid out again while it streams."""

Spot = tuple[int, int]
"""A place in a message's text: the number of a part, and a position in it."""


class Parts:
    """Parts that grow at their end: settled ones are laid out once."""

    def __init__(self, *, plain: str = "") -> None:
        """`plain` is the style of plain text that is cut into chunks; else the text is Markdown."""
        self._plain = plain
        self._begin()

    def _begin(self) -> None:
        self._segmenter = Segmenter()
        self._fed = ""
        self._settled: list[TextPart] = []
        self._tail: list[TextPart] = []
        self._start = 0

    @property
    def all(self) -> list[TextPart]:
        """The parts in order."""
        return [*self._settled, *self._tail]

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

    def _show_plain(self, text: str) -> None:
        while len(text) - self._start > CHUNK:
            most = self._start + CHUNK
            cut = max(text.rfind("\n", self._start, most), text.rfind(" ", self._start, most))
            stop = cut + 1 if cut > self._start else most
            self._settled.append(_plain_part(self._plain, text[self._start : stop].rstrip("\n")))
            self._start, self._tail = stop, []
        rest = text[self._start :]
        if not self._tail:
            self._tail = [TextPart(self._plain)] if rest else []
        for part in self._tail:
            part.show(rest)
            part.width = 0

    def _show_segments(self) -> None:
        fresh = self._segmenter.settled[len(self._settled) :]
        self._settled.extend(part_of(segment) for segment in fresh)
        held = [] if fresh else self._tail
        tail = self._segmenter.tail
        self._tail = []
        for number, segment in enumerate(tail):
            style = {"text": "prose"}.get(segment.kind, segment.kind)
            if number < len(held) and held[number].style == style:
                part = held[number]
                if part.show(segment.text):
                    part.width = 0
            else:
                part = part_of(segment)
            self._tail.append(part)


def _plain_part(style: str, text: str) -> TextPart:
    part = TextPart(style)
    part.show(text)
    return part


class MessageView:
    """The layout of one entry at one width. `slots` are places for real controls, by name, relative to the message."""

    def __init__(self, entry: Entry) -> None:
        """Read the entry; `lay_out` gives it a size."""
        self.entry = entry
        self.height = 0.0
        self.width = 0.0
        self.slots: dict[str, QRectF] = {}
        self._thinking = Parts(plain="thinking")
        self._body = Parts(plain="" if entry.role == "assistant" else "said")
        self._placed: list[tuple[float, float, TextPart]] = []
        self._bubble = QRectF()
        self._is_dirty = True
        self.show(entry)

    def show(self, entry: Entry) -> None:
        """Take another state of the same message."""
        self.entry = entry
        self._body.show(entry.text)
        if entry.thinking_open:
            self._thinking.show(entry.thinking)
        self._is_dirty = True

    def lay_out(self, width: float) -> float:
        """The height at a width; what is settled at that width costs nothing."""
        if self._is_dirty or width != self.width:
            self.width = width
            self._placed, self.slots = [], {}
            self.height = self._lay_user(width) if self.entry.role == "user" else self._lay_reply(width)
            self._is_dirty = False
        return self.height

    @property
    def parts(self) -> list[TextPart]:
        """All parts that can be selected, in order."""
        return [part for _, _, part in self._placed]

    def paint(
        self, painter: QPainter, clip: QRectF, selection: tuple[Spot, Spot] | None, marked: Sequence[str] = ()
    ) -> None:
        """Paint at the origin; `clip` is what shows of it, `marked` are words to mark."""
        if self.entry.role == "user":
            self._paint_bubble(painter)
        else:
            ornaments.header(painter, self.width, self.entry)
            self._paint_note(painter)
        first = bisect_left(self._placed, clip.top(), key=lambda p: p[1] + p[2].height)
        for number in range(first, len(self._placed)):
            x, y, part = self._placed[number]
            if y > clip.bottom():
                break
            part.paint(painter, QPointF(x, y), clip, _in_part(selection, number, part.length), marked)

    def spot_at(self, point: QPointF) -> Spot:
        """The place in the text nearest to a point."""
        if not self._placed:
            return (0, 0)
        number = min(bisect_left(self._placed, point.y(), key=lambda p: p[1] + p[2].height), len(self._placed) - 1)
        x, y, part = self._placed[number]
        return number, part.position_at(point - part.origin(x, y))

    def link_at(self, point: QPointF) -> str:
        """The address of the link under a point, or an empty text."""
        for x, y, part in self._placed:
            if y <= point.y() <= y + part.height:
                return part.link_at(point - part.origin(x, y))
        return ""

    def part_at(self, point: QPointF) -> TextPart | None:
        """The part under a point."""
        return next((p for _, y, p in self._placed if y <= point.y() <= y + p.height), None)

    def text_between(self, start: Spot, stop: Spot) -> str:
        """The plain text from one spot to another."""
        pieces = []
        for number in range(start[0], min(stop[0], len(self._placed) - 1) + 1):
            part = self._placed[number][2]
            begin = start[1] if number == start[0] else 0
            end = stop[1] if number == stop[0] else part.length
            pieces.append(part.selected_text(begin, end))
        return "\n\n".join(pieces)

    @property
    def end(self) -> Spot:
        """The last place in the text."""
        return (len(self._placed) - 1, self._placed[-1][2].length) if self._placed else (0, 0)

    # Layout

    def _lay_user(self, width: float) -> float:
        most = min(width, theme.px(560))
        pad_x, pad_y = theme.px(14), theme.px(10)
        parts = self._body.all
        wanted = max((p.ideal_width() for p in parts), default=40.0)
        wanted = max([wanted, *(ornaments.chip_width(name) for name in self.entry.attachments)])
        inner = min(most - 2 * pad_x, wanted)
        y = float(pad_y)
        x = width - inner - pad_x
        if self.entry.quoted:
            y += theme.px(22)
            inner = max(inner, min(most - 2 * pad_x, theme.px(260)))
            x = width - inner - pad_x
        for part in parts:
            part.lay_out(inner)
            self._placed.append((x, y, part))
            y += part.height
        y += theme.px(32) * ornaments.chip_rows(self.entry.attachments, inner)
        self._bubble = QRectF(x - pad_x, 0, inner + 2 * pad_x, y + pad_y)
        side = theme.px(24)
        left = self._bubble.left() - side - theme.px(4)
        self.slots["edit"] = QRectF(left, self._bubble.bottom() - side, side, side)
        if self.entry.versions[1] > 1:
            wide = theme.px(96)
            self.slots["versions"] = QRectF(left - wide, self._bubble.bottom() - side, wide, side)
        return self._bubble.height() + theme.px(24)

    def _lay_reply(self, width: float) -> float:
        y = float(theme.px(26))
        if self.entry.thinking_title:
            self.slots["thinking"] = QRectF(-theme.px(8), y, width, theme.px(24))
            y += theme.px(30)
            if self.entry.thinking_open:
                y = self._stack(self._thinking.all, y, width, gap=0) + theme.px(8)
        y = self._stack(self._body.all, y, width, gap=theme.px(8))
        if self.entry.note:
            y += theme.px(4)
            self.slots["note"] = QRectF(0, y, width, self._note_height(width))
            y += self.slots["note"].height() + theme.px(4)
        if self.entry.actions:
            y += theme.px(4)
            self.slots["actions"] = QRectF(-theme.px(8), y, width, theme.px(26))
            y += theme.px(26)
        return y + theme.px(24)

    def _stack(self, parts: list[TextPart], y: float, width: float, gap: float) -> float:
        for part in parts:
            if part.width != width:
                part.lay_out(width)
            self._placed.append((0.0, y, part))
            if part.style == "code":
                wide = theme.px(70)
                place = QRectF(width - wide, y + theme.px(4), wide - theme.px(4), theme.px(24))
                self.slots[f"code:{len(self._placed) - 1}"] = place
            elif part.style == "table":
                self.slots[f"table:{len(self._placed) - 1}"] = QRectF(width + 1, y, theme.px(22), theme.px(22))
            y += part.height + gap
        return y

    def _note_height(self, width: float) -> float:
        room = QRectF(0, 0, width, 10_000)
        flags = Qt.TextFlag.TextWordWrap.value
        return QFontMetricsF(theme.font(12.5)).boundingRect(room, flags, self.entry.note).height() + 4

    # Paint

    def _paint_bubble(self, painter: QPainter) -> None:
        ornaments.ground(painter, self._bubble)
        pad_x, pad_y = theme.px(14), theme.px(10)
        inner = self._bubble.adjusted(pad_x, pad_y, -pad_x, -pad_y)
        if self.entry.quoted:
            ornaments.quote(painter, QRectF(inner.left(), inner.top(), inner.width(), theme.px(16)), self.entry.quoted)
        ornaments.paint_chips(painter, inner, self.entry.attachments)

    def _paint_note(self, painter: QPainter) -> None:
        if "note" in self.slots:
            painter.setFont(theme.font(12.5))
            painter.setPen(theme.color(self.entry.note_tone))
            painter.drawText(self.slots["note"], Qt.TextFlag.TextWordWrap.value, self.entry.note)


def _in_part(selection: tuple[Spot, Spot] | None, number: int, length: int) -> tuple[int, int] | None:
    """What of a selection lies in one part."""
    if selection is None or not selection[0][0] <= number <= selection[1][0]:
        return None
    begin = selection[0][1] if number == selection[0][0] else 0
    end = selection[1][1] if number == selection[1][0] else length
    return (begin, end) if end > begin else None
