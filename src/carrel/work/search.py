"""Search: ask for passages, remember what was asked, and tell which hits are files of the library."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from psygnal import Signal

from carrel.model import LibraryFile, LibraryQuery, SearchHit, SearchQuery
from carrel.store.searches import Place, Searches
from carrel.work.context import Context

__all__ = ["Found", "Place", "Search"]


@dataclass(frozen=True, slots=True)
class Found:
    """What a query came to; `took` is in seconds, `places` names the hits that are files of the library, by id."""

    query: SearchQuery
    hits: tuple[SearchHit, ...]
    places: dict[str, Place]
    took: float


class Search:
    """Searches of one account. `remembered` tells that the list of recent queries has changed."""

    remembered = Signal()

    def __init__(self, context: Context) -> None:
        """Ask the context's service, remember in its store."""
        self._context = context
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
        took = time.monotonic() - began
        return Found(query, hits, self._store.places(hit.id for hit in hits), took)

    async def forget(self, keyword: str | None = None) -> None:
        """Forget one recent query, or all."""
        await self._store.forget(keyword)
        self.remembered.emit()

    async def files(self, words: str) -> Sequence[LibraryFile]:
        """Files of the library whose name or folder holds `words`, the newest first; raises `ServiceError`."""
        query = LibraryQuery(page_size=100, search=words) if words else LibraryQuery(page_size=100)
        return (await self._context.service.library(query)).items
