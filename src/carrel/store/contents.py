"""What was uploaded from this machine, by content, so that the same file is not sent twice without being asked."""

from __future__ import annotations

from dataclasses import dataclass

from carrel.store.db import Database


@dataclass(frozen=True, slots=True)
class Content:
    """An upload that succeeded; `uploaded_at` in seconds since the epoch."""

    digest: str
    size: int
    name: str
    file_id: str
    uploaded_at: float


class Contents:
    """The contents of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Of the account with this id."""
        self._db, self._account = db, account

    def knows_size(self, size: int) -> bool:
        """Whether any upload had this many bytes: only then is a file worth hashing before it is sent."""
        sql = "SELECT 1 FROM contents WHERE account = ? AND size = ? LIMIT 1"
        return self._db.row(sql, (self._account, size)) is not None

    def find(self, digest: str) -> Content | None:
        """The upload that had this content."""
        sql = "SELECT digest, size, name, file_id, uploaded_at FROM contents WHERE account = ? AND digest = ?"
        row = self._db.row(sql, (self._account, digest))
        return None if row is None else Content(*row)

    def holds(self, file_id: str, before: float) -> bool:
        """Whether a file of the library is an upload that had arrived by then (seconds since the epoch)."""
        sql = "SELECT 1 FROM contents WHERE account = ? AND file_id = ? AND uploaded_at < ? LIMIT 1"
        return self._db.row(sql, (self._account, file_id, before)) is not None

    async def put(self, content: Content) -> None:
        """Remember an upload."""
        sql = (
            "INSERT OR REPLACE INTO contents (account, digest, size, name, file_id, uploaded_at) "
            "VALUES (?, ?, ?, ?, ?, ?)"
        )
        values = (content.digest, content.size, content.name, content.file_id, content.uploaded_at)
        await self._db.execute(sql, (self._account, *values))
