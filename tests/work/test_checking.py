"""The check that a file can be found: what it says is true of this very file, and of the time that is known."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from carrel.work import checking
from carrel.work.checking import check, check_file
from carrel.work.session import Session
from faulty import Peer, faulty, routes
from sessions import open_session, until

TWIN = {"id": "other", "file_name": "note.txt", "state": "success", "provider": "file"}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "PATIENCE", 5.0)


class Shelf:
    """A service that has another file of each name, and finds what the test says, answer after answer."""

    def __init__(self, *answers: list[dict[str, Any]]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def take(self, peer: Peer) -> None:
        name = (await peer.body()).split(b'filename="')[1].split(b'"')[0].decode()
        await peer.json({"message": "ok", "data": [{**TWIN, "id": "mine", "file_name": name}]})

    async def list(self, peer: Peer) -> None:
        page = {"total_items": 1, "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
        await peer.json({**page, "items": [TWIN]})

    async def search(self, peer: Peer) -> None:
        await peer.body()
        self.asked.append(peer.seen.json()["keyword"])
        hits = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        await peer.json({"success": True, "results": hits})

    @asynccontextmanager
    async def sent(self, home: Path, file: Path) -> AsyncIterator[tuple[Session, str]]:
        """A session that has sent a file to this service, and the file's row."""
        table = {
            "POST /external/upload": self.take,
            "GET /external/libraries": self.list,
            "POST /external/search": self.search,
        }
        async with faulty(routes(table)) as server, open_session(home, server.account()) as session:
            await session.library.open()
            await session.uploads.add([file])
            await until(lambda: session.uploads.rows()[0].state == "done", "it is sent")
            yield session, session.uploads.rows()[0].id


def note_in(folder: Path, name: str = "note.txt") -> Path:
    (folder / name).write_text("The blue quay lamp was serviced on the ninth of March by Odile.")
    return folder / name


def hit(file_id: str, title: str = "note.txt") -> dict[str, Any]:
    return {"id": file_id, "title": title, "content": "lamp", "score": 1.0}


async def test_what_is_found_at_the_first_look_is_found_now(tmp_path: Path) -> None:
    shelf = Shelf([hit("other"), hit("mine")])
    async with shelf.sent(tmp_path / "home", note_in(tmp_path)) as (session, row_id):
        await session.uploads.settle([row_id], ended_at=1000.0)
        await check(session, row_id)
        note = session.uploads.row(row_id).note
    assert note.startswith("Found now, as hit 2 for “The blue quay lamp"), "another file of that name is another file"


async def test_the_time_is_said_where_a_first_look_missed_it(tmp_path: Path) -> None:
    shelf = Shelf([hit("other")], [hit("other"), hit("mine")])
    async with shelf.sent(tmp_path / "home", note_in(tmp_path)) as (session, row_id):
        await check(session, row_id)
        note = session.uploads.row(row_id).note
    assert "s after it was sent, as hit 2 for “The blue quay lamp" in note


async def test_where_hits_bear_other_ids_the_name_is_all_that_is_known(tmp_path: Path) -> None:
    shelf = Shelf([hit("passage-1", "else.txt"), hit("passage-2")])
    async with shelf.sent(tmp_path / "home", note_in(tmp_path)) as (session, row_id):
        await check(session, row_id)
        note = session.uploads.row(row_id).note
    assert note.startswith("A file of this name was found now, as hit 2 for “The blue")


async def test_a_file_that_cannot_be_read_here_is_searched_by_its_name_and_that_is_said(tmp_path: Path) -> None:
    shelf = Shelf([hit("mine", "quay-lamp.pdf")])
    async with shelf.sent(tmp_path / "home", note_in(tmp_path, "quay-lamp.pdf")) as (session, row_id):
        await check(session, row_id)
        assert session.uploads.row(row_id).note == "Found now by its name, as hit 1."
    assert shelf.asked == ["quay lamp"]


async def test_a_listed_file_is_checked_by_the_words_of_what_was_sent_or_else_by_name(tmp_path: Path) -> None:
    shelf = Shelf([hit("mine")])
    async with shelf.sent(tmp_path / "home", note_in(tmp_path)) as (session, row_id):
        assert (await check_file(session, "mine", "note.txt")).startswith("Found now, as hit 1 for “The blue")
        await session.uploads.clear([row_id])
        assert await check_file(session, "mine", "note.txt") == "Found now by its name, as hit 1."


def test_a_name_without_words_is_searched_for_as_it_is() -> None:
    assert checking.words_of(Path("_.png")).text == "_.png"
    assert checking.words_of(Path("north-quay.png")).text == "north quay"
