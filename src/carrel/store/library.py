"""The library's mirror: every file that the service has listed, and how far the walk through its listing has come."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from carrel.model.library import LibraryFile
from carrel.store.db import Database

CHUNK = 2000
"""Rows read at once: about 5 ms, so that the window goes on between two chunks."""

_COLUMNS = "id, file_name, folder, provider, state, is_shared, added"
_PUT = f"INSERT OR REPLACE INTO files (account, {_COLUMNS}, file, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Entry(NamedTuple):
    """What a list shows of a file; `folder` is slash-separated, `added` seconds since the epoch (0: not told)."""

    id: str
    name: str
    folder: str
    provider: str
    state: str
    is_shared: bool
    added: float


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk through the listing, newest first: the page that was read last, and how many files it was of."""

    started_at: float
    page: int
    total: int
    ended_at: float | None = None


def entry_of(file: LibraryFile) -> Entry:
    """The part of a file that lists show; a folder without a name is left out of its path."""
    added = file.added.timestamp() if file.added else 0.0
    folder = "/".join(part for part in file.folder_path if part.strip())
    return Entry(file.id, file.file_name, folder, file.provider, file.state, file.is_shared, added)


class LibraryRows:
    """The mirror of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Of the account with this id."""
        self._db, self._account = db, account

    def newest(self, count: int) -> list[Entry]:
        """The files that were added last."""
        sql = f"SELECT {_COLUMNS} FROM files WHERE account = ? ORDER BY added DESC LIMIT ?"
        return [_entry(row) for row in self._db.read(sql, (self._account, count))]

    def chunks(self) -> Iterator[list[Entry]]:
        """All files, in no order, so many at a time; each chunk is read when it is asked for."""
        sql = f"SELECT {_COLUMNS} FROM files WHERE account = ? AND id > ? ORDER BY id LIMIT {CHUNK}"
        last = ""
        while rows := self._db.read(sql, (self._account, last)):
            last = rows[-1]["id"]
            yield [_entry(row) for row in rows]

    def file(self, file_id: str) -> LibraryFile | None:
        """All that the service has said of one file."""
        row = self._db.row("SELECT file FROM files WHERE account = ? AND id = ?", (self._account, file_id))
        return None if row is None else LibraryFile.model_validate_json(row["file"])

    async def put(self, files: Iterable[LibraryFile], seen_at: float) -> None:
        """Write what the service has listed."""
        values = [(self._account, *entry_of(file), file.model_dump_json(), seen_at) for file in files]
        await self._db.execute_many(_PUT, values)

    async def drop_unseen(self, since: float) -> list[str]:
        """Forget the files that no listing has shown since then; their ids."""
        sql = "DELETE FROM files WHERE account = ? AND seen_at < ? RETURNING id"
        rows = await self._db.write(lambda db: db.execute(sql, (self._account, since)).fetchall())
        return [row["id"] for row in rows]

    def walk(self) -> Walk | None:
        """The last walk, or None where there was none."""
        sql = "SELECT started_at, page, total, ended_at FROM library_walks WHERE account = ?"
        row = self._db.row(sql, (self._account,))
        return None if row is None else Walk(*row)

    async def put_walk(self, walk: Walk) -> None:
        """Write how far the walk has come."""
        sql = "INSERT OR REPLACE INTO library_walks (account, started_at, page, total, ended_at) VALUES (?, ?, ?, ?, ?)"
        await self._db.execute(sql, (self._account, walk.started_at, walk.page, walk.total, walk.ended_at))


def _entry(row: sqlite3.Row) -> Entry:
    return Entry._make((*row[:5], bool(row[5]), row[6]))
