"""Transfers as rows: written before the first byte moves, read when a session opens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from operator import attrgetter

from carrel.model.transfers import Direction, Transfer
from carrel.store.db import Database

COLUMNS = tuple(f.name for f in fields(Transfer))
_values = attrgetter(*COLUMNS)
_READ = f"SELECT {', '.join(COLUMNS)} FROM transfers WHERE account = ? AND direction = ? ORDER BY position"
_PUT = f"INSERT OR REPLACE INTO transfers (account, {', '.join(COLUMNS)}) VALUES (?, {', '.join('?' for _ in COLUMNS)})"


class TransferRows:
    """The rows of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Of the account with this id."""
        self._db, self._account = db, account

    def read(self, direction: Direction) -> list[Transfer]:
        """All rows of a direction, in the order of the queue."""
        return [Transfer(*row) for row in self._db.read(_READ, (self._account, direction))]

    async def put(self, rows: Iterable[Transfer], *, durable: bool = False) -> None:
        """Write rows, new or changed, in one transaction; those of chats that are not kept lie in memory alone."""
        values = [(self._account, *_values(row)) for row in rows if row.is_kept]
        await self._db.execute_many(_PUT, values, durable=durable)

    async def delete(self, ids: Sequence[str]) -> None:
        """Forget rows."""
        values = [(self._account, row_id) for row_id in ids]
        await self._db.execute_many("DELETE FROM transfers WHERE account = ? AND id = ?", values)


def files_to_send(db: Database) -> list[str]:
    """The files of all uploads, of any account, that have not arrived."""
    return [row["path"] for row in db.read("SELECT path FROM transfers WHERE direction = 'up' AND state <> 'done'")]


class Fetched:
    """Where the downloads of one account lie, by origin; the last one of each."""

    def __init__(self, db: Database, account: str) -> None:
        """Of the account with this id."""
        self._db, self._account = db, account

    def find(self, origin: str) -> str:
        """The path of the last one; empty where there was none."""
        row = self._db.row("SELECT path FROM fetched WHERE account = ? AND origin = ?", (self._account, origin))
        return str(row[0]) if row else ""

    async def put(self, origin: str, path: str) -> None:
        """Remember one."""
        sql = "INSERT OR REPLACE INTO fetched (account, origin, path) VALUES (?, ?, ?)"
        await self._db.execute(sql, (self._account, origin, path))
