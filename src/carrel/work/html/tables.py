"""The rows of a Markdown table, cut into cells."""

from __future__ import annotations

import re

_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


def cells_of(row: str, count: int | None = None) -> list[str]:
    """The cells of a row, cut or filled up to `count`; a bar after a backslash stands within its cell."""
    row = row.strip().removeprefix("|")
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)]
    return cells if count is None else (cells + [""] * count)[:count]


def aligns_of(row: str) -> list[str]:
    """What a row of dashes says of each column: left, right, center or nothing; empty where it is no such row."""
    return [_align(cell) for cell in cells_of(row)] if _RULE.match(row.strip()) else []


def _align(rule: str) -> str:
    left, right = rule.startswith(":"), rule.endswith(":")
    return "center" if left and right else "left" if left else "right" if right else ""
