"""The live reference of one account: read once, kept, used at each connection, read again when a person asks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from psygnal import Signal

from carrel.api import background
from carrel.model import Account, Learned, ServiceError
from carrel.model.account import origin_of
from carrel.store.db import Database
from carrel.store.learned import Kept, LearnedRow

if TYPE_CHECKING:
    from carrel.api import Service

__all__ = ["Kept", "Reference"]


class Reference:
    """`kept` is what is in force; `changed` tells that it is something else."""

    changed = Signal()

    def __init__(self, db: Database, account_id: str) -> None:
        """Keep it in `db`."""
        self._row = LearnedRow(db, account_id)
        self.kept: Kept | None = None

    def recall(self, account: Account) -> Learned | None:
        """What to connect `account` with: what was learned before, unless it is switched off or was read elsewhere.

        The built-in service has another address at each start, and may be another version: it is read anew.
        """
        kept = self._row.read() if account.use_reference else None
        former, self.kept = self.kept, kept if kept and _is_of(account, kept.learned) else None
        if former != self.kept:
            self.changed.emit()
        return self.kept.learned if self.kept else None

    async def learn(self, service: Service, *, again: bool = False) -> bool:
        """Read it where that was not done yet, or once more; False where there is nothing that can be read.

        It waits for its place behind what a person does; where it fails, what is known stays in force.
        """
        try:
            with background():
                learned = await service.reference(again=again)
        except ServiceError:
            learned = None
        if learned is None:
            return False
        if again or self.kept is None:
            self.kept = Kept(learned, time.time())
            self.changed.emit()
            await self._row.put(self.kept)
        return True

    def continues_with(self, field: str) -> bool:
        """Whether the service has said that a continued conversation takes a field beyond `content` and `model`."""
        return self.kept is not None and field in self.kept.learned.continue_fields


def _is_of(account: Account, learned: Learned) -> bool:
    try:
        return origin_of(learned.source) == account.origin
    except ValueError:
        return False
