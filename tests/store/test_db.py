"""The database: opened, migrated, backed up, and what becomes of one that cannot be used."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from carrel.store import db as room
from carrel.store.db import BACKUPS, Database, StoreError, open_database
from carrel.store.schema import MIGRATIONS
from unprivileged import read_only

FURTHER = "CREATE TABLE later (word TEXT); INSERT INTO later VALUES ('here')"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "data" / "carrel.sqlite"


def backups_of(file: Path) -> list[Path]:
    return sorted((file.parent / "backups").glob("*"))


def opened(file: Path) -> str:
    """Open, write a chat, close; the notice."""
    return asyncio.run(_opened(file))


async def _opened(file: Path) -> str:
    db, notice = open_database(file, file.parent / "backups")
    await db.execute(
        "INSERT OR IGNORE INTO chats (id, account, title, created_at, updated_at) VALUES ('c', 'a', 'Lease', 1, 1)"
    )
    await db.close()
    return notice


def titles(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as db:
        return [row[0] for row in db.execute("SELECT title FROM chats")]


def version(file: Path) -> int:
    with closing(sqlite3.connect(file)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def test_a_new_home_gets_the_newest_schema_and_no_backup(home: Path) -> None:
    assert opened(home) == ""
    assert version(home) == len(MIGRATIONS)
    assert backups_of(home) == []


async def test_the_journal_is_in_wal_mode_and_readers_cannot_write(home: Path) -> None:
    db, _ = open_database(home, home.parent / "backups")
    try:
        assert db.row("PRAGMA journal_mode")[0] == "wal"
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            db.read("DELETE FROM chats")
    finally:
        await db.close()


async def test_a_failed_write_leaves_nothing_and_the_next_one_works(home: Path) -> None:
    def half(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO chats (id, account, created_at, updated_at) VALUES ('half', 'a', 1, 1)")
        raise KeyError("in the middle")

    db, _ = open_database(home, home.parent / "backups")
    try:
        with pytest.raises(KeyError):
            await db.write(half)
        await db.execute("INSERT INTO chats (id, account, created_at, updated_at) VALUES ('whole', 'a', 1, 1)")
        assert [r["id"] for r in db.read("SELECT id FROM chats")] == ["whole"]
    finally:
        await db.close()


async def test_closing_waits_for_what_is_being_written(home: Path) -> None:
    db, _ = open_database(home, home.parent / "backups")

    def slow(c: sqlite3.Connection) -> None:
        time.sleep(0.2)
        c.execute("INSERT INTO chats (id, account, title, created_at, updated_at) VALUES ('s', 'a', 'Slow', 1, 1)")

    writing = db.write(slow)
    writing.send(None)
    await db.close()
    writing.close()
    assert titles(home) == ["Slow"]


def test_a_day_has_one_backup(home: Path) -> None:
    for _ in range(3):
        opened(home)
    [copy] = backups_of(home)
    assert titles(copy) == ["Lease"]


def test_the_next_day_has_another_and_only_five_stay(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(home)
    folder = home.parent / "backups"
    folder.mkdir()
    for day in range(1, 8):
        old = folder / f"carrel-2026010{day}-000000.sqlite"
        old.write_bytes(b"old")
        os.utime(old, (day, day))
    opened(home)
    kept = [f.name for f in backups_of(home)]
    assert len(kept) == BACKUPS
    assert kept[:4] == [f"carrel-2026010{day}-000000.sqlite" for day in (4, 5, 6, 7)]
    assert titles(folder / kept[4]) == ["Lease"]


def test_a_migration_is_preceded_by_a_copy_and_keeps_what_was_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(home)
    opened(home)
    before = backups_of(home)
    os.rename(before[0], before[0].with_name("carrel-20260101-000000.sqlite"))  # the clock's second may be the same
    monkeypatch.setattr(room, "MIGRATIONS", (*MIGRATIONS, FURTHER))
    opened(home)
    assert version(home) == len(MIGRATIONS) + 1
    assert titles(home) == ["Lease"]
    first, second = backups_of(home)
    assert version(second) == len(MIGRATIONS)
    assert titles(second) == ["Lease"]
    assert first.name == "carrel-20260101-000000.sqlite"


def test_a_migration_that_fails_changes_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(home)
    monkeypatch.setattr(room, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE half (a); CREATE TABLE chats (b)"))
    with pytest.raises(StoreError, match=r"carrel\.sqlite"):
        open_database(home, home.parent / "backups")
    monkeypatch.undo()
    assert version(home) == len(MIGRATIONS)
    with closing(sqlite3.connect(home)) as db:
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    assert opened(home) == ""


def test_a_backup_folder_that_cannot_be_made_does_not_keep_the_window_shut(home: Path) -> None:
    opened(home)
    (home.parent / "backups").write_text("a file stands where the folder should")
    assert opened(home) == ""
    assert titles(home) == ["Lease"]


@pytest.mark.parametrize("kind", ["garbage", "a torn page", "half"])
def test_a_corrupt_file_is_moved_aside_kept_and_told(home: Path, kind: str, log_watch) -> None:
    log_watch.expect("database corrupt")
    opened(home)
    whole = home.read_bytes()
    broken = {
        "garbage": b"this is no database at all, though it is long enough to be read as one" * 40,
        "a torn page": whole[:4096] + b"\xff" * 8192 + whole[12288:],
        "half": whole[: len(whole) // 2],
    }[kind]
    home.write_bytes(broken)
    notice = opened(home)
    assert "new one was begun" in notice
    [kept] = home.parent.glob("carrel-unreadable-*.sqlite")
    assert kept.name in notice
    assert kept.read_bytes() == broken
    assert titles(home) == ["Lease"]


def test_an_empty_file_is_a_new_home(home: Path) -> None:
    home.parent.mkdir()
    home.touch()
    assert opened(home) == ""
    assert titles(home) == ["Lease"]


def test_a_newer_schema_is_refused_and_left_as_it_is(home: Path) -> None:
    opened(home)
    with closing(sqlite3.connect(home)) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 3}")
    before = home.read_bytes()
    with pytest.raises(StoreError) as refused:
        open_database(home, home.parent / "backups")
    assert "newer Carrel" in str(refused.value)
    assert "left as it is" in str(refused.value)
    assert home.read_bytes() == before
    assert backups_of(home) == []


def test_a_database_that_another_program_holds_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(home)
    monkeypatch.setattr(room, "WAIT", 0.05)
    with closing(sqlite3.connect(home, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="Another program"):
            open_database(home, home.parent / "backups")
    assert titles(home) == ["Lease"]


async def test_a_disk_that_is_full_is_said_and_the_next_write_works(home: Path) -> None:
    db, _ = open_database(home, home.parent / "backups")
    said: list[str] = []
    db.told = said.append
    try:
        pages = db.row("PRAGMA page_count")[0]
        await db.write(lambda held: held.execute(f"PRAGMA max_page_count = {pages + 2}").fetchall())
        with pytest.raises(StoreError, match="disk is full"):
            await db.execute("INSERT INTO prompts VALUES ('a', 'Long', ?, 1)", ("x" * 200_000,))
        await db.write(lambda held: held.execute("PRAGMA max_page_count = 100000").fetchall())
        await db.execute("INSERT INTO prompts VALUES ('b', 'Short', 'x', 1)")
        assert [row["id"] for row in db.read("SELECT id FROM prompts")] == ["b"]
        assert said == ["The disk is full.", ""]
    finally:
        await db.close()


async def test_a_mistake_of_ours_is_no_fault_of_the_disk(home: Path) -> None:
    db, _ = open_database(home, home.parent / "backups")
    try:
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            await db.execute("INSERT INTO nowhere VALUES (1)")
    finally:
        await db.close()


def test_a_folder_that_may_not_be_written_is_said(home: Path) -> None:
    with read_only() as folder, pytest.raises(StoreError, match="may not be written") as refused:
        open_database(folder / "carrel.sqlite", folder / "backups")
    assert "Another program" not in str(refused.value)


def test_a_folder_that_cannot_be_made_is_said(home: Path) -> None:
    with read_only() as folder, pytest.raises(StoreError, match="Permission denied"):
        open_database(folder / "data" / "carrel.sqlite", folder / "backups")


def test_a_database_that_may_only_be_read_is_said_and_kept(home: Path) -> None:
    opened(home)
    before = home.read_bytes()
    with read_only(home) as folder:
        with pytest.raises(StoreError, match="may not be written"):
            open_database(folder / home.name, folder / "backups")
        assert (folder / home.name).read_bytes() == before
        assert [f.name for f in folder.iterdir()] == [home.name]


def test_no_connection_stays_open_behind_a_refusal(home: Path) -> None:
    home.parent.mkdir()
    home.write_bytes(b"no database" * 1000)
    with pytest.raises(sqlite3.DatabaseError):
        Database(home)
    open_files = [os.readlink(f"/proc/self/fd/{n}") for n in _descriptors()]
    assert str(home) not in open_files


def _descriptors() -> list[str]:
    folder = Path("/proc/self/fd")
    return [n for n in os.listdir(folder) if os.path.lexists(folder / n)] if folder.exists() else []
