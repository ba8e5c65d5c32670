"""A queue of transfers in one direction: its rows in memory and in the store, how many move at once, and how fast."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from psygnal import Signal

from carrel.model import ServiceError
from carrel.model.transfers import FINISHED, TRY_AGAIN, UNDER_WAY, Direction, Transfer, TransferState
from carrel.store.db import StoreError
from carrel.store.transfers import TransferRows
from carrel.work.context import Context
from carrel.work.pace import Pace

AT_ONCE = 3
"""Transfers of one direction that move at the same time (design: three requests at once)."""

SAVE_EVERY = 1.0
"""Seconds between two writes of how far a row has moved: only the eye needs it sooner."""

Work = Callable[[], Coroutine[Any, Any, None]]
"""What moves some rows."""


class Transfers:
    """Rows by id, in the order of the queue. `changed` and `added` tell an id, `removed` several.

    A subclass says what moving a row means in `_next`. A row that moves has a task; its task may have more to settle
    when it moves no longer, and until it has ended the row does not start again.
    """

    changed = Signal(str)
    added = Signal(str)
    removed = Signal(tuple)
    held_changed = Signal()

    direction: ClassVar[Direction]
    keeps_part: ClassVar[bool] = False
    """Whether a transfer goes on where it stopped; else it begins at the first byte."""
    interrupted: ClassVar[str]
    """What a row says that had begun when Carrel ended."""

    def __init__(self, context: Context) -> None:
        """Know nothing until `recover`."""
        self._context = context
        self._store = TransferRows(context.db, context.account_id)
        self._rows: dict[str, Transfer] = {}
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._stopping: dict[str, TransferState] = {}
        """What rows become once their request has ended."""
        self._saved_at: dict[str, float] = {}
        self._pace = Pace()
        self._last_position = 0.0
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

    def rows(self, origin: str | None = None) -> tuple[Transfer, ...]:
        """All rows, or those of one origin, in the order of the queue."""
        return tuple(row for row in self._rows.values() if origin is None or row.origin == origin)

    def row(self, row_id: str) -> Transfer | None:
        """The row as it is now; None where it was cleared."""
        return self._rows.get(row_id)

    @property
    def rate(self) -> float:
        """Bytes a second over the last few seconds, of all rows together."""
        return self._pace.rate()

    async def pause(self, *ids: str) -> None:
        """Stop for now; what moved of a download stays."""
        await self._stop([i for i in ids if self._is_in(i, UNDER_WAY)], "paused")

    async def cancel(self, *ids: str) -> None:
        """Stop for good; the row stays until it is cleared."""
        await self._stop([i for i in ids if self._is_in(i, UNDER_WAY | {"interrupted"})], "cancelled")

    async def resume(self, *ids: str) -> None:
        """Put paused rows back in line."""
        await self._queue([i for i in ids if self._is_in(i, {"paused"})])

    async def retry(self, *ids: str) -> None:
        """Put failed, interrupted or cancelled rows back in line."""
        await self._queue([i for i in ids if self._is_in(i, TRY_AGAIN)])

    async def clear(self, ids: Iterable[str] | None = None) -> None:
        """Forget these rows, or all finished ones; what still moves stays."""
        wanted = self._rows if ids is None else ids
        gone = [i for i in wanted if self._is_in(i, FINISHED) or (ids is not None and not self._is_in(i, UNDER_WAY))]
        for row_id in gone:
            self._rows.pop(row_id, None)
        await self._store.delete(gone)
        self.removed.emit(tuple(gone))

    async def move(self, row_id: str, before: str | None) -> None:
        """Let a row go before another one, or (None) last."""
        row = self._rows[row_id]
        others = [r for r in self._rows.values() if r.id != row_id]
        place = next((n for n, r in enumerate(others) if r.id == before), len(others))
        lower = others[place - 1].position if place else row.position - 2
        upper = others[place].position if place < len(others) else max(lower, row.position) + 2
        moved = replace(row, position=(lower + upper) / 2)
        others.insert(place, moved)
        self._rows = {r.id: r for r in others}
        await self._store.put([moved])
        self.changed.emit(row_id)

    def hold(self, why: str) -> None:
        """Start nothing new until `go_on`; what moves goes on moving."""
        self.held = why
        self.held_changed.emit()

    def go_on(self) -> None:
        """Start what waits."""
        self.held = ""
        self.held_changed.emit()
        self._start_waiting()

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
        except StoreError:
            gone = [i for i in row_ids if i in self._rows and i not in self._tasks]
            for row_id in gone:
                del self._rows[row_id]
            self.removed.emit(tuple(gone))
            raise
        self._start_waiting()

    def _waiting(self) -> Iterator[Transfer]:
        """The rows that may start."""
        return (row for row in self._rows.values() if row.state == "waiting" and row.id not in self._tasks)

    def _change(self, row_id: str, **values: Any) -> Transfer:
        """Replace a row in memory and tell of it."""
        row = self._rows[row_id] = replace(self._rows[row_id], **values)
        self.changed.emit(row_id)
        return row

    async def _settle(self, row_ids: Sequence[str], **values: Any) -> None:
        """Change rows and write them; rows that were cleared meanwhile are left out."""
        for row_id in row_ids:
            if row_id in self._rows:
                self._change(row_id, **values)
        await self._write(row_ids, durable=values.get("state") == "done")

    async def _write(self, row_ids: Iterable[str], *, durable: bool = False) -> None:
        """Write rows as they are now; rows that were cleared meanwhile are left out."""
        rows = [self._rows[i] for i in row_ids if i in self._rows]
        if rows:
            await self._store.put(rows, durable=durable)

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
        if not task.cancelled() and task.exception() is not None:
            self._fail(ids)
        for row_id in ids:
            self._tasks.pop(row_id, None)
            self._saved_at.pop(row_id, None)
            self._context.tasks.cancel(f"{self.direction}:save:{row_id}")
            if state := self._stopping.pop(row_id, None):
                self._become(row_id, state)
            elif task.cancelled() and self._is_in(row_id, {"moving"}) and not self._context.tasks.is_closing:
                self._change(row_id, state="waiting", moved=0)  # it shared the request of one that was stopped
        self._start_waiting()

    def _fail(self, ids: Sequence[str]) -> None:
        """A bug of ours (the owner of the tasks tells of it) must not leave a row that moves for ever."""
        failed = [i for i in ids if self._is_in(i, {"moving"})]
        for row_id in failed:
            self._change(row_id, state="failed", error="Carrel made a mistake; the log says more.")
        self._context.tasks.start(f"{self.direction}:failed:{ids[0]}", self._write(failed))

    async def _stop(self, ids: Sequence[str], state: TransferState) -> None:
        """Give rows a state: those that move once their request has ended, and what shared it waits again."""
        moving = [i for i in ids if self._is_in(i, {"moving"})]
        for row_id in set(ids).difference(moving):
            self._become(row_id, state)
        self._stopping |= dict.fromkeys(moving, state)
        ending = {self._tasks[i] for i in moving}
        shared = [i for i, task in self._tasks.items() if task in ending]
        for task in ending:
            self._context.tasks.cancel(task.get_name())
        await self._context.tasks.to_the_end(self._write_ended(ending, {*ids, *shared}))

    def _become(self, row_id: str, state: TransferState) -> None:
        from_there = UNDER_WAY | {"interrupted"} if state == "cancelled" else UNDER_WAY
        if self._is_in(row_id, from_there):
            self._change(row_id, state=state, ended_at=None if state == "paused" else time.time())

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

    def _is_in(self, row_id: str, states: Iterable[str]) -> bool:
        row = self._rows.get(row_id)
        return row is not None and row.state in states

    def _new(self, name: str, path: str, **values: Any) -> Transfer:
        """A row at the end of the queue; it is not added yet."""
        now = time.time()
        self._last_position = max(self._last_position + 0.001, now)
        return Transfer(uuid.uuid4().hex, self.direction, name, path, self._last_position, now, **values)


def sentence(error: ServiceError, *, remedy: bool = True) -> str:
    """An error as one text for the row that it belongs to; without its remedy where the row says another."""
    more = remedy and error.remedy and error.remedy not in error.message
    parts = [error.message] + ([error.remedy] if more else [])
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts)
