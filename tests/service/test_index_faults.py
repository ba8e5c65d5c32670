"""The index's thread goes on: past files that vanish, a database that refuses a step, a reader that does not start."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from carrel_service import index as room
from carrel_service.db import Database
from carrel_service.extract import Text
from carrel_service.index import Index
from carrel_service.library import Library, NewFile
from carrel_service.schema import MIGRATIONS
from running import wait_until

WORDS = "The tenant keeps the roof in repair, and tells the landlord of it."


class Reading:
    """In place of the reading process: `at` is called with each file's name before its words are given."""

    running = False

    def __init__(self, at: Callable[[str], None]) -> None:
        self._at = at

    def read(self, path: Path, name: str) -> list[Text]:
        self._at(name)
        return [Text(f"{WORDS} {name}")]

    def kill(self) -> None:
        """There is nothing to end."""


class Shop:
    def __init__(self, folder: Path) -> None:
        self.db = Database(folder / "service.sqlite", MIGRATIONS)
        self.library = Library(self.db, folder)
        self.index = Index(self.db, self.library)
        self.folder = folder

    def begin(self, at: Callable[[str], None]) -> None:
        self.index._reader = Reading(at)
        self.index.embedder = lambda: None
        self.index.start()

    def watched(self, name: str) -> NewFile:
        file = self.folder / name
        file.write_text(WORDS)
        return NewFile(name, file, file.stat().st_size, provider="folder", in_place=True, changed_ns=1)

    def state(self, file_id: str) -> str:
        return self.library.get(file_id).state

    def count(self, table: str) -> int:
        with self.db.read() as db:
            return db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    monkeypatch.setattr(room, "_WAITS", (0.01, 0.02))
    made = Shop(tmp_path)
    yield made
    made.index.stop()
    made.db.close()


def test_a_file_that_is_taken_away_while_it_is_read_leaves_nothing_and_the_next_one_is_indexed(shop: Shop) -> None:
    gone = shop.library.add([shop.watched("gone.txt")])[0]
    shop.begin(lambda name: shop.index.forget(gone) if name == "gone.txt" else None)
    later = shop.library.add_document("later.txt", b"words")
    wait_until(lambda: shop.state(later) == "success", "the next file is indexed")
    assert shop.library.get(gone.id) is None
    assert shop.count("passages") == 1


def test_a_file_that_changes_while_it_is_read_is_read_again(shop: Shop) -> None:
    file = shop.library.add([shop.watched("minutes.txt")])[0]
    read: list[str] = []

    def change(name: str) -> None:
        read.append(name)
        if len(read) == 1:
            with shop.db.write() as db:
                db.execute("UPDATE files SET changed_ns = 2 WHERE number = ?", (file.number,))

    shop.begin(change)
    wait_until(lambda: shop.state(file.id) == "success", "it is indexed as it is now")
    assert read == ["minutes.txt", "minutes.txt"]
    assert shop.count("passages") == 1


def test_a_step_that_the_database_refuses_is_tried_again(shop: Shop, log_watch) -> None:
    log_watch.expect("database or disk is full")
    refusals = iter(range(3))

    def refuse(name: str) -> None:
        if next(refusals, None) is not None:
            raise sqlite3.OperationalError("database or disk is full")

    file = shop.library.add_document("register.txt", b"words")
    shop.begin(refuse)
    wait_until(lambda: shop.state(file) == "success", "it is indexed once the disk has room")


def test_what_the_database_will_never_take_is_a_failed_file(shop: Shop, log_watch) -> None:
    log_watch.expect("string or blob too big")

    def refuse(name: str) -> None:
        if name == "huge.txt":
            raise sqlite3.DataError("string or blob too big")

    huge = shop.library.add_document("huge.txt", b"w")
    small = shop.library.add_document("small.txt", b"words")
    shop.begin(refuse)
    wait_until(lambda: shop.state(small) == "success", "the other one is indexed")
    assert shop.state(huge) == "failed"


def test_a_reading_process_that_does_not_start_is_tried_again(shop: Shop, log_watch) -> None:
    log_watch.expect("Too many open files")
    refusals = iter(range(3))

    def refuse(name: str) -> None:
        if next(refusals, None) is not None:
            raise OSError(24, "Too many open files")

    file = shop.library.add_document("register.txt", b"words")
    shop.begin(refuse)
    wait_until(lambda: shop.state(file) == "success", "it is indexed once there is room")


def test_a_file_that_goes_before_it_is_read_is_gone_and_the_next_one_is_indexed(shop: Shop) -> None:
    gone, found = shop.library.add([shop.watched("gone.txt")])[0], shop.index._next

    def forget() -> object:
        file = found()
        if file and file.id == gone.id:
            shop.index.forget(file)
        return file

    shop.index._next = forget
    shop.begin(lambda _: None)
    later = shop.library.add_document("later.txt", b"words")
    wait_until(lambda: shop.state(later) == "success", "the next file is indexed")
    assert shop.library.get(gone.id) is None


def test_a_mistake_of_ours_is_told_and_the_queue_goes_on(shop: Shop, log_watch) -> None:
    log_watch.expect("ZeroDivisionError")
    mistakes = iter(range(1))

    def mistake(name: str) -> None:
        if next(mistakes, None) is not None:
            raise ZeroDivisionError

    file = shop.library.add_document("register.txt", b"words")
    shop.begin(mistake)
    wait_until(lambda: shop.state(file) == "success", "it is indexed at the second try")


def test_a_database_that_refuses_at_the_start_is_asked_again(shop: Shop, log_watch) -> None:
    log_watch.expect("database is locked")
    refusals, found = iter(range(1)), shop.index._has_passages

    def refuse() -> bool:
        if next(refusals, None) is not None:
            raise sqlite3.OperationalError("database is locked")
        return found()

    shop.index._has_passages = refuse
    file = shop.library.add_document("register.txt", b"words")
    shop.begin(lambda _: None)
    wait_until(lambda: shop.state(file) == "success", "it is indexed")
