"""Sets aside uploads that need not be sent, while they wait and as their turn comes, and lets them go after all."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.model.transfers import UNDER_WAY, Transfer
from carrel.store.contents import Content, Contents
from carrel.work.context import Context
from carrel.work.copies import CANCELLED, Copies, Copy, cancelled, queued, uploaded
from carrel.work.library import Library
from carrel.work.looking import digest

if TYPE_CHECKING:
    from carrel.work.uploads import Uploads

ARRIVED = frozenset({"indexing", "done"})


class Duplicates:
    """A copy of a row that is still to go waits for what becomes of that one: the content must not be lost with it."""

    def __init__(self, uploads: Uploads, library: Library, context: Context, contents: Contents) -> None:
        """Of the rows of `uploads`."""
        self._uploads, self._tasks, self._contents = uploads, context.tasks, contents
        self._copies = Copies(contents, library, uploads.row)
        self._uncompared: deque[str] = deque()
        self._unhashed: deque[Transfer] = deque()
        self._wanted: set[str] = set()
        self._set_aside_for: defaultdict[str, set[str]] = defaultdict(set)
        """The copies of each row that is still to go."""
        uploads.changed.connect(self._look)
        uploads.removed.connect(self._look_at_all)

    def recover(self, rows: Sequence[Transfer]) -> None:
        """Know the rows of an earlier session; what was set aside for one that did not go is looked at again."""
        self._copies.note(rows)
        arrived = {row.size for row in rows if row.state in ARRIVED}
        unsure = [row for row in rows if row.state == "duplicate" and not row.file_id and row.ended_at is None]
        self._let_go([row.id for row in unsure if row.size not in arrived and not self._is_cancelled(row.id)])

    def compare(self, rows: Sequence[Transfer]) -> None:
        """Look at rows while they wait: a person should not learn it only when their turn comes."""
        self._copies.note(rows)
        self._look_again(row.id for row in rows)

    def want(self, row_ids: Iterable[str]) -> None:
        """These go all the same."""
        self._wanted.update(row_ids)

    async def without(self, batch: Sequence[Transfer]) -> list[Transfer]:
        """Set aside the rows whose content the service has or will have; the others."""
        rows = []
        for row in batch:
            copy = await self._of(row)
            if copy is None:
                rows.append(row)
            else:
                await self._settle(row.id, copy)
        return rows

    def remember(self, rows: Iterable[Transfer]) -> None:
        """Hash what arrived, for the day when the same content is dropped again."""
        self._unhashed.extend(row for row in rows if row.is_kept)
        if not self._tasks.running("up:hash"):
            self._tasks.start("up:hash", self._hash())

    def _look_again(self, row_ids: Iterable[str]) -> None:
        self._uncompared.extend(row_ids)
        if not self._tasks.running("up:compare"):
            self._tasks.start("up:compare", self._compare())

    async def _compare(self) -> None:
        while self._uncompared:
            row = self._uploads.row(self._uncompared.popleft())
            copy = await self._of(row) if row is not None and row.state == "waiting" else None
            if row is not None and copy is not None and self._is_in(row.id, {"waiting"}):
                await self._settle(row.id, copy)
            await asyncio.sleep(0)
        self._uploads.follow()

    async def _of(self, row: Transfer) -> Copy | None:
        return None if row.id in self._wanted else await self._copies.of(row)

    async def _settle(self, row_id: str, copy: Copy) -> None:
        values = {"error": copy.words, "file_id": copy.file_id, "ended_at": copy.uploaded_at}
        await self._uploads.settle([row_id], state="duplicate", **values)
        if copy.original:
            self._set_aside_for[copy.original].add(row_id)
            self._look(copy.original)  # it may have ended meanwhile

    def _look_at_all(self, row_ids: Iterable[str]) -> None:
        for row_id in row_ids:
            self._look(row_id)

    def _look(self, row_id: str) -> None:
        """What became of a row concerns its copies; one that a person cancelled has none sent in its place."""
        if row_id not in self._set_aside_for:
            return
        ids = sorted(i for i in self._set_aside_for[row_id] if self._is_in(i, {"duplicate"}))
        row = self._uploads.row(row_id)
        if row is not None and row.state in UNDER_WAY | {"indexing", "cancelled"}:
            self._say(ids, cancelled(row.name) if row.state == "cancelled" else queued(row.name))
            return
        del self._set_aside_for[row_id]
        if row is not None and row.state == "done":
            self._say(ids, uploaded(row.name), file_id=row.file_id, ended_at=row.ended_at or time.time())
        else:
            self._let_go(ids if row is not None else [i for i in ids if not self._is_cancelled(i)])

    def _say(self, row_ids: Sequence[str], words: str, **values: object) -> None:
        changed = [i for i in row_ids if (row := self._uploads.row(i)) is not None and row.error != words]
        if changed:
            self._uploads.show(changed, error=words, **values)
            self._tasks.start_beside("up:copies", self._uploads.settle(changed))

    def _is_cancelled(self, row_id: str) -> bool:
        row = self._uploads.row(row_id)
        return row is not None and row.error.endswith(CANCELLED)

    def _let_go(self, row_ids: Sequence[str]) -> None:
        if row_ids and not self._tasks.is_closing:
            self._tasks.start_beside("up:copies", self._uploads.let_go(row_ids))
            self._look_again(row_ids)

    async def _hash(self) -> None:
        while self._unhashed:
            row = self._unhashed.popleft()
            try:
                found = await asyncio.to_thread(digest, Path(row.path))
            except OSError:
                continue  # it is gone since: nothing to compare with
            await self._contents.put(Content(found, row.size or 0, row.name, row.file_id, time.time()))

    def _is_in(self, row_id: str, states: Iterable[str]) -> bool:
        row = self._uploads.row(row_id)
        return row is not None and row.state in states
