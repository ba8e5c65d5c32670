"""Follows uploaded files in the service's listing, in few requests, until they are ready."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from carrel.api import background
from carrel.model import LibraryFile, ServiceError
from carrel.model.library import state_kind
from carrel.model.transfers import Transfer
from carrel.work.library import PAGE, Library
from carrel.work.walking import walk

if TYPE_CHECKING:
    from carrel.work.uploads import Uploads

FIRST_LOOK, LAST_LOOK = 0.4, 5.0
"""Seconds between two looks at the listing, at first and at most."""

SLOWER = 1.4
PAGES = 3
"""Pages read at one look: more would leave a person no places in the request budget."""

CLOCKS = 300.0
"""Seconds by which the service's clock may be behind ours."""

SLOW = 120.0
"""Seconds after which indexing is called slow; it is never called failed for that."""

LOST = 15.0
"""Seconds for which the service may count fewer files than were sent before all that it lists is read."""

NOT_LISTED = "The service took it, but does not list it. Look in the library, then try again."


class Following:
    """Asks for pages of the listing, not for each file."""

    def __init__(self, uploads: Uploads, library: Library) -> None:
        """Watch the rows of `uploads` in `library`."""
        self._uploads, self._library = uploads, library
        self._missed_at: float | None = None
        self._patience = LOST

    async def run(self) -> None:
        """Until nothing is being indexed."""
        wait = FIRST_LOOK
        known = 0
        self._missed_at, self._patience = None, LOST
        while pending := [row for row in self._uploads.rows() if row.state == "indexing"]:
            wait = FIRST_LOOK if len(pending) > known else min(LAST_LOOK, wait * SLOWER)
            await asyncio.sleep(wait)
            try:
                with background():
                    for page in self._pages(pending):
                        await self._library.page(page)
                    await self._give_up_lost(pending)
            except ServiceError:
                wait = LAST_LOOK  # the library pane says why; the files lose nothing by it
            known = await self._settle(pending)

    async def arrived(self, row: Transfer) -> LibraryFile | None:
        """The file of a row whose answer was lost, if the service has it; None also where it cannot be asked."""
        try:
            page = await self._library.search(row.name)
        except ServiceError:
            return None
        since = row.created_at - CLOCKS
        for file in page.items:
            same = (file.file_name, "/".join(file.folder_path)) == (row.name, row.folder)
            if same and file.added and file.added.timestamp() >= since:
                return file
        return None

    def _pages(self, pending: Iterable[Transfer]) -> list[int]:
        """The first page, and some of those where files are that are still being indexed, oldest first."""
        places = self._library.catalog.places(row.file_id for row in pending)
        pages = {place // PAGE + 1 for place in places}
        return [1, *sorted(pages - {1}, reverse=True)[: PAGES - 1]]

    async def _give_up_lost(self, pending: Iterable[Transfer]) -> None:
        """Follow no further what the service took and, after a while, still lists nowhere; raises `ServiceError`."""
        if self._library.is_walking or not self._is_missing(pending):
            self._missed_at = None
            return
        self._missed_at = self._missed_at or time.monotonic()
        if time.monotonic() - self._missed_at > self._patience:
            self._missed_at, self._patience = None, 2 * self._patience
            await walk(self._library)
            gone = [row.id for row in self._unknown(pending)]
            await self._uploads.settle(gone, state="interrupted", error=NOT_LISTED)

    def _is_missing(self, pending: Iterable[Transfer]) -> bool:
        """Whether the service lists fewer files than are known, or all that it lists are, without one of these."""
        more = len(self._library.catalog) - self._library.total
        return more > 0 or (more == 0 and bool(self._unknown(pending)))

    def _unknown(self, pending: Iterable[Transfer]) -> list[Transfer]:
        return [row for row in pending if self._library.catalog.find(row.file_id) is None]

    async def _settle(self, pending: Iterable[Transfer]) -> int:
        """Give rows the state that the listing tells; how many are still being indexed."""
        ready, failed, slow, still = [], [], [], 0
        for row in pending:
            kind = self._kind(row.file_id)
            if kind == "ready":
                ready.append(row.id)
            elif kind == "failed":
                failed.append(row.id)
            else:
                still += 1
                if not row.note and time.time() - (row.ended_at or 0.0) > SLOW:
                    slow.append(row.id)
        await self._uploads.settle(ready, state="done")
        await self._uploads.settle(failed, state="failed", error="The service has the file, but could not index it.")
        await self._uploads.settle(slow, note="Indexing takes long. The file is with the service and not lost.")
        return still

    def _kind(self, file_id: str) -> str:
        number = self._library.catalog.find(file_id)
        return "indexing" if number is None else state_kind(self._library.catalog.states[number])
