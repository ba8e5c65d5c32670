"""Follows uploaded files in the service's listing, in few requests, until they are ready."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from carrel.api import background
from carrel.model import ServiceError
from carrel.model.library import state_kind
from carrel.model.transfers import Transfer
from carrel.work.library import PAGE, Library
from carrel.work.looking import FLAT
from carrel.work.walking import walk

if TYPE_CHECKING:
    from carrel.work.uploads import Uploads

FIRST_LOOK, LAST_LOOK = 0.4, 5.0
"""Seconds between two looks at the listing, at first and at most."""

SLOWER = 1.4
PAGES = 3
"""Pages read at one look: more would leave a person no places in the request budget."""

SLOW = 120.0
"""Seconds after which indexing is called slow, never failed, and a state that nobody knows is taken for the last."""

TAKES_LONG = "Indexing takes long. The file is with the service and not lost."

LOST = 15.0
"""Seconds for which the service may count fewer files than were sent before all that it lists is read."""

NOT_INDEXED = "The service has the file, but could not index it."

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
        by_state: defaultdict[str, list[str]] = defaultdict(list)
        for row in pending:
            by_state[self._state(row.file_id)].append(row.id)
        for state, ids in by_state.items():
            await self._tell(state, ids)
        self._uploads.tell_ended()
        return sum(row.state == "indexing" for row in self._uploads.rows())

    async def _tell(self, state: str, ids: Sequence[str]) -> None:
        slow = [i for i in ids if self._is_slow(i)]
        match state_kind(state):
            case "ready":
                await self._note([i for i in ids if not self._goes_to_the_top(i)], "")
                await self._uploads.settle(ids, state="done")
            case "failed":
                await self._uploads.settle(ids, state="failed", error=NOT_INDEXED, note="")
            case "indexing":
                await self._note(slow, TAKES_LONG)
            case "other":  # nobody knows what it means; for a while another may follow
                await self._note(ids, f"The service says: {state}")
                await self._uploads.settle(slow, state="done")

    async def _note(self, ids: Sequence[str], words: str) -> None:
        rows = (row for i in ids if (row := self._uploads.row(i)) is not None)
        await self._uploads.settle([row.id for row in rows if row.note != words], note=words)

    def _goes_to_the_top(self, row_id: str) -> bool:
        """Whether its note is true for good."""
        row = self._uploads.row(row_id)
        return row is not None and row.note == FLAT

    def _is_slow(self, row_id: str) -> bool:
        row = self._uploads.row(row_id)
        return row is not None and time.time() - (row.ended_at or 0.0) > SLOW

    def _state(self, file_id: str) -> str:
        """What the listing says; where it says nothing yet, that the file is being indexed."""
        number = self._library.catalog.find(file_id)
        return (self._library.catalog.states[number] if number is not None else "") or "loading"
