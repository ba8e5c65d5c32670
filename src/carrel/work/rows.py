"""The rows of a queue of transfers: in memory in their order, in the store, and told of when they change."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from psygnal import Signal

from carrel.model.transfers import FINISHED, UNDER_WAY, Direction, Transfer
from carrel.store.transfers import TransferRows
from carrel.work.context import Context


class Rows:
    """Rows by id, in the order of the queue. `changed` and `added` tell an id, `removed` several."""

    changed = Signal(str)
    added = Signal(str)
    removed = Signal(tuple)

    direction: ClassVar[Direction]

    def __init__(self, context: Context) -> None:
        """Know none."""
        self._context = context
        self._store = TransferRows(context.db, context.account_id)
        self._rows: dict[str, Transfer] = {}
        self._last_position = 0.0

    def rows(self, origin: str | None = None) -> tuple[Transfer, ...]:
        """All rows, or those of one origin, in the order of the queue."""
        return tuple(row for row in self._rows.values() if origin is None or row.origin == origin)

    def row(self, row_id: str) -> Transfer | None:
        """The row as it is now; None where it was cleared."""
        return self._rows.get(row_id)

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
        upper = others[place].position if place < len(others) else max(r.position for r in self._rows.values()) + 2
        lower = others[place - 1].position if place else upper - 2
        moved = replace(row, position=(lower + upper) / 2)
        self._last_position = max(self._last_position, moved.position)
        others.insert(place, moved)
        self._rows = {r.id: r for r in others}
        await self._store.put([moved])
        self.changed.emit(row_id)

    # For subclasses

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

    def _is_in(self, row_id: str, states: Iterable[str]) -> bool:
        row = self._rows.get(row_id)
        return row is not None and row.state in states

    def _new(self, name: str, path: str, **values: Any) -> Transfer:
        """A row at the end of the queue; it is not added yet."""
        now = time.time()
        self._last_position = max(self._last_position + 0.001, now)
        return Transfer(uuid.uuid4().hex, self.direction, name, path, self._last_position, now, **values)
