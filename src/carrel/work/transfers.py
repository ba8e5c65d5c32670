"""A queue of transfers in one direction: which of its rows move, how many at once, and how fast."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from psygnal import Signal

from carrel.model import ServiceError
from carrel.model.transfers import TRY_AGAIN, UNDER_WAY, Transfer, TransferState
from carrel.store.db import StoreError
from carrel.work.context import Context
from carrel.work.pace import Pace
from carrel.work.rows import Rows

AT_ONCE = 3
"""Transfers of one direction that move at the same time (design: three requests at once)."""

DISK_WAIT = 15.0
"""Seconds until a queue that the disk held up goes on by itself."""

SAVE_EVERY = 1.0
"""Seconds between two writes of how far a row has moved: only the eye needs it sooner."""

Work = Callable[[], Coroutine[Any, Any, None]]
"""What moves some rows."""


class Transfers(Rows):
    """Rows of which some move.

    A subclass says what moving a row means in `_next`. A row that moves has a task; its task may have more to settle
    when it moves no longer, and until it has ended the row does not start again.
    """

    held_changed = Signal()

    keeps_part: ClassVar[bool] = False
    """Whether a transfer goes on where it stopped; else it begins at the first byte."""
    interrupted: ClassVar[str]
    """What a row says that had begun when Carrel ended."""
    cut_late: ClassVar[str] = ""
    """What a row says that was stopped when all of it had left."""

    def __init__(self, context: Context) -> None:
        """Know nothing until `recover`."""
        super().__init__(context)
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._stopping: dict[str, TransferState] = {}
        """What rows become once their request has ended."""
        self._saved_at: dict[str, float] = {}
        self._pace = Pace()
        self.held = ""
        """Why nothing new starts, in a sentence; empty while the queue runs."""

    async def recover(self) -> None:
        """Read what an earlier session left: what had begun is interrupted, what waited goes on."""
        begun = []
        for row in self._store.read(self.direction):
            self._rows[row.id] = row
            self._last_position = row.position
            if row.state == "moving":
                begun.append(self._change(row.id, state="interrupted", error=self.interrupted))
        if begun:
            await self._store.put(begun, durable=True)
        self._start_waiting()

    @property
    def rate(self) -> float:
        """Bytes a second over the last few seconds, of all rows together."""
        return self._pace.rate()

    async def pause(self, *ids: str) -> None:
        """Stop for now; what moved of a download stays."""
        await self._stop({i: "paused" for i in ids if self._is_in(i, UNDER_WAY)})

    async def cancel(self, *ids: str) -> None:
        """Stop for good; the row stays until it is cleared."""
        await self._stop({i: "cancelled" for i in ids if self._is_in(i, UNDER_WAY | {"interrupted"})})

    async def resume(self, *ids: str) -> None:
        """Put paused rows back in line."""
        await self._queue([i for i in ids if self._is_in(i, {"paused"})])

    async def retry(self, *ids: str) -> None:
        """Put failed, interrupted or cancelled rows back in line."""
        await self._queue([i for i in ids if self._is_in(i, TRY_AGAIN)])

    def hold(self, why: str) -> None:
        """Start nothing new until `go_on`; what moves goes on moving."""
        self.held = why
        self.held_changed.emit()

    def go_on(self) -> None:
        """Start what waits."""
        self.held = ""
        self.held_changed.emit()
        self._start_waiting()

    def _hold_for(self, seconds: float, why: str) -> None:
        """Hold, and go on after a while by itself."""
        self.hold(why)
        self._context.tasks.start(f"{self.direction}:again", self._again(seconds))

    async def _again(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self.go_on()

    # For subclasses

    def _next(self) -> tuple[list[Transfer], Work] | None:
        """The waiting rows that shall move next, and the work that moves them."""
        raise NotImplementedError

    async def _add(self, rows: Sequence[Transfer]) -> None:
        """Know new rows at once, so that no other takes their place; start them once they are written."""
        self._rows |= {row.id: row for row in rows}
        for row in rows:
            self.added.emit(row.id)
        await self._context.tasks.to_the_end(self._begin_new([row.id for row in rows]))

    async def _begin_new(self, row_ids: Sequence[str]) -> None:
        try:
            await self._write(row_ids, durable=True)
        except Exception:
            gone = [i for i in row_ids if i in self._rows and i not in self._tasks]
            for row_id in gone:
                del self._rows[row_id]
            self.removed.emit(tuple(gone))
            raise
        self._start_waiting()

    def _waiting(self) -> Iterator[Transfer]:
        """The rows that may start."""
        return (row for row in self._rows.values() if row.state == "waiting" and row.id not in self._tasks)

    def _moved(self, row_id: str, moved: int, size: int | None = None) -> None:
        """So many bytes of a row have moved."""
        row = self._rows[row_id]
        self._pace.add(moved - row.moved)
        self._change(row_id, moved=moved, size=row.size if size is None else size)
        now = time.monotonic()
        if now - self._saved_at.get(row_id, 0.0) >= SAVE_EVERY:
            self._saved_at[row_id] = now
            self._context.tasks.start(f"{self.direction}:save:{row_id}", self._write([row_id]))

    def _start_waiting(self) -> None:
        """Let as many rows move as may."""
        while not (self.held or self._context.tasks.is_closing) and len(set(self._tasks.values())) < AT_ONCE:
            found = self._next()
            if found is None:
                return
            rows, work = found
            for row in rows:
                self._change(row.id, state="moving", error="")
            ids = [row.id for row in rows]
            task = self._context.tasks.start(f"{self.direction}:{ids[0]}", self._begin(ids, work))
            self._tasks |= dict.fromkeys(ids, task)
            task.add_done_callback(lambda task, ids=ids: self._end(ids, task))  # type: ignore[misc]

    async def _begin(self, ids: Sequence[str], work: Work) -> None:
        """Write that the rows move before their first byte does."""
        await self._write(ids, durable=True)
        await work()

    def _end(self, ids: Sequence[str], task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(ids, error)
        for row_id in ids:
            self._tasks.pop(row_id, None)
            self._saved_at.pop(row_id, None)
            self._context.tasks.cancel(f"{self.direction}:save:{row_id}")
            if state := self._stopping.pop(row_id, None):
                self._become(row_id, state)
            elif task.cancelled() and self._is_in(row_id, {"moving"}) and not self._context.tasks.is_closing:
                self._change(row_id, state="waiting", moved=0)  # it shared the request of one that was stopped
        self._start_waiting()

    def _fail(self, ids: Sequence[str], error: BaseException) -> None:
        """Neither a disk that refuses nor a bug of ours (the owner of the tasks tells of both) leaves a row moving."""
        left = [i for i in ids if self._is_in(i, {"moving"})]
        for row_id in left:
            if not isinstance(error, StoreError):
                self._change(row_id, state="failed", error="Carrel made a mistake; the log says more.")
            elif self._rows[row_id].moved and not self.keeps_part:
                self._change(row_id, state="interrupted", error=self.interrupted)
            else:
                self._change(row_id, state="waiting")
        if isinstance(error, StoreError):
            self._hold_for(DISK_WAIT, str(error))
        else:
            self._context.tasks.start(f"{self.direction}:failed:{ids[0]}", self._write(left))

    async def _stop(self, states: Mapping[str, TransferState]) -> None:
        """Give rows a state: those that move once their request has ended, and what shared it waits again."""
        moving = [i for i in states if self._is_in(i, {"moving"})]
        for row_id in set(states).difference(moving):
            self._become(row_id, states[row_id])
        self._stopping |= {i: states[i] for i in moving}
        ending = {self._tasks[i] for i in moving}
        shared = [i for i, task in self._tasks.items() if task in ending]
        for task in ending:
            self._context.tasks.cancel(task.get_name())
        await self._context.tasks.to_the_end(self._write_ended(ending, {*states, *shared}))

    def _become(self, row_id: str, state: TransferState) -> None:
        from_there = UNDER_WAY | {"interrupted"} if state == "cancelled" else UNDER_WAY
        if self._is_in(row_id, from_there):
            error = {"error": self.cut_late} if state == "interrupted" else {}
            self._change(row_id, state=state, ended_at=None if state == "paused" else time.time(), **error)

    async def _write_ended(self, ending: Iterable[asyncio.Task[Any]], row_ids: Iterable[str]) -> None:
        await asyncio.gather(*ending, return_exceptions=True)
        await self._write(row_ids)

    async def _queue(self, ids: Sequence[str]) -> None:
        for row_id in ids:
            moved = self._rows[row_id].moved if self.keeps_part else 0
            self._change(row_id, state="waiting", moved=moved, error="", ended_at=None)
        await self._context.tasks.to_the_end(self._write_and_start(ids))

    async def _write_and_start(self, ids: Sequence[str]) -> None:
        try:
            await self._write(ids)
        finally:
            self._start_waiting()


def sentence(error: ServiceError, *, remedy: bool = True) -> str:
    """An error as one text for the row that it belongs to; without its remedy where the row says another."""
    more = remedy and error.remedy and error.remedy not in error.message
    parts = [error.message] + ([error.remedy] if more else [])
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts)
