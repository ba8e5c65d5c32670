"""Uploads: files are looked at, written down as rows, sent in few requests, and followed until they are ready."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from psygnal import Signal

from carrel.model import InvalidRequest, LibraryFile, RateLimited, ServiceError, SignInNeeded
from carrel.model.transfers import UNDER_WAY, Batch, Direction, Transfer, TransferState
from carrel.store.contents import Contents
from carrel.work.batches import divided, fitting, matched, next_batch
from carrel.work.context import Context
from carrel.work.duplicates import Duplicates
from carrel.work.following import TAKES_LONG, Following
from carrel.work.library import Library
from carrel.work.looking import FLAT, LeftOut, Looked, look, size_of
from carrel.work.seeking import Seeking
from carrel.work.transfers import Transfers, Work, sentence

LOOK_AT = 250
"""Files that are looked at before their rows are shown."""

WAIT, MOST_WAIT = 5.0, 60.0
"""Seconds until a held queue tries again by itself, the first time and at most."""

UNSURE = "Perhaps not sent. Look in the library first."
"""Stands before the reason, so that it is read also where there is little room."""

UNNAMED = "The service's answer does not name this file. Look in the library first."


class Uploads(Transfers):
    """The queue. `looked` tells once what was left out of a drop, `ended` how all that was asked for has ended."""

    looked = Signal(LeftOut)
    ended = Signal(Batch)

    direction: ClassVar[Direction] = "up"
    interrupted: ClassVar[str] = f"{UNSURE} The account was left, or Carrel ended, while the file was being sent."
    cut_late: ClassVar[str] = f"{UNSURE} It was cancelled when all of its request had left."

    def __init__(self, context: Context, library: Library) -> None:
        """Files that arrive are shown in `library` at once."""
        super().__init__(context)
        self._library = library
        contents = Contents(context.db, context.account_id)
        self._following = Following(self, library)
        self._seeking = Seeking(self, library, contents)
        self._duplicates = Duplicates(self, library, context, contents)
        self._alone: set[str] = set()
        self._all_sent: set[str] = set()
        self._wait = WAIT
        self._in_batch: set[str] = set()

    async def recover(self) -> None:
        """As every queue; what the service was still indexing is followed further."""
        await super().recover()
        self._in_batch |= {row.id for row in self.rows() if row.state in UNDER_WAY | {"indexing"}}
        self._duplicates.recover(self.rows())
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
            await self._add(rows)
            self._duplicates.compare(rows)
            count += len(rows)
        self.follow()
        self.looked.emit(left_out)
        return count

    async def pause(self, *ids: str) -> None:
        """As every queue, except that a request which is sent whole is left to its answer."""
        await super().pause(*(i for i in ids if i not in self._all_sent))

    async def cancel(self, *ids: str) -> None:
        """Stop for good; what is sent whole, with all that shares its request, has perhaps arrived."""
        requests = {self._tasks[i] for i in ids if i in self._all_sent and i in self._tasks}
        late = {i for i, task in self._tasks.items() if task in requests}
        states: dict[str, TransferState] = {i: "interrupted" for i in late if self._is_in(i, {"moving"})}
        stopped = (i for i in ids if i not in late and self._is_in(i, UNDER_WAY | {"interrupted"}))
        await self._stop(states | dict.fromkeys(stopped, "cancelled"))
        self.follow()

    async def retry(self, *ids: str) -> None:
        """As every queue. A copy is sent all the same; what was interrupted only where it has not arrived."""
        self._duplicates.want(i for i in ids if self._is_in(i, {"duplicate"}))
        lost = [i for i in ids if self._is_in(i, {"interrupted"})]
        await self._again_now([i for i in ids if i not in lost])
        arrived, missing = await self._seeking.look_for(lost)
        self._in_batch.update(arrived)
        self.follow()
        await self._again_now(missing)

    async def _again_now(self, ids: Sequence[str]) -> None:
        self._in_batch |= set(ids)
        await super().retry(*ids)

    async def let_go(self, ids: Sequence[str]) -> None:
        """Put copies back in line: what they were set aside for did not go."""
        self._in_batch.update(ids)
        await self._queue([i for i in ids if self._is_in(i, {"duplicate"})])

    def follow(self) -> None:
        """Watch until the service has indexed what was sent; said by itself once all is over."""
        if not self._context.tasks.running("up:follow"):
            self._context.tasks.start("up:follow", self._follow())

    async def settle(self, row_ids: Sequence[str], **values: object) -> None:
        """Change rows and write them: for whoever follows what became of them."""
        await self._settle(row_ids, **values)

    def show(self, row_ids: Iterable[str], **values: object) -> None:
        """Change rows for the eye alone: nothing is written."""
        for row_id in row_ids:
            if row_id in self._rows:
                self._change(row_id, **values)

    def tell_ended(self) -> None:
        """Tell once how all that was asked for has ended; what takes long to be indexed is told when it is."""
        rows = [self._rows[i] for i in self._in_batch if i in self._rows]
        if any(row.state in UNDER_WAY or (row.state == "indexing" and row.note != TAKES_LONG) for row in rows):
            return
        self._in_batch = {row.id for row in rows if row.state == "indexing"}
        if batch := Batch.of(rows):
            self.ended.emit(batch)

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
        rows = await self._measured(await self._duplicates.without(batch))
        if not rows:
            self.follow()
            return
        self._seeking.begins(rows)

        def told(moved: int, total: int | None) -> None:
            for row_id, own in divided(rows, moved):
                if own != self._rows[row_id].moved:
                    self._moved(row_id, own)
            if total is not None and moved >= total:
                self._all_sent.update(row.id for row in rows)
            else:
                self._all_sent.difference_update(row.id for row in rows)

        try:
            items = await self._context.service.upload([Path(row.path) for row in rows], rows[0].folder, told)
        except ServiceError as error:
            await self._refused(rows, error)
        else:
            await self._arrived(rows, matched(rows, items))
        finally:
            self._all_sent.difference_update(row.id for row in rows)

    async def _measured(self, batch: Sequence[Transfer]) -> list[Transfer]:
        """Rows with the sizes of now; those that share the request no longer wait again."""
        if not batch:
            return []
        sizes = await asyncio.to_thread(lambda: [size_of(Path(row.path)) for row in batch])
        for row, size in zip(batch, sizes, strict=True):
            if size is not None and size != row.size:
                self._change(row.id, size=size)
        rows = [self._rows[row.id] for row in batch]
        kept = {row.id for row in fitting(rows)}
        await self._settle([row.id for row in rows if row.id not in kept], state="waiting")
        for row in rows:
            if row.id in kept and row.file_id:
                self._seeking.forget(row.id)
                self._change(row.id, file_id="")
        return [self._rows[row.id] for row in rows if row.id in kept]

    async def _arrived(self, rows: Sequence[Transfer], items: dict[str, LibraryFile]) -> None:
        """Rows change before anything is written: a disk that refuses must not have them sent again."""
        self._wait = WAIT
        for row in rows:
            self._change(row.id, ended_at=time.time(), **self._answered(row, items.get(row.id)))
        followed = [self._rows[row.id] for row in rows if self._rows[row.id].file_id]
        self._duplicates.remember(followed)
        self.follow()
        await self._library.keep([_listed(items[row.id], row) for row in followed])
        await self._write([row.id for row in rows], durable=True)

    def _answered(self, row: Transfer, item: LibraryFile | None) -> dict[str, Any]:
        """What a row becomes by what an answer says of it."""
        if item is None and self._library.is_listed:
            return {"state": "interrupted", "error": UNNAMED}
        note = FLAT if row.note.startswith(FLAT) else ""
        file_id = item.id if item else ""
        return {"state": "indexing" if file_id else "done", "file_id": file_id, "note": note, "moved": row.size or 0}

    async def _refused(self, rows: Sequence[Transfer], error: ServiceError) -> None:
        ids = [row.id for row in rows]
        if isinstance(error, InvalidRequest) and error.sent == "no" and len(rows) > 1:
            self._alone.update(ids)
            await self._settle(ids, state="waiting", moved=0)
        elif _concerns_all(error):
            await self._wait_for_better(ids, error)
        elif error.sent != "no":
            why = sentence(error, remedy=error.sent == "yes")  # else it is what UNSURE says
            await self._settle(ids, state="interrupted", error=f"{UNSURE} {why}", ended_at=time.time())
        else:
            await self._settle(ids, state="failed", error=sentence(error), ended_at=time.time())
        self.follow()

    async def _wait_for_better(self, ids: Sequence[str], error: ServiceError) -> None:
        """Hold all, and try again after a while; held first, so that none of them starts while this is written."""
        if isinstance(error, SignInNeeded):
            self.hold(sentence(error))
        else:
            self._hold_for(error.retry_after or self._wait, sentence(error))
            self._wait = min(MOST_WAIT, 2 * self._wait)
        await self._settle(ids, state="waiting", moved=0)

    async def _follow(self) -> None:
        await self._following.run()
        self.tell_ended()


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
