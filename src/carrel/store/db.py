"""The database of one home: opened, migrated, backed up; written by one thread, read by the window's."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from carrel.store.schema import MIGRATIONS

log = logging.getLogger("carrel.store")
T = TypeVar("T")

BACKUPS = 5
DAY = 24 * 3600.0
WAIT = 10.0
"""Seconds for another program to let go of the database."""

_WHY = {
    "BUSY": "Another program holds it.",
    "LOCKED": "Another program holds it.",
    "READONLY": "It may not be written: look at the rights of the file and its folder.",
    "CANTOPEN": "It may not be written: look at the rights of the file and its folder.",
    "FULL": "The disk is full.",
    "IOERR": "The disk failed.",
}
"""What SQLite's own names for its errors mean to a person."""


class StoreError(Exception):
    """The database cannot be used, or not be written; the words say why and what was done with the file."""


class Database:
    """SQLite in WAL mode.

    Reads are done at once, on a connection of their own: they are indexed and never wait for a writer. Longer ones
    are asked of a second thread. Writes are awaited: they run one after another on one thread, so that no fsync holds
    up the window.
    """

    def __init__(self, file: Path) -> None:
        """Open `file`, which must have been prepared by `open_database`."""
        self.file = file
        self.told: Callable[[str], None] = lambda _: None
        """Called with a sentence at each write that the disk refuses, and with an empty one when it takes one again."""
        self._is_refused = False
        self._reader = _connect(file)
        self._reader.execute("PRAGMA query_only = ON")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="carrel-store")
        self._writer = self._thread.submit(_connect, file).result()
        self._asking: ThreadPoolExecutor | None = None
        self._asked: sqlite3.Connection | None = None

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self._reader.execute(sql, values).fetchall()

    def row(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Row | None:
        """The first row of a query, or None."""
        row: sqlite3.Row | None = self._reader.execute(sql, values).fetchone()
        return row

    async def ask(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run reads that may take a while (a search, an export) on a thread of their own; nothing waits for them."""
        if self._asking is None:
            self._asking = ThreadPoolExecutor(1, thread_name_prefix="carrel-asking")
        return await asyncio.get_running_loop().run_in_executor(self._asking, self._answer, work)

    async def write(self, work: Callable[[sqlite3.Connection], T], *, durable: bool = False) -> T:
        """Run `work` in one transaction on the writing thread.

        `durable` waits until the disk has it (a user's message, a run id, an end); else a power cut may take the
        last moments, a crash of the program takes nothing. `StoreError` where the disk refuses, or another program
        holds the file: nothing of it is written then.
        """
        future = self._thread.submit(self._transact, work, durable)
        try:
            result = await asyncio.shield(asyncio.wrap_future(future))
        except sqlite3.OperationalError as error:
            if (why := _WHY.get(_kind(error))) is None:
                raise  # no fault of the disk, but a mistake of ours
            self._tell(why)
            raise StoreError(f"{self.file} cannot be written: {error}. {why}") from error
        self._tell("")
        return result

    async def execute(self, sql: str, values: Sequence[Any] = (), *, durable: bool = False) -> None:
        """Run one statement in a transaction of its own."""
        await self.write(lambda db: _let_go(db.execute(sql, values)), durable=durable)

    async def execute_many(self, sql: str, values: Sequence[Sequence[Any]], *, durable: bool = False) -> None:
        """Run one statement for each of `values`, all in one transaction."""
        await self.write(lambda db: _let_go(db.executemany(sql, values)), durable=durable)

    async def close(self) -> None:
        """Finish what is being written, then close."""
        if self._asked is not None:
            self._asked.interrupt()
        if self._asking is not None:
            self._asking.shutdown(wait=True, cancel_futures=True)
        if self._asked is not None:
            self._asked.close()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._writer.close)
        self._thread.shutdown(wait=True)
        self._reader.close()

    def _answer(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._asked is None:
            self._asked = _connect(self.file)
            self._asked.execute("PRAGMA query_only = ON")
        return work(self._asked)

    def _transact(self, work: Callable[[sqlite3.Connection], T], durable: bool) -> T:
        self._writer.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            result = work(self._writer)
            self._writer.execute("COMMIT")
        except BaseException:
            if self._writer.in_transaction:  # on a full disk SQLite has rolled back by itself
                self._writer.execute("ROLLBACK")
            raise
        return result

    def _tell(self, why: str) -> None:
        if why or self._is_refused:
            self._is_refused = bool(why)
            self.told(why)


def _let_go(cursor: sqlite3.Cursor) -> None:
    """End a cursor on its own thread: thrown away on another, it resets a statement that may be in use again."""
    cursor.close()


def open_database(file: Path, backups: Path) -> tuple[Database, str]:
    """The database of `file`, made or migrated, and a sentence for the user where something happened to it.

    A corrupt file is moved aside and kept. A newer schema is refused (StoreError): an older Carrel would lose data.
    StoreError too where the disk or another program does not allow it.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        notice = _prepare_or_begin_anew(file, backups)
        return Database(file), notice
    except sqlite3.OperationalError as error:
        raise StoreError(f"{file} cannot be opened: {error}. {_WHY.get(_kind(error), '')}".rstrip()) from error
    except OSError as error:
        raise StoreError(f"{file} cannot be opened: {error.strerror}.") from error


def _kind(error: sqlite3.Error) -> str:
    """SQLite's own name for an error, without what it adds behind it: BUSY, FULL."""
    return getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_").partition("_")[0]


def _prepare_or_begin_anew(file: Path, backups: Path) -> str:
    try:
        _prepare(file, backups)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        kept = _move_aside(file)
        log.warning("database corrupt, kept as %s", kept.name)
        _prepare(file, backups)
        return f"The journal could not be read, and a new one was begun. The old one is kept as {kept.name}."
    return ""


def _connect(file: Path) -> sqlite3.Connection:
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=WAIT)
    try:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _prepare(file: Path, backups: Path) -> None:
    is_new = not file.exists() or file.stat().st_size == 0
    db = _connect(file)
    try:
        if not is_new and db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("quick_check")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise StoreError(
                f"{file} was written by a newer Carrel (schema {version}; this one knows {len(MIGRATIONS)}). "
                "It is left as it is: start the newer Carrel, or choose another home."
            )
        if not is_new:
            _back_up(db, backups, before_migration=version < len(MIGRATIONS))
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            db.executescript(f"BEGIN; {script}; PRAGMA user_version = {number}; COMMIT;")
    finally:
        db.close()


def _back_up(db: sqlite3.Connection, folder: Path, *, before_migration: bool) -> None:
    kept = sorted(folder.glob("carrel-*.sqlite"))
    newest = kept[-1].stat().st_mtime if kept else 0.0
    if not before_migration and time.time() - newest < DAY:
        return
    with suppress(sqlite3.OperationalError, OSError):  # a full disk must not keep the window from opening
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / "carrel.part"  # a copy that was cut short must not count as today's
        part.unlink(missing_ok=True)
        copy = sqlite3.connect(part)
        try:
            db.backup(copy)
        finally:
            copy.close()
        part.replace(folder / time.strftime("carrel-%Y%m%d-%H%M%S.sqlite"))
        for old in kept[: max(0, len(kept) + 1 - BACKUPS)]:
            old.unlink(missing_ok=True)


def _move_aside(file: Path) -> Path:
    kept = file.with_name(f"{file.stem}-unreadable-{time.strftime('%Y%m%d-%H%M%S')}{file.suffix}")
    for ending in ("", "-wal", "-shm"):
        part = file.with_name(file.name + ending)
        if part.exists():
            part.rename(kept.with_name(kept.name + ending))
    return kept
