"""How rows of a queue change places among those that wait: by one step or to an end, several together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

Shift = Literal["first", "earlier", "later", "last"]

Move = tuple[str, str | None]
"""A row, and the one that it goes before; None: it goes last."""


def moves(waiting: Sequence[str], chosen: Collection[str], to: Shift) -> list[Move]:
    """What brings the chosen rows there, one move after the other; they keep their order, and who is there stays."""
    order = list(waiting)
    if to == "later":
        return _later(order, chosen)
    if to == "earlier":
        return _earlier(order, chosen)
    ours, rest = [i for i in order if i in chosen], [i for i in order if i not in chosen]
    if order == (ours + rest if to == "first" else rest + ours):
        return []
    return [(one, rest[0] if to == "first" else None) for one in ours]


def _earlier(order: list[str], chosen: Collection[str]) -> list[Move]:
    made: list[Move] = []
    for n in range(1, len(order)):
        if order[n] in chosen and order[n - 1] not in chosen:
            made.append((order[n], order[n - 1]))
            order[n - 1], order[n] = order[n], order[n - 1]
    return made


def _later(order: list[str], chosen: Collection[str]) -> list[Move]:
    made: list[Move] = []
    for n in reversed(range(len(order) - 1)):
        if order[n] in chosen and order[n + 1] not in chosen:
            made.append((order[n], order[n + 2] if n + 2 < len(order) else None))
            order[n], order[n + 1] = order[n + 1], order[n]
    return made
