"""Which files share an upload request, how its progress divides among them, and which answer belongs to which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from carrel.model import LibraryFile
from carrel.model.transfers import Transfer

MOST_FILES = 20
MOST_BYTES = 16 * 10**6
"""Of one request of small files (design, list of unknowns): 5,000 of them must not cost an hour of the budget."""

SMALL = 4 * 10**6
"""Bytes; larger files go alone, so that each has its own progress and can be stopped by itself."""


def next_batch(rows: Iterable[Transfer], alone: frozenset[str] | set[str] = frozenset()) -> list[Transfer]:
    """The first waiting row, with the small ones of its folder that may travel along; empty where none waits.

    Rows in `alone` travel by themselves: a batch with them was refused.
    """
    waiting = (row for row in rows if row.state == "waiting")
    first = next(waiting, None)
    if first is None:
        return []
    batch, size = [first], first.size or 0
    if size > SMALL or first.id in alone:
        return batch
    for row in waiting:
        if len(batch) == MOST_FILES:
            break
        more = row.size or 0
        if row.folder == first.folder and more <= SMALL and row.id not in alone and size + more <= MOST_BYTES:
            batch.append(row)
            size += more
    return batch


def fitting(rows: Sequence[Transfer]) -> list[Transfer]:
    """Those of a batch that may still share a request: files grow while they wait. At least the first."""
    return next_batch([replace(row, state="waiting") for row in rows])


def divided(rows: Sequence[Transfer], moved: int) -> Iterator[tuple[str, int]]:
    """How many bytes of each row have moved, when `moved` of all of them have, one after another."""
    left = moved
    for row in rows:
        own = min(left, row.size or 0)
        left -= own
        yield row.id, own


def matched(rows: Sequence[Transfer], items: Sequence[LibraryFile]) -> dict[str, LibraryFile]:
    """The answer's item of each row, by name; items of one name go to rows of that name in order."""
    left = list(items)
    found: dict[str, LibraryFile] = {}
    for row in rows:
        name = row.path.replace("\\", "/").rpartition("/")[2]
        item = next((item for item in left if item.file_name == name), None)
        if item is not None:
            left.remove(item)
            found[row.id] = item
    rest = [row for row in rows if row.id not in found]
    if len(rest) == len(left):  # a service may change names: then only the order tells
        found |= {row.id: item for row, item in zip(rest, left, strict=True)}
    return found
