"""Uploads: files are looked at, written down as rows, sent in few requests, and followed until they are ready."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import ClassVar

from psygnal import Signal

from carrel.model import InvalidRequest, LibraryFile, RateLimited, ServiceError, SignInNeeded
from carrel.model.transfers import UNDER_WAY, Batch, Direction, Transfer
from carrel.store.contents import Content, Contents
from carrel.work.batches import divided, matched, next_batch
from carrel.work.context import Context
from carrel.work.copies import Copies, Copy
from carrel.work.following import Following
from carrel.work.library import Library
from carrel.work.looking import LeftOut, Looked, digest, look
from carrel.work.transfers import Transfers, Work, sentence

LOOK_AT = 250
"""Files that are looked at before their rows are shown."""

WAIT, MOST_WAIT = 5.0, 60.0
"""Seconds until a held queue tries again by itself, the first time and at most."""

UNSURE = "Perhaps not sent. Look in the library first."
"""Stands before the reason, so that it is read also where there is little room."""


class Uploads(Transfers):
    """The queue. `looked` tells once what was left out of a drop, `ended` how all that was asked for has ended."""

    looked = Signal(LeftOut)
    ended = Signal(Batch)

    direction: ClassVar[Direction] = "up"
    interrupted: ClassVar[str] = f"{UNSURE} Carrel ended while the file was being sent."

    def __init__(self, context: Context, library: Library) -> None:
        """Files that arrive are shown in `library` at once."""
        super().__init__(context)
        self._library = library
        self._contents = Contents(context.db, context.account_id)
        self._following = Following(self, library)
        self._copies = Copies(self._contents, library, self.row)
        self._uncompared: deque[str] = deque()
        self._alone: set[str] = set()
        self._wanted_twice: set[str] = set()
        self._all_sent: set[str] = set()
        self._unhashed: deque[Transfer] = deque()
        self._wait = WAIT
        self._in_batch: set[str] = set()

    async def recover(self) -> None:
        """As every queue; what the service was still indexing is followed further."""
        await super().recover()
        self._copies.note(self.rows())
        self.follow()

    async def add(self, paths: Sequence[Path], folder: str = "", origin: str = "") -> int:
        """Queue files and folders for a folder of the library (slash-separated); how many rows that made.

        Each is looked at first: what the service would refuse gets a row with the reason, and is never sent.
        """
        left_out = LeftOut()
        keeps_folders = self._context.service.capabilities.folders
        files = look(paths, folder.strip("/"), left_out, keeps_folders=keeps_folders)
        count = 0
        while found := await asyncio.to_thread(_some, files):
            rows = [self._row(file, origin) for file in found]
            self._in_batch |= {row.id for row in rows}
            self._copies.note(rows)
            await self._add(rows)
            self._compare(rows)
            count += len(rows)
        self.follow()
        self.looked.emit(left_out)
        return count

    async def pause(self, *ids: str) -> None:
        """As every queue, except that a request which is sent whole is left to its answer."""
        await super().pause(*(i for i in ids if i not in self._all_sent))

    async def cancel(self, *ids: str) -> None:
        """As `pause`, for good."""
        await super().cancel(*(i for i in ids if i not in self._all_sent))
        self.follow()

    async def retry(self, *ids: str) -> None:
        """As every queue. A copy is sent all the same; what was interrupted only where it has not arrived."""
        self._wanted_twice |= {i for i in ids if self._is_in(i, {"duplicate"})}
        before = {i: row.state for i in ids if (row := self.row(i))}
        arrived = [i for i in ids if self._is_in(i, {"interrupted"}) and await self._has_arrived(i)]
        self._in_batch |= set(arrived)
        self.follow()
        again = [i for i in ids if i not in arrived and self._is_in(i, {before.get(i, "")})]  # none was stopped since
        await super().retry(*again)
        self._in_batch |= set(again)

    def follow(self) -> None:
        """Watch until the service has indexed what was sent; said by itself once all is over."""
        if not self._context.tasks.running("up:follow"):
            self._context.tasks.start("up:follow", self._follow())

    async def settle(self, row_ids: Sequence[str], **values: object) -> None:
        """Change rows and write them: for whoever follows what became of them."""
        await self._settle(row_ids, **values)

    async def _has_arrived(self, row_id: str) -> bool:
        """Look for the file in the library; where it is there, the row is followed as if the answer had come."""
        file = await self._following.arrived(self._rows[row_id])
        if file is not None and self._is_in(row_id, {"interrupted"}):
            await self._settle([row_id], state="indexing", error="", file_id=file.id, ended_at=time.time())
        return file is not None

    def _row(self, file: Looked, origin: str) -> Transfer:
        state = "refused" if file.refused else "waiting"
        return self._new(
            file.path.name, str(file.path), state=state, folder=file.folder, size=file.size, error=file.refused,
            note=file.warning, origin=origin,
        )  # fmt: skip

    def _next(self) -> tuple[list[Transfer], Work] | None:
        batch = next_batch(self._waiting(), self._alone)
        return (batch, partial(self._send, batch)) if batch else None

    async def _send(self, batch: Sequence[Transfer]) -> None:
        rows = await self._without_copies(batch)
        if not rows:
            self.follow()
            return
        size = sum(row.size or 0 for row in rows)

        def told(moved: int, _: int | None) -> None:
            for row_id, own in divided(rows, moved):
                if own != self._rows[row_id].moved:
                    self._moved(row_id, own)
            if moved >= size:
                self._all_sent.update(row.id for row in rows)

        try:
            items = await self._context.service.upload([Path(row.path) for row in rows], rows[0].folder, told)
        except ServiceError as error:
            await self._refused(rows, error)
        else:
            await self._arrived(rows, matched(rows, items))
        finally:
            self._all_sent.difference_update(row.id for row in rows)

    def _compare(self, rows: Sequence[Transfer]) -> None:
        """Set aside what need not be sent while it waits: a person should not learn it only when its turn comes."""
        self._uncompared.extend(row.id for row in rows)
        if not self._context.tasks.running("up:compare"):
            self._context.tasks.start("up:compare", self._set_aside())

    async def _set_aside(self) -> None:
        while self._uncompared:
            row = self._rows.get(self._uncompared.popleft())
            copy = await self._copy_of(row) if row is not None and row.state == "waiting" else None
            if row is not None and copy is not None and self._is_in(row.id, {"waiting"}):
                await self._settle_copy(row.id, copy)
            await asyncio.sleep(0)
        self.follow()

    async def _without_copies(self, batch: Sequence[Transfer]) -> list[Transfer]:
        """Set aside the rows whose content the service has or will have; the others."""
        rows = []
        for row in batch:
            copy = await self._copy_of(row)
            if copy is None:
                rows.append(row)
            else:
                await self._settle_copy(row.id, copy)
        return rows

    async def _copy_of(self, row: Transfer) -> Copy | None:
        return None if row.id in self._wanted_twice else await self._copies.of(row)

    async def _settle_copy(self, row_id: str, copy: Copy) -> None:
        values = {"error": copy.words, "file_id": copy.file_id, "ended_at": copy.uploaded_at}
        await self._settle([row_id], state="duplicate", **values)

    async def _arrived(self, rows: Sequence[Transfer], items: dict[str, LibraryFile]) -> None:
        self._wait = WAIT
        followed = [row for row in rows if row.id in items and items[row.id].id]
        await self._library.keep([_listed(items[row.id], row) for row in followed])
        for row in rows:
            item = items.get(row.id)
            state = "indexing" if row in followed else "done"
            values = {"file_id": item.id if item else "", "note": "", "ended_at": time.time()}
            await self._settle([row.id], state=state, moved=row.size, **values)
        self._unhashed.extend(self._rows[row.id] for row in followed if row.is_kept)
        if not self._context.tasks.running("up:hash"):
            self._context.tasks.start("up:hash", self._remember())
        self.follow()

    async def _refused(self, rows: Sequence[Transfer], error: ServiceError) -> None:
        ids = [row.id for row in rows]
        if isinstance(error, InvalidRequest) and len(rows) > 1:
            self._alone.update(ids)
            await self._settle(ids, state="waiting", moved=0)
        elif _concerns_all(error):
            await self._wait_for_better(ids, error)
        elif error.status is None and error.sent != "no":
            await self._settle(
                ids, state="interrupted", error=f"{UNSURE} {sentence(error, remedy=False)}", ended_at=time.time()
            )
        else:
            await self._settle(ids, state="failed", error=sentence(error), ended_at=time.time())
        self.follow()

    async def _wait_for_better(self, ids: Sequence[str], error: ServiceError) -> None:
        """Hold all, and try again after a while; held first, so that none of them starts while this is written."""
        self.hold(sentence(error))
        if not isinstance(error, SignInNeeded):
            self._context.tasks.start("up:again", self._again(error.retry_after or self._wait))
            self._wait = min(MOST_WAIT, 2 * self._wait)
        await self._settle(ids, state="waiting", moved=0)

    async def _again(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self.go_on()

    async def _remember(self) -> None:
        """Hash what arrived, one after another, for the day when the same content is dropped again."""
        while self._unhashed:
            row = self._unhashed.popleft()
            try:
                found = await asyncio.to_thread(digest, Path(row.path))
            except OSError:
                continue  # it is gone since: nothing to compare with
            await self._contents.put(Content(found, row.size or 0, row.name, row.file_id, time.time()))

    async def _follow(self) -> None:
        await self._following.run()
        rows = [self._rows[i] for i in self._in_batch if i in self._rows]
        if any(row.state in UNDER_WAY | {"indexing"} for row in rows):
            return
        self._in_batch.clear()
        if batch := Batch.of(rows):
            self.ended.emit(batch)


def _concerns_all(error: ServiceError) -> bool:
    """Whether nothing was taken, and the next file would fare the same."""
    return isinstance(error, SignInNeeded | RateLimited) or (
        error.sent == "no" and not isinstance(error, InvalidRequest)
    )


def _some(files: Iterator[Looked]) -> list[Looked]:
    return list(islice(files, LOOK_AT))


def _listed(item: LibraryFile, row: Transfer) -> LibraryFile:
    """An upload's answer as the listing will show it: the answer has neither folder nor date."""
    folder = tuple(part for part in row.folder.split("/") if part)
    created_at = datetime.now(UTC).replace(tzinfo=None).isoformat()
    return item.model_copy(
        update={"folder_path": item.folder_path or folder, "created_at": item.created_at or created_at}
    )
