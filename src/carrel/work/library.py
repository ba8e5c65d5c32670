"""The library: what the service has listed, mirrored here, so that a person can look at it at once and offline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from psygnal import Signal

from carrel.api import background
from carrel.model import LibraryFile, LibraryPage, LibraryQuery, NotSupported, ServiceError
from carrel.model.library import FILE_KINDS
from carrel.store.library import LibraryRows, entry_of
from carrel.work.addresses import present
from carrel.work.catalog import Catalog, Counts, View
from carrel.work.context import Context
from carrel.work.walking import walk

PAGE = 100
"""Files that one request lists: the most that the service gives."""

FIRST = 200
"""Files that are shown before the rest of the mirror is read."""

BREATH = 0.1
"""Seconds in which these are painted, before the rest takes its share of the loop."""

SORT_FIELDS = {"name": "file_name", "folder": "folder_path", "state": "state", "provider": "provider"}
"""Our columns under the service's field names; a kind is nothing that the service can sort by."""


class Library:
    """The files of one account.

    `changed` tells that the catalog is another, `told` that `error` or `is_new` is, or that a walk has ended.
    """

    changed = Signal()
    told = Signal()

    def __init__(self, context: Context) -> None:
        """Nothing is read yet."""
        self._context = context
        self.store = LibraryRows(context.db, context.account_id)
        self.catalog = Catalog()
        self.error: ServiceError | None = None
        self.is_new = True
        """Whether neither the mirror nor the service has said yet what there is."""
        self.total = 0
        """Files that the service counted when it was last asked for all."""
        self.providers: Mapping[str, int] = {}
        """The same by source."""
        self.is_walking = False
        """Whether the service is being read through."""
        self.is_indexing = False
        """Whether one of the newest files is not ready yet."""
        self._opened = False

    @property
    def is_listed(self) -> bool:
        """Whether the account's interface can list its files at all."""
        return self._context.service.capabilities.library

    async def open(self) -> None:
        """Read the mirror, the newest files first, then walk through what the service lists."""
        if not self._opened:
            self._opened = True
            await self._read_mirror()
        await self.walk()

    async def walk(self) -> None:
        """Bring the mirror up to date, newest first, at low priority."""
        if not self.is_listed:
            self._tell(NotSupported("The earlier interface cannot list the library; uploads work all the same."))
            return
        self.is_walking = True
        try:
            with background():
                await walk(self)
        except ServiceError as error:
            self._tell(error)
        finally:
            self.is_walking = False
            self.told.emit()

    async def refresh(self) -> None:
        """Ask for the newest page; where files went missing, walk once more."""
        if not self.is_listed:
            return
        try:
            with background():
                await self.page(1)
        except ServiceError as error:
            self._tell(error)
            return
        if self.total < len(self.catalog):
            await self.walk()

    async def look(self, view: View) -> None:
        """Ask the service itself for what a person looks at, and take what it says into the mirror."""
        if not self.is_listed:
            return
        try:
            page = await self._context.service.library(_query(view))
        except ServiceError as error:
            self._tell(error)
        else:
            await self.keep(page.items)
            self._tell(None)

    async def search(self, name: str) -> LibraryPage:
        """The files that the service finds by name or folder, newest first; raises `ServiceError`."""
        query = LibraryQuery(page_size=PAGE, search=name, sort_by="created_at", sort_order="desc")
        page = await self._context.service.library(query)
        await self.keep(page.items)
        return page

    async def page(self, number: int) -> tuple[LibraryPage, int]:
        """Read one page of the listing, newest first, and how many of its files were new or changed.

        Raises `ServiceError`.
        """
        query = LibraryQuery(page=number, page_size=PAGE, sort_by="created_at", sort_order="desc")
        page = await self._context.service.library(query)
        self.total, self.providers = page.total_items, page.providers
        if number == 1:
            self.is_indexing = any(file.state_kind == "indexing" for file in page.items)
        changed = await self.keep(page.items)
        self._tell(None)
        return page, changed

    async def keep(self, files: Sequence[LibraryFile]) -> int:
        """Write files to the mirror and show those that are new or changed; how many these are."""
        await self.store.put(files, time.time())
        changed = self.catalog.put(entry_of(file) for file in files)
        if changed:
            self.changed.emit()
        return changed

    def forget(self, file_ids: Iterable[str]) -> None:
        """Take files out that the service lists no more; their rows in the store are gone already."""
        self.catalog.remove(file_ids)
        self.changed.emit()

    def counts(self) -> Counts:
        """How many files there are; of a source as many as the service counts, even where not all are listed yet."""
        own = self.catalog.counts()
        told = {provider: count for provider, count in self.providers.items() if count}
        sources = {p: max(told.get(p, 0), own.sources.get(p, 0)) for p in own.sources.keys() | told.keys()}
        return replace(own, sources=sources)

    def file(self, file_id: str) -> LibraryFile | None:
        """All that the service has said of one file; None where it is not in the mirror."""
        return self.store.file(file_id)

    def link(self, file: LibraryFile) -> str:
        """The whole address of a file's content; empty where the service gave none."""
        return present(file.download_link, self._context) if file.download_link else ""

    async def _read_mirror(self) -> None:
        self.catalog.put(self.store.newest(FIRST))
        if len(self.catalog):
            self._tell(None)
            self.changed.emit()
        if len(self.catalog) < FIRST:
            return
        await asyncio.sleep(BREATH)
        for chunk in self.store.chunks():
            self.catalog.put(chunk)
            await asyncio.sleep(0)
        self.changed.emit()

    def _tell(self, error: ServiceError | None) -> None:
        """What the last request said: trouble, or None."""
        if error is self.error and not self.is_new:
            return
        self.error, self.is_new = error, False
        self.told.emit()


def _query(view: View) -> LibraryQuery:
    """A view as the service's own parameters (document: GET /external/libraries)."""
    types = ",".join(e for kind in sorted(view.kinds) for e in FILE_KINDS.get(kind, (kind.lower(),)))
    return LibraryQuery(
        page_size=PAGE,
        search=view.text.strip() or None,
        provider=view.provider or None,
        folder_paths=view.folder or None,
        file_types=types or None,
        sort_by=SORT_FIELDS.get(view.sort_by, "created_at"),
        sort_order="desc" if view.descending else "asc",
    )
