"""A watched folder is followed on: past a name that is no text, a file that goes, a database that refuses."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel_service import folders as room
from carrel_service.db import Database
from carrel_service.folders import Folders
from carrel_service.index import Index
from carrel_service.library import Library
from carrel_service.schema import MIGRATIONS
from running import wait_until


class Watched:
    def __init__(self, tmp_path: Path) -> None:
        self.papers = tmp_path / "papers"
        self.papers.mkdir()
        self.data = tmp_path / "data"
        self.data.mkdir()
        self.db = Database(self.data / "service.sqlite", MIGRATIONS)
        self.library = Library(self.db, self.data)
        self.folders = Folders(self.db, self.library, Index(self.db, self.library), [self.papers])

    def write(self, name: str) -> None:
        (self.papers / name).write_text("The lease ends in May 2031.")

    def names(self) -> set[str]:
        with self.db.read() as db:
            return {row["file_name"] for row in db.execute("SELECT file_name FROM files")}


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setattr(room, "_SETTLE", 0.01)
    monkeypatch.setattr(room, "_AGAIN", 0.05)
    made = Watched(tmp_path)
    yield made
    made.folders.stop()
    made.db.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name is text")
@pytest.mark.parametrize("at", ["file", "folder"])
def test_a_name_that_is_no_text_is_left_out_and_the_rest_is_taken_in(watched: Watched, at: str, log_watch) -> None:
    log_watch.expect("its name is not UTF-8")
    if at == "folder":
        os.mkdir(os.fsencode(watched.papers) + b"/caf\xe9")
    name = b"/caf\xe9.txt" if at == "file" else b"/caf\xe9/menu.txt"
    with open(os.fsencode(watched.papers) + name, "w") as out:
        out.write("words")
    watched.write("lease.txt")
    watched.folders.start()
    wait_until(lambda: watched.names() == {"lease.txt"}, "the file that can be named")
    watched.write("minutes.txt")
    wait_until(lambda: watched.names() == {"lease.txt", "minutes.txt"}, "the folder is followed")
    assert sum("not UTF-8" in line for line in log_watch.seen) == 1


@pytest.mark.parametrize("error", [sqlite3.OperationalError("database or disk is full"), ZeroDivisionError("ours")])
def test_what_fails_once_is_tried_again_without_a_further_change(
    watched: Watched, error: Exception, monkeypatch: pytest.MonkeyPatch, log_watch
) -> None:
    log_watch.expect(str(error))
    add, refusals = watched.library.add, iter(range(2))

    def refuse(files: list) -> list:
        if next(refusals, None) is not None:
            raise error
        return add(files)

    monkeypatch.setattr(watched.library, "add", refuse)
    watched.write("lease.txt")
    watched.folders.start()
    wait_until(lambda: watched.names() == {"lease.txt"}, "the file is taken in")


def test_a_file_that_goes_while_the_folder_is_read_is_no_trouble(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = room._files

    def going(folder: Path) -> Iterator[Path]:
        for path in files(folder):
            if path.name == "gone.txt":
                path.unlink()
            yield path

    monkeypatch.setattr(room, "_files", going)
    watched.write("gone.txt")
    watched.write("lease.txt")
    watched.folders.start()
    wait_until(lambda: watched.names() == {"lease.txt"}, "the file that is there")
