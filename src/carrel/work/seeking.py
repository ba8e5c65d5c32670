"""Looks in the library for files whose answers were lost, before any of them is sent once more."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from carrel.model import LibraryFile, LibraryPage, ServiceError
from carrel.model.transfers import Transfer
from carrel.store.contents import Contents
from carrel.work.library import Library
from carrel.work.transfers import sentence

if TYPE_CHECKING:
    from carrel.work.uploads import Uploads

CLOCKS = 300.0
"""Seconds by which the service's clock may be behind ours."""


NOT_ASKED = "The library could not be asked, so nothing was sent again."

SEEKING = "Looking whether it arrived…"


class Seeking:
    """A file is a row's only where it came after the row began: one of that name may have been there before."""

    def __init__(self, uploads: Uploads, library: Library, contents: Contents) -> None:
        """Look for the rows of `uploads`."""
        self._uploads, self._library, self._contents = uploads, library, contents
        self._known: dict[str, int] = {}
        """How many files the catalog had numbered when a row was first sent."""
        self._sought: set[str] = set()

    def begins(self, rows: Iterable[Transfer]) -> None:
        """Rows are about to be sent; what is listed by now is none of them."""
        for row in rows:
            self._known.setdefault(row.id, len(self._library.catalog.ids))

    def forget(self, row_id: str) -> None:
        """The service had a file for this row, and another shall be sent."""
        self._known.pop(row_id, None)

    async def look_for(self, row_ids: Sequence[str]) -> tuple[list[str], list[str]]:
        """Follow those interrupted rows that have arrived; their ids, and those of the rows that may be sent again.

        The latter are none where the library cannot be asked, and all where the service lists nothing.
        """
        if not self._library.is_listed:
            return [], list(row_ids)
        rows = [row for i in row_ids if i not in self._sought and (row := self._uploads.row(i)) is not None]
        if not rows:
            return [], []
        try:
            found = await self._found(rows)
        except ServiceError as error:
            await self._uploads.settle(self._lost(rows), error=f"{NOT_ASKED} {sentence(error)}")
            return [], []
        lost = self._lost(rows)  # none was stopped since
        for row_id in (i for i in lost if i in found):
            told = {"file_id": found[row_id].id, "ended_at": time.time(), "error": ""}
            await self._uploads.settle([row_id], state="indexing", **told)
        return [i for i in lost if i in found], [i for i in lost if i not in found]

    def _lost(self, rows: Iterable[Transfer]) -> list[str]:
        now = (self._uploads.row(row.id) for row in rows)
        return [row.id for row in now if row is not None and row.state == "interrupted"]

    async def _found(self, rows: Sequence[Transfer]) -> dict[str, LibraryFile]:
        """As `found`; meanwhile the rows say that they are looked for."""
        ids = [row.id for row in rows]
        self._sought.update(ids)
        self._uploads.show(ids, error=SEEKING)
        try:
            return await self.found(rows)
        finally:
            self._sought.difference_update(ids)
            for row in rows:
                self._uploads.show([row.id], error=row.error)

    async def found(self, rows: Sequence[Transfer]) -> dict[str, LibraryFile]:
        """The files of those rows that have arrived; raises `ServiceError` where the library cannot be asked."""
        if len(rows) == 1:
            return self._match(rows, (await self._library.search(rows[0].name)).items)
        files, is_all = await self._newest(rows)
        found = self._match(rows, files)
        if not is_all:
            for row in (row for row in rows if row.id not in found):
                files += (await self._library.search(row.name)).items
            found = self._match(rows, files)
        return found

    async def _newest(self, rows: Sequence[Transfer]) -> tuple[list[LibraryFile], bool]:
        """The newest files, and whether theirs must be among them; in no more requests than a search for each."""
        since = min(row.created_at for row in rows) - CLOCKS
        files: list[LibraryFile] = []
        for number in range(1, len(rows) + 1):
            page, _ = await self._library.page(number)
            files += page.items
            if number >= page.total_pages or _reaches(page, since):
                return files, True
        return files, False

    def _match(self, rows: Iterable[Transfer], files: Iterable[LibraryFile]) -> dict[str, LibraryFile]:
        """No file is two rows'; of several of one name the newest counts."""
        rows = list(rows)
        sought = {row.id for row in rows}
        taken = {row.file_id for row in self._uploads.rows() if row.id not in sought}
        named: defaultdict[tuple[str, str], list[LibraryFile]] = defaultdict(list)
        for file in files:
            named[file.file_name, "/".join(file.folder_path)].append(file)
        found: dict[str, LibraryFile] = {}
        for row in rows:
            free = (file for file in named[row.name, row.folder] if file.id not in taken)
            if its := next((file for file in free if self._is_its(file, row)), None):
                found[row.id] = its
                taken.add(its.id)
        return found

    def _is_its(self, file: LibraryFile, row: Transfer) -> bool:
        number = self._library.catalog.find(file.id)
        if number is not None and number < self._known.get(row.id, 0):
            return False
        since = row.created_at - CLOCKS
        came = file.added is not None and file.added.timestamp() >= since
        return came and not self._contents.holds(file.id, before=row.created_at)


def _reaches(page: LibraryPage, since: float) -> bool:
    """Whether a page is in order, the newest first, and ends before that time."""
    times = [file.added.timestamp() for file in page.items if file.added]
    in_order = len(times) == len(page.items) and times == sorted(times, reverse=True)
    return in_order and bool(times) and times[-1] < since
