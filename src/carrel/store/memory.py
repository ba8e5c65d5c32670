"""A database in memory only, for chats that a person does not want kept: the same tables, and nothing on the disk."""

from __future__ import annotations

import sqlite3
import uuid
import weakref
from collections.abc import Callable
from typing import TypeVar

from carrel.store.db import Database
from carrel.store.schema import MIGRATIONS

T = TypeVar("T")

UNKEPT = "unkept-"
"""Ids of chats that are not kept, of their messages and of what waits in their lines begin with this: so an id says
where its row lies.
"""


def is_kept(key: str) -> bool:
    """Whether what has this id may be written to the disk."""
    return not key.startswith(UNKEPT)


def new_id(beside: str = "") -> str:
    """A new id; of something that lies where what has the id `beside` lies."""
    return f"{'' if is_kept(beside) else UNKEPT}{uuid.uuid4().hex}"


class MemoryDatabase(Database):
    """One connection, no file, no thread: gone with its owner, who need not close it."""

    def __init__(self) -> None:
        """Make the tables; SQLite is told to keep even its sorting off the disk."""
        self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self._db.close)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA temp_store = MEMORY")
        self._db.execute("PRAGMA foreign_keys = ON")
        for script in MIGRATIONS:
            self._db.executescript(script)
        self._reader = self._writer = self._db

    async def ask(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run reads; there is nothing to wait for."""
        return work(self._db)

    async def write(self, work: Callable[[sqlite3.Connection], T], *, durable: bool = False) -> T:
        """Run `work` in one transaction, here and now; `durable` means nothing in memory."""
        return self._transact(work, durable)

    async def close(self) -> None:
        """Forget all."""
        self._db.close()
