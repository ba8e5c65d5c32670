"""Search: ask for passages, remember what was asked, and tell which hits are files of the library."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from psygnal import Signal

from carrel.model import LibraryFile, SearchHit, SearchQuery, ServiceError
from carrel.store.searches import Place, Searches
from carrel.work.context import Context
from carrel.work.library import Library

__all__ = ["Found", "Place", "Search"]

MOST_ASKED = 5
"""Titles that the library is asked for, one request each, when hits go into a chat."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a query came to; `took` is in seconds."""

    query: SearchQuery
    hits: tuple[SearchHit, ...]
    took: float


class Search:
    """Searches of one account. `remembered` tells that the list of recent queries has changed."""

    remembered = Signal()

    def __init__(self, context: Context, library: Library) -> None:
        """Ask the context's service, remember in its store, look hits up in the library's mirror."""
        self._context, self._library = context, library
        self._has_looked = False
        self._store = Searches(context.db, context.account_id)

    @property
    def has_options(self) -> bool:
        """Whether this account's interface takes more than the words."""
        return self._context.service.capabilities.search_options

    def recent(self) -> list[SearchQuery]:
        """The latest queries with their options, the latest first."""
        return self._store.recent()

    async def search(self, query: SearchQuery) -> Found:
        """Remember the query, then ask; raises `ServiceError`."""
        await self._store.remember(query, time.time())
        self.remembered.emit()
        began = time.monotonic()
        hits = tuple(await self._context.service.search(query))
        return Found(query, hits, time.monotonic() - began)

    def places(self, hits: Iterable[SearchHit]) -> dict[str, Place]:
        """Those of the hits that are files of the library, as far as the mirror knows; by id."""
        return self._store.places(hit.id for hit in hits)

    async def locate(self, hits: Sequence[SearchHit]) -> bool:
        """Read the newest page of the library once, where the mirror does not know a hit; True where it was read."""
        if self._has_looked or not self._library.is_listed or len(self.places(hits)) == len({h.id for h in hits}):
            return False
        self._has_looked = True
        try:
            await self._library.page(1)
        except ServiceError:
            return False  # the hits are shown without their folders
        return True

    async def resolve(self, hits: Sequence[SearchHit]) -> dict[str, Place]:
        """As `places`, after asking the library by name for those that the mirror does not know."""
        unknown = [
            hit for hit in hits if hit.id not in self.places(hits) and hit.type not in {"workflow", "conversation"}
        ]
        titles = list(dict.fromkeys(hit.title for hit in unknown if hit.title))
        for title in titles[:MOST_ASKED] if self._library.is_listed else ():
            try:
                await self._library.search(title)
            except ServiceError:
                break  # without the library only the passages go along, and that is said
        return self.places(hits)

    async def forget(self, keyword: str | None = None) -> None:
        """Forget one recent query, or all."""
        await self._store.forget(keyword)
        self.remembered.emit()

    async def files(self, words: str) -> Sequence[LibraryFile]:
        """Files of the library whose name or folder holds `words`, the newest first; raises `ServiceError`."""
        return (await self._library.search(words)).items if words else (await self._library.page(1))[0].items
