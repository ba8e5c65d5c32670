"""Headings of a Markdown text moved down, so that it can stand below a heading of another text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from carrel.work.html.blocks import Reader
from carrel.work.html.tree import Block

DEEPEST = 6


def below(text: str, level: int) -> str:
    """The text with its headings below those of a level, as far apart as they were; code is left alone."""
    lines = text.split("\n")
    found = list(_headings(lines))
    down = level + 1 - min((block.level for _, block, _ in found), default=level + 1)
    if down <= 0:
        return text
    for number, block, is_underlined in reversed(found):
        marks = "#" * min(block.level + down, DEEPEST)
        if is_underlined:
            first = number - len(block.lines)
            before = lines[first].removesuffix(block.lines[0])
            lines[first : number + 1] = [f"{before}{marks} {' '.join(line.strip() for line in block.lines)}"]
        else:
            lines[number] = re.sub(rf"#{{{block.level}}}(?=\s|$)", marks, lines[number], count=1)
    return "\n".join(lines)


def _headings(lines: list[str]) -> Iterator[tuple[int, Block, bool]]:
    """(number of its last line, heading, whether that line underlines it) of each heading."""
    reader = Reader()
    for number, line in enumerate(lines):
        before, kind = reader.tip, reader.tip.kind
        reader.take(line)
        tip = reader.tip
        if tip.kind == "heading" and tip is not before:
            yield number, tip, False
        elif tip.kind == "heading" and kind == "paragraph":
            yield number, tip, True
