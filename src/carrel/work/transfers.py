"""A queue of transfers in one direction: its rows in memory and in the store, how many move at once, and how fast."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from psygnal import Signal

from carrel.model import ServiceError
from carrel.model.transfers import FINISHED, TRY_AGAIN, UNDER_WAY, Direction, Transfer
from carrel.store.transfers import TransferRows
from carrel.work.context import Context

AT_ONCE = 3
"""Transfers of one direction that move at the same time (design: three requests at once)."""

SAVE_EVERY = 1.0
"""Seconds between two writes of how far a row has moved: only the eye needs it sooner."""

RATE_OVER = 5.0
"""Seconds over which a rate is taken."""

Work = Callable[[], Coroutine[Any, Any, None]]
"""What moves some rows."""


class Transfers:
    """Rows by id, in the order of the queue. `changed` and `added` tell an id, `removed` several.

    A subclass says what moving a row means in `_next`.
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
        self._saved_at: dict[str, float] = {}
        self._pace = Pace()
        self._last_position = 0.0
        self.held = ""
        """Why nothing new starts, in a sentence; empty while the queue runs."""

    async def recover(self) -> None:
        """Read what an earlier session left: what had begun is interrupted, what waited waits on, held."""
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
        """Write new rows, then tell of them."""
        await self._store.put(rows, durable=True)
        for row in rows:
            self._rows[row.id] = row
        for row in rows:
            self.added.emit(row.id)
        self._start_waiting()

    def _change(self, row_id: str, **values: Any) -> Transfer:
        """Replace a row in memory and tell of it."""
        row = self._rows[row_id] = replace(self._rows[row_id], **values)
        self.changed.emit(row_id)
        return row

    async def _settle(self, row_ids: Sequence[str], **values: Any) -> None:
        """Change rows and write them; rows that were cleared meanwhile are left out."""
        rows = [self._change(i, **values) for i in row_ids if i in self._rows]
        if not rows:
            return
        await self._store.put(rows, durable=values.get("state") == "done")

    def _moved(self, row_id: str, moved: int, size: int | None = None) -> None:
        """So many bytes of a row have moved."""
        row = self._rows[row_id]
        self._pace.add(moved - row.moved)
        self._change(row_id, moved=moved, size=row.size if size is None else size)
        now = time.monotonic()
        if now - self._saved_at.get(row_id, 0.0) >= SAVE_EVERY:
            self._saved_at[row_id] = now
            self._context.tasks.start(f"{self.direction}:save:{row_id}", self._store.put([self._rows[row_id]]))

    def _start_waiting(self) -> None:
        """Let as many rows move as may."""
        while not self.held and len(set(self._tasks.values())) < AT_ONCE:
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
        await self._store.put([self._rows[i] for i in ids], durable=True)
        await work()

    def _end(self, ids: Sequence[str], task: asyncio.Task[Any]) -> None:
        for row_id in ids:
            self._tasks.pop(row_id, None)
            self._saved_at.pop(row_id, None)
            self._context.tasks.cancel(f"{self.direction}:save:{row_id}")
        if task.cancelled():
            return  # whoever cancelled goes on, or the session closes
        if task.exception() is not None:
            self._fail(ids)
        self._start_waiting()

    def _fail(self, ids: Sequence[str]) -> None:
        """A bug of ours (the owner of the tasks tells of it) must not leave a row that moves for ever."""
        rows = [self._change(i, state="failed", error="Carrel made a mistake; the log says more.") for i in ids]
        self._context.tasks.start(f"{self.direction}:failed:{ids[0]}", self._store.put(rows))

    async def _stop(self, ids: Sequence[str], state: str) -> None:
        """End the tasks of these rows, then give them their state; rows that shared a request wait again."""
        ending = {self._tasks[i] for i in ids if i in self._tasks}
        shared = [i for i, task in self._tasks.items() if task in ending and i not in ids]
        for task in ending:
            self._context.tasks.cancel(task.get_name())
        await asyncio.gather(*ending, return_exceptions=True)
        ended = None if state == "paused" else time.time()
        await self._settle([i for i in ids if self._is_in(i, UNDER_WAY | {"interrupted"})], state=state, ended_at=ended)
        await self._settle([i for i in shared if self._is_in(i, UNDER_WAY)], state="waiting", moved=0)
        self._start_waiting()

    async def _queue(self, ids: Sequence[str]) -> None:
        for row_id in ids:
            moved = self._rows[row_id].moved if self.keeps_part else 0
            await self._settle([row_id], state="waiting", moved=moved, error="", ended_at=None)
        self._start_waiting()

    def _is_in(self, row_id: str, states: Iterable[str]) -> bool:
        row = self._rows.get(row_id)
        return row is not None and row.state in states

    def _new(self, name: str, path: str, **values: Any) -> Transfer:
        """A row at the end of the queue; it is not added yet."""
        now = time.time()
        self._last_position = max(self._last_position + 0.001, now)
        return Transfer(uuid.uuid4().hex, self.direction, name, path, self._last_position, now, **values)


class Pace:
    """How fast bytes have moved lately."""

    def __init__(self) -> None:
        """Nothing has moved."""
        self._steps: deque[tuple[float, int]] = deque()

    def add(self, count: int) -> None:
        """So many bytes more, now."""
        self._steps.append((time.monotonic(), max(0, count)))

    def rate(self) -> float:
        """Bytes a second; 0.0 where nothing moved lately."""
        now = time.monotonic()
        while self._steps and now - self._steps[0][0] > RATE_OVER:
            self._steps.popleft()
        if not self._steps:
            return 0.0
        return sum(count for _, count in self._steps) / max(0.5, now - self._steps[0][0])


def sentence(error: ServiceError, *, remedy: bool = True) -> str:
    """An error as one text for the row that it belongs to; without its remedy where the row says another."""
    more = remedy and error.remedy and error.remedy not in error.message
    parts = [error.message] + ([error.remedy] if more else [])
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts)
