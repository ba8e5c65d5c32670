"""Library files whose name holds a word that is being typed: looked for in slices, so that typing goes on."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from carrel.work.catalog import Catalog

SLICE = 4000
"""Names that are looked at before others get their turn: about a millisecond."""


class Mention(NamedTuple):
    """A file that was found. What begins with the word goes first, then the newest."""

    begins: bool
    added: float
    id: str
    name: str
    folder: str


async def files_named(catalog: Catalog, word: str, most: int = 8) -> Sequence[Mention]:
    """The best `most` files; with an empty word the newest."""
    best: list[Mention] = []
    folded = word.casefold()
    for begin in range(0, len(catalog.ids), SLICE):
        best = heapq.nlargest(most, [*best, *_found(catalog, folded, slice(begin, begin + SLICE))])
        await asyncio.sleep(0)
    return best


def _found(catalog: Catalog, word: str, part: slice) -> Iterator[Mention]:
    columns = (catalog.names[part], catalog.added[part], catalog.ids[part], catalog.folders[part])
    for number, (name, added, file_id, folder) in enumerate(zip(*columns, strict=True), part.start):
        at = name.casefold().find(word)
        if at >= 0 and catalog.find(file_id) == number:  # what is gone keeps its number
            yield Mention(at == 0, added, file_id, name, folder)
