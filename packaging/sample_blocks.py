"""Reads the sources of the sample documents: the few kinds of Markdown block that they use."""

import re
from itertools import groupby
from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    """One block: `kind` is title, heading, clause, bullet, table, notes or text.

    A clause keeps its number in `label`; a table has `rows` of cells, and its first row is the header.
    """

    kind: str
    text: str = ""
    label: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


_MARKS = {"# ": "title", "## ": "heading", "- ": "bullet", "> ": "notes"}
_CLAUSE = re.compile(r"(\d+\.\d+) (.+)")


def _block(line: str) -> Block:
    for mark, kind in _MARKS.items():
        if line.startswith(mark):
            return Block(kind, line[len(mark) :])
    if clause := _CLAUSE.fullmatch(line):
        return Block("clause", clause[2], clause[1])
    return Block("text", line)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))


def read(source: Path) -> list[Block]:
    """The blocks of a source, in order. Every block is one line, a table one line a row."""
    lines = [line for line in source.read_text(encoding="utf-8").splitlines() if line]
    blocks: list[Block] = []
    for is_table, group in groupby(lines, lambda line: line.startswith("|")):
        if is_table:
            rows = [_cells(line) for line in group]
            blocks.append(Block("table", rows=(rows[0], *rows[2:])))
        else:
            blocks.extend(map(_block, group))
    return blocks
