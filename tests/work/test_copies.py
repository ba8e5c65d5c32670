"""Files that need not be sent: known to the service, or twice in one queue; said before their turn comes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from carrel.model.transfers import FOR_MESSAGE
from carrel.work.looking import digest
from carrel.work.session import Session
from faulty import Peer, faulty, routes
from sessions import open_session, until

LARGE = 5_000_000
"""Bytes of a file that travels alone."""


class Slow:
    """A service that keeps every upload waiting until the test lets it go; what it took is listed."""

    def __init__(self, *, held: bool) -> None:
        self.go = asyncio.Event()
        if not held:
            self.go.set()
        self.names: list[str] = []

    async def take(self, peer: Peer) -> None:
        names = [part.split(b'"')[0].decode() for part in (await peer.body()).split(b'filename="')[1:]]
        await self.go.wait()
        self.names += names
        await peer.json({"message": "ok", "data": [self._item(name) for name in names]})

    async def list(self, peer: Peer) -> None:
        page = {"total_items": len(self.names), "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
        await peer.json({**page, "items": [self._item(name) for name in self.names]})

    def table(self) -> object:
        return routes({"POST /external/upload": self.take, "GET /external/libraries": self.list})

    def _item(self, name: str) -> dict[str, str]:
        fields = {"state": "success", "provider": "file", "created_at": "2026-11-21T10:00:00"}
        return {"id": f"id-{name}", "file_name": name, **fields}


def large(folder: Path, number: int) -> Path:
    path = folder / f"large-{number}.txt"
    path.write_bytes(f"{number} ".encode() * (LARGE // 2 + number))
    return path


def note(folder: Path, name: str, text: str = "One and the same sentence.") -> Path:
    (folder / name).write_text(text)
    return folder / name


def states(session: Session) -> dict[str, str]:
    return {row.name: row.state for row in session.uploads.rows()}


async def test_a_known_copy_says_so_while_others_are_still_being_sent(tmp_path: Path) -> None:
    service = Slow(held=False)
    async with faulty(service.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add([note(tmp_path, "first.txt")])
        await until(lambda: states(session) == {"first.txt": "done"}, "the first is ready")
        await until(lambda: not session.tasks.running("up:hash"), "its content is remembered")
        service.go.clear()
        await session.uploads.add([*(large(tmp_path, n) for n in range(3)), note(tmp_path, "copy.txt")])
        await until(lambda: states(session)["copy.txt"] == "duplicate", "the copy says so behind three large files")
        assert [states(session)[f"large-{n}.txt"] for n in range(3)] == ["moving"] * 3
        row = session.uploads.rows()[-1]
        assert row.error == "It has the same content as “first.txt”."
        assert row.file_id == "id-first.txt"
        assert row.ended_at is not None, "when the former was uploaded is known"
        service.go.set()


async def test_two_equal_files_of_one_drop_are_sent_once_unless_asked(tmp_path: Path) -> None:
    service = Slow(held=False)
    files = [note(tmp_path, "a.txt"), note(tmp_path, "b.txt"), note(tmp_path, "c.txt", "Another sentence, as long.")]
    async with faulty(service.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(files)
        await until(lambda: states(session)["a.txt"] == states(session)["c.txt"] == "done", "two are sent")
        assert states(session)["b.txt"] == "duplicate"
        row = session.uploads.rows()[1]
        await until(lambda: session.uploads.row(row.id).file_id == "id-a.txt", "what it is a copy of is known")
        assert session.uploads.row(row.id).error == "It has the same content as “a.txt”."
        await session.uploads.retry(row.id)
        await until(lambda: states(session)["b.txt"] == "done", "the copy was sent when asked")
    assert sorted(service.names) == ["a.txt", "b.txt", "c.txt"]


async def test_two_messages_each_get_a_file_of_their_own(tmp_path: Path) -> None:
    service = Slow(held=False)
    async with faulty(service.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add([note(tmp_path, "a.txt"), note(tmp_path, "b.txt")], origin=f"{FOR_MESSAGE}1")
        await until(lambda: set(states(session).values()) == {"done"}, "both are sent")
    assert sorted(service.names) == ["a.txt", "b.txt"]


async def test_a_file_that_changed_under_its_name_is_no_copy_of_itself(tmp_path: Path) -> None:
    service = Slow(held=False)
    async with faulty(service.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        for text in ("It costs nine euro.", "It costs two euros."):
            await session.uploads.add([note(tmp_path, "a.txt", text)])
            await until(lambda: set(states(session).values()) == {"done"}, "it is sent")
    assert service.names == ["a.txt", "a.txt"]


async def test_a_file_is_read_once_however_many_ask_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def hashed(path: Path) -> str:
        read.append(path.name)
        return digest(path)

    service = Slow(held=False)
    async with faulty(service.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add([note(tmp_path, "a.txt")])
        await until(lambda: states(session) == {"a.txt": "done"}, "it is sent")
        await until(lambda: not session.tasks.running("up:hash"), "its content is remembered")
        monkeypatch.setattr("carrel.work.copies.digest", hashed)
        await session.uploads.add([note(tmp_path, "b.txt")])  # looked at while it waits, and as its turn comes
        row = session.uploads.rows()[-1]
        copies = session.uploads._duplicates._copies
        assert len({copy.words for copy in await asyncio.gather(*(copies.of(row) for _ in range(5))) if copy}) == 1
    assert read == ["b.txt"]
