"""A disk that refuses the journal: the queue waits for it, and what was done is not done again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from carrel.store.db import StoreError
from carrel.work import transfers
from carrel.work.session import Session
from conftest import LogWatch
from faulty import Peer, faulty, routes
from sessions import on_disk, open_session, until

REFUSED = "The journal cannot be written. The disk is full."


class Full:
    """A disk that is full while the test says so."""

    def __init__(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full, self._write = False, session.context.db.write
        monkeypatch.setattr(session.context.db, "write", self._write_or_refuse)

    async def _write_or_refuse(self, *given: Any, **more: Any) -> Any:
        if self.is_full:
            await asyncio.sleep(0)
            raise StoreError(REFUSED)
        return await self._write(*given, **more)


async def accept(peer: Peer) -> None:
    names = [part.split(b'"')[0].decode() for part in (await peer.body()).split(b'filename="')[1:]]
    await peer.json({"message": "ok", "data": [{"id": f"id-{n}", "file_name": n, "state": "success"} for n in names]})


def note(folder: Path, name: str) -> Path:
    (folder / name).write_text(f"This is {name}.")
    return folder / name


async def test_a_full_disk_holds_the_queue_until_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch: LogWatch
) -> None:
    log_watch.expect(REFUSED)
    monkeypatch.setattr(transfers, "DISK_WAIT", 0.05)
    table = {"POST /external/upload": accept}
    async with faulty(routes(table)) as server, open_session(tmp_path / "home", server.account()) as session:
        session.uploads.hold("for this test")
        await session.uploads.add([note(tmp_path, "a.txt"), note(tmp_path, "b.txt")])
        await until(lambda: not session.tasks.running("up:compare"), "they are looked at")
        disk = Full(session, monkeypatch)
        disk.is_full = True
        held: list[str] = []
        session.uploads.held_changed.connect(lambda: held.append(session.uploads.held))
        session.uploads.go_on()
        await until(lambda: held.count(REFUSED) > 2, "it tries and waits")
        assert {row.state for row in session.uploads.rows()} <= {"waiting", "moving"}
        assert server.asked("/external/upload") == []
        disk.is_full = False
        await until(lambda: {row.state for row in session.uploads.rows()} == {"indexing"}, "it goes on by itself")
        assert len(server.asked("/external/upload")) == 1


async def test_what_was_sent_is_not_sent_again_because_of_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch: LogWatch
) -> None:
    log_watch.expect(REFUSED)
    monkeypatch.setattr(transfers, "DISK_WAIT", 0.05)
    disks: list[Full] = []

    async def fill_and_accept(peer: Peer) -> None:
        disks[0].is_full = True
        await accept(peer)

    table = {"POST /external/upload": fill_and_accept}
    async with faulty(routes(table)) as server, open_session(tmp_path / "home", server.account()) as session:
        disks.append(Full(session, monkeypatch))
        await session.uploads.add([note(tmp_path, "a.txt"), note(tmp_path, "b.txt")])
        await until(lambda: {row.state for row in session.uploads.rows()} == {"indexing"}, "both are with the service")
        await until(lambda: session.uploads.held, "what follows waits for the disk")
        disks[0].is_full = False
        await until(lambda: not session.uploads.held, "it goes on")
        assert len(server.asked("/external/upload")) == 1


async def test_a_download_that_is_whole_stays_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch: LogWatch
) -> None:
    log_watch.expect(REFUSED)
    disks: list[Full] = []

    async def give(peer: Peer) -> None:
        disks[0].is_full = True
        await peer.answer(b"whole")

    async with (
        faulty(routes({"GET /file": give})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        disks.append(Full(session, monkeypatch))
        row_id = await session.downloads.fetch(f"{server.url}/file", "a.txt", origin="library:1")
        row = await session.downloads.wait(row_id)
        assert row is not None, session.downloads.rows()
        assert await asyncio.to_thread(Path(row.path).read_bytes) == b"whole"
        assert session.downloads.row(row_id).state == "done"
        disks[0].is_full = False


async def test_the_order_of_the_queue_is_kept_through_a_restart(tmp_path: Path) -> None:
    order = "SELECT name FROM transfers ORDER BY position"
    async with faulty(routes({})) as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            session.uploads.hold("for this test")
            await session.uploads.add([note(tmp_path, f"{letter}.txt") for letter in "abc"])
            await asyncio.sleep(0.01)
            await session.uploads.add([note(tmp_path, "d.txt")])
            one, two, _, four = session.uploads.rows()
            await session.uploads.move(two.id, one.id)
            await session.uploads.move(four.id, two.id)
            await session.uploads.move(one.id, None)
            await session.uploads.add([note(tmp_path, "e.txt")])
            names = [row.name for row in session.uploads.rows()]
        assert names == ["d.txt", "b.txt", "c.txt", "a.txt", "e.txt"]
        assert [row[0] for row in on_disk(tmp_path / "home", order)] == names
