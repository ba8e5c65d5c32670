"""Markdown cut into pieces that can be laid out one by one: prose, fenced code, tables.

A reply streams in at its end only, so everything before the last piece is settled and never read again. The cuts are
where a reader of Markdown would begin a new block in any case, so that a piece means alone what it means in place.
Code inside a list item cuts the list: what follows in the item is a piece that says how deep it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from carrel.model.items import Items, lead, outdented
from carrel.model.references import defined

Kind = Literal["text", "code", "table"]

CHUNK = 3000
"""Characters of plain text in one piece: only the last piece is laid out again while it streams."""

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_LIST = re.compile(r"^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)")
_BLOCK = re.compile(
    r"^(?: {4}|\t| {0,3}(?:#{1,6}(?:\s|$)|>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|([-*_])[ \t]*(?:\1[ \t]*){2,}$))"
)
"""What ends a table without an empty line; any other line is a row of it, with a bar or without."""

_RULE = re.compile(r"^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$")


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece. `text` is its Markdown, or for code the lines between the fences; `language` is the fence's word.

    One that stands in list items without beginning them has their number as `depth`, and has lost `column` spaces.
    """

    kind: Kind
    text: str
    language: str = ""
    depth: int = 0
    column: int = 0


class Segmenter:
    """Takes text as it grows. `settled` pieces never change; `tail` is what may.

    `definitions` are the lines that give links their addresses, by label: they may stand in another piece than a link.
    """

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.settled: list[Segment] = []
        self.definitions: dict[str, str] = {}
        self._kind: Kind = "text"
        self._lines: list[str] = []
        self._items = Items()
        self._column = self._depth = 0
        self._fence = ""
        self._fence_lead = 0
        self._language = ""
        self._rest = ""
        self._partial = ""

    def feed(self, text: str) -> None:
        """Take more text; only whole lines can settle anything."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._line(line)
        self._learn(outdented(self._rest, self._column), is_whole=False)

    @property
    def tail(self) -> tuple[Segment, ...]:
        """The pieces that are not settled: what has begun, with the unfinished last line."""
        if self._kind == "code":
            closed = not self._rest or _closes(outdented(self._rest, self._column), self._fence)
            lines = self._lines if closed else [*self._lines, self._bare(self._rest)]
            return self._piece(lines, self._column, self._depth)
        place = (self._column, self._depth) if self._has_begun else self._items.around(self._rest)
        lines = [*self._lines, outdented(self._rest, place[0])] if self._rest else self._lines
        return self._piece(lines, *place)

    @property
    def _has_begun(self) -> bool:
        return any(line.strip() for line in self._lines)

    def _line(self, line: str) -> None:
        if self._kind == "code" and self._code_line(line):
            return
        if line.strip() and not self._goes_on(line) and self._opens(line):
            return
        self._text_line(outdented(line, self._column))

    def _opens(self, line: str) -> bool:
        """Find where a line stands that goes on with no paragraph; whether it is the fence before code."""
        column, depth = self._items.around(line)
        opened = _FENCE.match(outdented(line, column))
        if column < self._column or opened or not self._has_begun:
            self._settle()
            self._column, self._depth = column, depth
        inner = self._items.take(line)
        if not opened and (opened := _FENCE.match(inner)):  # an item that begins with code
            self._text_line(outdented(line, self._column)[: -len(inner)])
            self._settle()
            self._column, self._depth = self._items.innermost
        if opened:
            self._kind, self._fence = "code", opened[1]
            self._fence_lead = max(lead(line), self._column)
            self._language = opened[2].strip().partition(" ")[0]
        return bool(opened)

    def _code_line(self, line: str) -> bool:
        """Take a line of code; False where it is none, as the list item around the code has ended."""
        if line.strip() and lead(line) < self._column:
            self._settle()
            return False
        if _closes(outdented(line, self._column), self._fence):
            self._settle()
        else:
            self._lines.append(self._bare(line))
        return True

    def _bare(self, line: str) -> str:
        """A line of code without the spaces that its fence has too."""
        return outdented(line, self._fence_lead)

    def _goes_on(self, line: str) -> bool:
        """Whether a line belongs to the paragraph before it, however far to the left it begins."""
        begins = _BLOCK.match(line.lstrip()) or _FENCE.match(line.lstrip())
        return bool(self._lines) and bool(self._lines[-1].strip()) and not begins

    def _text_line(self, line: str) -> None:
        self._learn(line, is_whole=True)
        if self._kind == "table" and (not line.strip() or _BLOCK.match(line)):
            self._settle()
        elif self._starts_table(line):
            header = self._lines.pop()
            self._settle()
            self._kind, self._lines = "table", [header]
        elif self._lines and not self._lines[-1].strip() and self._may_cut(line):
            self._settle()
        self._lines.append(line)

    def _learn(self, line: str, *, is_whole: bool) -> None:
        """Keep what a line defines. One that is not whole counts too, as it may be the text's last, but only until it
        is: the first definition of a label is the one that counts.
        """
        if self._partial:
            self.definitions.pop(self._partial, None)
            self._partial = ""
        label = defined(line) if self._kind == "text" and "]:" in line else ""
        if label and label not in self.definitions and self._may_define():
            self.definitions[label] = line.strip()
            self._partial = "" if is_whole else label

    def _may_define(self) -> bool:
        """A definition does not stand in the middle of a paragraph."""
        return not self._lines or not self._lines[-1].strip() or bool(defined(self._lines[-1]))

    def _starts_table(self, line: str) -> bool:
        if self._kind != "text" or "|" not in line or not self._lines or "|" not in self._lines[-1]:
            return False
        return bool(_RULE.match(line)) and not self._in_list()

    def _may_cut(self, line: str) -> bool:
        if not line.strip() or line[0] in " \t>":
            return False
        if self._in_list():
            return not _LIST.match(line)
        return True

    def _in_list(self) -> bool:
        last = next((line for line in reversed(self._lines) if line.strip()), "")
        return bool(_LIST.match(last)) or last.startswith((" ", "\t"))

    def _settle(self) -> None:
        self.settled.extend(self._piece(self._lines, self._column, self._depth))
        self._kind, self._lines = "text", []
        self._fence = self._language = ""

    def _piece(self, lines: list[str], column: int, depth: int) -> tuple[Segment, ...]:
        if self._kind == "code":
            return (Segment("code", "\n".join(lines), self._language, depth, column),)
        text = "\n".join(lines).strip("\n")
        return (Segment(self._kind, text, "", depth, column),) if text.strip() else ()


def segments(text: str) -> list[Segment]:
    """All pieces of a finished text."""
    segmenter = Segmenter()
    segmenter.feed(text)
    return [*segmenter.settled, *segmenter.tail]


def cut(text: str, start: int) -> int:
    """Where the piece of plain text that begins at `start` ends, once there is more than a piece: after a line, else
    after a word.
    """
    most = start + CHUNK
    place = text.rfind("\n", start + CHUNK // 2, most)
    if place < 0:
        place = text.rfind(" ", start, most)
    return place + 1 if place > start else most


def chunks(text: str) -> Iterator[str]:
    """Plain text in pieces that are laid out one by one."""
    start = 0
    while len(text) - start > CHUNK:
        stop = cut(text, start)
        yield text[start:stop].rstrip("\n")
        start = stop
    yield text[start:]


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(fence) and stripped.strip(fence[:1]) == "" and not line.startswith("    ")
