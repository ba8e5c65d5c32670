"""A Markdown text as a tree of blocks, and which of its lists are tight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["document", "quote", "list", "item", "paragraph", "heading", "code", "rule", "table"]


@dataclass(slots=True)
class Block:
    """One block. `lines` are the words of a leaf; the rest is what its kind needs."""

    kind: Kind
    children: list[Block] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    level: int = 0
    """Of a heading 1 to 6; of an item the columns that its content is indented by."""
    info: str = ""
    """Of fenced code the word after the fence, of a list its marker (`-`, `+`, `*`, `.` or `)`)."""
    fence: str = ""
    start: int = 1
    tight: bool = True
    aligns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    blank_after: bool = False


def is_tight(block: Block) -> bool:
    """Whether no blank line stands between the items of a list, or between the blocks of one of them."""
    for number, item in enumerate(block.children):
        is_last = number == len(block.children) - 1
        if not is_last and _ends_blank(item):
            return False
        for place, child in enumerate(item.children):
            if _ends_blank(child) and not (is_last and place == len(item.children) - 1):
                return False
    return True


def _ends_blank(block: Block | None) -> bool:
    while block is not None:
        if block.blank_after:
            return True
        block = block.children[-1] if block.kind in {"list", "item"} and block.children else None
    return False
