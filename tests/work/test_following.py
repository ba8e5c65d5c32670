"""Following uploaded files until they are ready: few requests, and an indexing that takes long is slow, not failed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from carrel.work import following
from carrel.work.session import Session
from faulty import Faulty, Peer, faulty, routes
from sessions import open_session, until

UPLOAD, LIST = "POST /external/upload", "GET /external/libraries"


class Indexing:
    """A service that takes files, and indexes them when the test says so."""

    def __init__(self) -> None:
        self.files: list[dict[str, Any]] = []

    async def take(self, peer: Peer) -> None:
        names = [part.split(b'"')[0].decode() for part in (await peer.body()).split(b'filename="')[1:]]
        fields = {"state": "loading", "provider": "file"}
        new = [{"id": f"id-{name}", "file_name": name, **fields} for name in names]
        self.files += [{**file, "created_at": "2026-11-21T10:00:00"} for file in new]
        await peer.json({"message": "ok", "data": new})

    async def list(self, peer: Peer) -> None:
        page = {"total_items": len(self.files), "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
        await peer.json({**page, "items": self.files})

    def end(self, state: str) -> None:
        self.files = [{**file, "state": state} for file in self.files]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("FIRST_LOOK", 0.05), ("LAST_LOOK", 0.1), ("SLOW", 0.3)):
        monkeypatch.setattr(following, name, seconds)


def notes(folder: Path, count: int) -> list[Path]:
    for number in range(count):
        (folder / f"n{number}.txt").write_text(f"Note {number}.")
    return sorted(folder.glob("n*.txt"))


@asynccontextmanager
async def following_of(service: Indexing, home: Path) -> AsyncIterator[tuple[Faulty, Session]]:
    """A session on a service that takes files and indexes them when it is told to."""
    async with (
        faulty(routes({UPLOAD: service.take, LIST: service.list})) as server,
        open_session(home, server.account()) as session,
    ):
        yield server, session


async def test_indexing_that_takes_long_is_slow_and_never_failed(tmp_path: Path) -> None:
    service = Indexing()
    async with following_of(service, tmp_path / "home") as (_, session):
        await session.uploads.add(notes(tmp_path, 1))
        row = lambda: session.uploads.rows()[0]  # noqa: E731
        await until(lambda: row().note, "it is said that it takes long")
        assert row().state == "indexing"
        assert "takes long" in row().note
        assert row().error == ""
        service.end("success")
        await until(lambda: row().state == "done", "it is ready in the end")


async def test_what_the_service_could_not_index_has_failed_with_a_reason(tmp_path: Path) -> None:
    service = Indexing()
    async with following_of(service, tmp_path / "home") as (_, session):
        await session.uploads.add(notes(tmp_path, 1))
        await until(lambda: service.files, "it was sent")
        service.end("indexing_error")
        await until(lambda: session.uploads.rows()[0].state == "failed", "it has failed")
        assert "could not index it" in session.uploads.rows()[0].error


async def test_many_files_are_followed_in_few_requests(tmp_path: Path) -> None:
    service = Indexing()
    async with following_of(service, tmp_path / "home") as (server, session):
        await session.uploads.add(notes(tmp_path, 60))
        await until(lambda: len(service.files) == 60, "all are sent")
        before = len(server.asked("/external/libraries"))
        service.end("success")
        await until(lambda: {row.state for row in session.uploads.rows()} == {"done"}, "all are ready")
        assert len(server.asked("/external/libraries")) - before <= 3, "one page tells of sixty files"


async def test_what_the_service_never_lists_is_followed_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "LOST", 0.3)
    service = Indexing()
    async with following_of(service, tmp_path / "home") as (_, session):
        await session.library.open()
        await session.uploads.add(notes(tmp_path, 2))
        await until(lambda: len(service.files) == 2, "both are sent")
        lost, kept = sorted(session.uploads.rows(), key=lambda row: row.name)
        service.files = [file for file in service.files if file["file_name"] == kept.name]
        await until(lambda: session.uploads.row(lost.id).state == "interrupted", "it is given up")
        assert "does not list it" in session.uploads.row(lost.id).error
        assert session.uploads.row(kept.id).state == "indexing", "what is listed is followed further"
        service.end("success")
        await until(lambda: session.uploads.row(kept.id).state == "done", "it is ready")
        await until(lambda: not session.tasks.running("up:follow"), "nothing is asked any more")


async def test_what_is_being_indexed_can_be_dismissed(tmp_path: Path) -> None:
    async with following_of(Indexing(), tmp_path / "home") as (_, session):
        await session.uploads.add(notes(tmp_path, 1))
        await until(lambda: session.uploads.rows()[0].state == "indexing", "the service has it")
        await session.uploads.clear([session.uploads.rows()[0].id])
        await until(lambda: not session.tasks.running("up:follow"), "nothing is asked any more")
        assert session.uploads.rows() == ()


async def test_a_state_that_nobody_knows_is_shown_and_ends_the_following(tmp_path: Path) -> None:
    service, told = Indexing(), []
    async with following_of(service, tmp_path / "home") as (_, session):
        session.uploads.ended.connect(told.append)
        await session.uploads.add(notes(tmp_path, 1))
        await until(lambda: service.files, "it was sent")
        service.end("quarantined")
        row = lambda: session.uploads.rows()[0]  # noqa: E731
        await until(lambda: row().note == "The service says: quarantined", "it is shown as it is")
        await until(lambda: row().state == "done" and told, "it is over")
        assert (row().note, told[0].ready) == ("The service says: quarantined", 1)
        await until(lambda: not session.tasks.running("up:follow"), "nothing is asked any more")


async def test_a_state_that_nobody_knows_may_be_followed_by_one_that_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "SLOW", 600.0)
    service = Indexing()
    async with following_of(service, tmp_path / "home") as (_, session):
        await session.uploads.add(notes(tmp_path, 1))
        await until(lambda: service.files, "it was sent")
        service.end("queued")
        row = lambda: session.uploads.rows()[0]  # noqa: E731
        await until(lambda: row().note == "The service says: queued", "it is shown as it is")
        service.end("success")
        await until(lambda: row().state == "done", "it is ready")
        assert row().note == ""


async def test_one_that_takes_long_does_not_keep_the_others_untold(tmp_path: Path) -> None:
    service, told = Indexing(), []
    async with following_of(service, tmp_path / "home") as (_, session):
        session.uploads.ended.connect(told.append)
        await session.uploads.add(notes(tmp_path, 3))
        await until(lambda: len(service.files) == 3, "they were sent")
        service.files = [{**file, "state": "success"} for file in service.files[:2]] + service.files[2:]
        await until(lambda: told, "the others are told of")
        assert told[0].ready == 2
        service.end("success")
        await until(lambda: len(told) == 2, "so is the last")
        assert told[1].ready == 1
