"""Opens the service's one SQLite file, brings it up to date, and hands out connections to any thread."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any

_DONE = "CREATE TABLE IF NOT EXISTS migrations_done (name TEXT PRIMARY KEY) WITHOUT ROWID"


class Database:
    """One file in WAL mode: many readers beside one writer, and a commit that survives kill and power cut."""

    def __init__(self, path: Path, migrations: Iterable[tuple[str, str]] = ()) -> None:
        """Open `path`, and run each (name, SQL script) of `migrations` that it has not seen, in order.

        Raises sqlite3.DatabaseError when the file is not a database.
        """
        self.path = path
        self._idle: LifoQueue[sqlite3.Connection] = LifoQueue()
        self._lock = threading.RLock()
        self._writer = self._connect()
        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute(_DONE)
        for name, script in migrations:
            self._migrate(name, script)

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that cannot write; it sees what was committed when each statement began."""
        try:
            connection = self._idle.get_nowait()
        except Empty:
            connection = self._connect()
            connection.execute("PRAGMA query_only = ON")
        try:
            yield connection
        finally:
            self._idle.put(connection)

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """The only writer, in a transaction that is committed at the end, or rolled back by an exception.

        Within one thread, an inner `write` joins the outer transaction.
        """
        with self._lock:
            if self._writer.in_transaction:
                yield self._writer
                return
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                if self._writer.in_transaction:  # a full disk has rolled back already
                    self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def close(self) -> None:
        """Close every connection; the last one folds the write-ahead log into the file."""
        while not self._idle.empty():
            self._idle.get_nowait().close()
        with self._lock:
            self._writer.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=30)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.create_function("fold", 1, _fold, deterministic=True)
        return connection

    def _migrate(self, name: str, script: str) -> None:
        if self._writer.execute("SELECT 1 FROM migrations_done WHERE name = ?", (name,)).fetchone():
            return
        quoted = name.replace("'", "''")
        try:
            self._writer.executescript(f"BEGIN; {script}; INSERT INTO migrations_done VALUES ('{quoted}'); COMMIT")
        except sqlite3.Error:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise


def _fold(text: str | None) -> str:
    """Case-blind comparison for all of Unicode; SQLite's own LOWER knows only ASCII."""
    return (text or "").casefold()


def named(row: sqlite3.Row, shape: type) -> dict[str, Any]:
    """The columns of a row that bear the name of a field of the dataclass `shape`."""
    wanted = _fields(shape)
    return {column: row[column] for column in row.keys() if column in wanted}  # noqa: SIM118  # a row iterates values


@lru_cache
def _fields(shape: type) -> frozenset[str]:
    return frozenset(field.name for field in fields(shape))
