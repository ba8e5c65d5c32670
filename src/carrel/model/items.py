"""Which list items a line of Markdown stands in: each is known by the column where its words begin."""

from __future__ import annotations

import re

_MARK = re.compile(r"([-*+]|\d{1,9}[.)])( +|$)")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")


class Items:
    """The items that are open after the lines that were taken, from the outermost to the innermost."""

    def __init__(self) -> None:
        """No item is open."""
        self._columns: list[int] = []

    def around(self, line: str) -> tuple[int, int]:
        """The column of the innermost item that a line so far to the right belongs to, and how many are around it."""
        at = lead(line)
        held = [column for column in self._columns if column <= at]
        return (held[-1], len(held)) if held else (0, 0)

    @property
    def innermost(self) -> tuple[int, int]:
        """The column of the innermost item that is open, and how many are."""
        return (self._columns[-1], len(self._columns)) if self._columns else (0, 0)

    def take(self, line: str) -> str:
        """A line that is no blank one: it ends the items that it does not belong to, and may begin some. Gives what
        stands in the items that it begins; nothing where it begins none.
        """
        if not self._columns and line[:1].isalpha():
            return ""
        column, depth = self.around(line)
        del self._columns[depth:]
        at, rest = lead(line), line.expandtabs(4).lstrip()
        while at - column <= 3 and not _RULE.match(rest) and (found := _MARK.match(rest)):
            gap = len(found[2])
            column = at + len(found[1]) + (gap if gap in range(1, 5) else 1)
            self._columns.append(column)
            at += len(found[0])
            rest = rest[len(found[0]) :]
        return rest if len(self._columns) > depth else ""


def lead(line: str) -> int:
    """How many columns of white space a line begins with."""
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


def outdented(line: str, columns: int) -> str:
    """The line without so many columns of white space at its beginning, or without all there is."""
    if not columns or line[:1] not in {" ", "\t"}:
        return line
    held = lead(line)
    return " " * (held - columns) + line.lstrip(" \t")
