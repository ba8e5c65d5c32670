"""What a service's own description told, one row an account: it is read once and used at each connection."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from carrel.model.reference import Learned
from carrel.store.db import Database


@dataclass(frozen=True, slots=True)
class Kept:
    """What was learned, and when (seconds since the epoch)."""

    learned: Learned
    read_at: float


class LearnedRow:
    """The row of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for what `account` has learned."""
        self._db, self._account = db, account

    def read(self) -> Kept | None:
        """What is kept; None where nothing is, or another version wrote what this cannot read."""
        row = self._db.row("SELECT learned, read_at FROM learned WHERE account = ?", (self._account,))
        if row is None:
            return None
        try:
            return Kept(Learned.model_validate_json(row["learned"]), row["read_at"])
        except ValidationError:
            return None

    async def put(self, kept: Kept) -> None:
        """Keep it, in place of what was kept before."""
        values = (self._account, kept.learned.model_dump_json(exclude_defaults=True), kept.read_at)
        await self._db.execute("INSERT OR REPLACE INTO learned (account, learned, read_at) VALUES (?, ?, ?)", values)
