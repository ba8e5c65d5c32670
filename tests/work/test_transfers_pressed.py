"""Presses that follow one another quickly: none undoes another, and a row that was stopped is not on its way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from carrel.model import Account, InvalidRequest, LibraryFile, LibraryPage, Unreachable
from carrel.work.session import Session
from carrel.work.tasks import Tasks
from sessions import on_disk, open_session, until

NOWHERE = Account(base_url="http://127.0.0.1:9", client_id="cidcidcid", api_key="keykeykey", secret="secsecsec")
STATES = "SELECT name, state FROM transfers"
LARGE = 5_000_000
"""Bytes of a file that goes alone."""


class Wire:
    """Stands for the service's upload: a request ends when its first file is let go, and a cut one may linger."""

    def __init__(self) -> None:
        self.sent: list[list[str]] = []
        self.under_way: list[list[str]] = []
        self.lets: dict[str, asyncio.Future[None]] = {}
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def upload(self, paths: Sequence[Path], folder: str = "", progress: object = None) -> list[LibraryFile]:
        names = [path.name for path in paths]
        let = self.lets[names[0]] = asyncio.get_running_loop().create_future()
        self.sent.append(names)
        self.under_way.append(names)
        try:
            await let
        except asyncio.CancelledError:
            await self.may_end.wait()
            raise
        finally:
            self.under_way.remove(names)
        return [LibraryFile(id="", file_name=name) for name in names]


class Disk:
    """Holds back the writes of a session while it is told to."""

    def __init__(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        self.takes, self.held, self._write = asyncio.Event(), 0, session.context.db.write
        self.takes.set()
        monkeypatch.setattr(session.context.db, "write", self._write_then)

    async def _write_then(self, *given: Any, **more: Any) -> Any:
        self.held += 1
        await self.takes.wait()
        self.held -= 1
        return await self._write(*given, **more)


@asynccontextmanager
async def wired(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Session, Wire]]:
    async with open_session(home / "home", NOWHERE) as session:
        wire = Wire()
        monkeypatch.setattr(session.context.service, "upload", wire.upload)
        try:
            yield session, wire
        finally:
            wire.may_end.set()


def files(home: Path, *names: str, size: int = 0) -> list[Path]:
    for name in names:
        (home / name).write_bytes(name.encode() + b"\n" * size)
    return [home / name for name in names]


def states(session: Session) -> dict[str, str]:
    return {row.name: row.state for row in session.uploads.rows()}


def ids(session: Session) -> dict[str, str]:
    return {row.name: row.id for row in session.uploads.rows()}


async def test_what_is_started_beside_another_does_not_end_it() -> None:
    tasks, go, did = Tasks(), asyncio.Event(), []

    async def press(name: str) -> None:
        await go.wait()
        did.append(name)

    pressed = [tasks.start_beside("try.again", press(name)) for name in ("one", "two")]
    assert [task.get_name().rpartition(".")[0] for task in pressed] == ["try.again", "try.again"]
    go.set()
    await asyncio.wait(pressed)
    assert did == ["one", "two"]
    assert tasks.keys() == []


async def test_a_cancel_that_is_broken_off_leaves_no_row_that_moves_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wired(tmp_path, monkeypatch) as (session, wire):
        await session.uploads.add(files(tmp_path, "a.txt", "b.txt", size=LARGE))
        await until(lambda: len(wire.under_way) == 2, "both are under way")
        wire.may_end.clear()
        for name in ("a.txt", "b.txt"):
            session.tasks.start("cancel", session.uploads.cancel(ids(session)[name]))
            await asyncio.sleep(0)
        wire.may_end.set()
        await until(lambda: states(session) == {"a.txt": "cancelled", "b.txt": "cancelled"}, "both are cancelled")
        await until(lambda: not session.tasks.running("cancel"), "it is written")
        assert wire.under_way == []
        await until(lambda: {row[1] for row in on_disk(tmp_path / "home", STATES)} == {"cancelled"}, "on the disk too")


async def test_rows_of_a_refused_batch_start_when_their_request_has_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wired(tmp_path, monkeypatch) as (session, wire):
        await session.uploads.add(files(tmp_path, "a.txt", "b.txt"))
        await until(lambda: wire.under_way == [["a.txt", "b.txt"]], "they share a request")
        disk = Disk(session, monkeypatch)
        disk.takes.clear()
        wire.lets["a.txt"].set_exception(InvalidRequest("refused", sent="no"))
        await until(lambda: set(states(session).values()) == {"waiting"}, "they wait again")
        session.uploads.go_on()
        assert set(states(session).values()) == {"waiting"}
        disk.takes.set()
        await until(lambda: sorted(wire.under_way) == [["a.txt"], ["b.txt"]], "each goes alone")
        await session.uploads.cancel(ids(session)["a.txt"])
        assert states(session)["a.txt"] == "cancelled"
        assert wire.under_way == [["b.txt"]]


async def test_rows_of_a_held_queue_do_not_start_while_that_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wired(tmp_path, monkeypatch) as (session, wire):
        await session.uploads.add(files(tmp_path, "a.txt"))
        await until(lambda: wire.under_way, "it is under way")
        disk = Disk(session, monkeypatch)
        disk.takes.clear()
        wire.lets["a.txt"].set_exception(Unreachable("gone", sent="no"))
        await until(lambda: states(session) == {"a.txt": "waiting"}, "it waits again")
        assert session.uploads.held
        disk.takes.set()


async def test_a_waiting_row_that_is_cancelled_with_a_moving_one_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wired(tmp_path, monkeypatch) as (session, wire):
        await session.uploads.add(files(tmp_path, "a.txt", "b.txt", "c.txt", "d.txt", size=LARGE))
        await until(lambda: len(wire.under_way) == 3, "three are under way")
        await until(lambda: not session.tasks.running("up:compare"), "no two are the same")
        wire.may_end.clear()
        row = ids(session)
        pressed = session.tasks.start("cancel", session.uploads.cancel(row["a.txt"], row["d.txt"]))
        await asyncio.sleep(0)
        wire.lets["b.txt"].set_result(None)
        await until(lambda: states(session)["b.txt"] == "done", "another ends")
        await until(lambda: not session.tasks.running(f"up:{row['b.txt']}"), "there is room")
        wire.may_end.set()
        await asyncio.wait([pressed])
        assert states(session) == {"a.txt": "cancelled", "b.txt": "done", "c.txt": "moving", "d.txt": "cancelled"}
        assert wire.under_way == [["c.txt"]]


async def test_two_of_one_request_are_paused_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wired(tmp_path, monkeypatch) as (session, wire):
        await session.uploads.add(files(tmp_path, "a.txt", "b.txt", "c.txt"))
        await until(lambda: wire.under_way == [["a.txt", "b.txt", "c.txt"]], "they share a request")
        wire.may_end.clear()
        for name in ("a.txt", "b.txt"):
            session.tasks.start_beside("pause", session.uploads.pause(ids(session)[name]))
            await asyncio.sleep(0)
        wire.may_end.set()
        await until(lambda: wire.under_way == [["c.txt"]], "the third goes on alone")
        assert states(session) == {"a.txt": "paused", "b.txt": "paused", "c.txt": "moving"}


async def test_a_row_that_was_cancelled_while_the_library_was_asked_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = asyncio.Event(), asyncio.Event()

    async def search(name: str) -> Any:
        asked.set()
        await answers.wait()
        return LibraryPage()

    async with wired(tmp_path, monkeypatch) as (session, wire):
        monkeypatch.setattr(session.library, "search", search)
        session.uploads.hold("for this test")
        await session.uploads.add(files(tmp_path, "a.txt"))
        row_id = ids(session)["a.txt"]
        await session.uploads.settle([row_id], state="interrupted")
        session.uploads.go_on()
        again = session.tasks.start("again", session.uploads.retry(row_id))
        await asked.wait()
        await session.uploads.cancel(row_id)
        answers.set()
        await asyncio.wait([again])
        assert states(session) == {"a.txt": "cancelled"}
        assert wire.sent == []


async def test_a_download_whose_press_is_broken_off_is_known_and_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_session(tmp_path, NOWHERE) as session:
        session.downloads.hold("for this test")
        disk = Disk(session, monkeypatch)
        disk.takes.clear()
        for number in range(2):
            session.tasks.start("fetch", session.downloads.fetch(f"http://127.0.0.1:9/{number}", "a.pdf"))
            await until(lambda n=number: disk.held == n + 1, "it is being written")
        disk.takes.set()
        await until(lambda: not session.tasks.running("fetch"), "both are written")
        assert [row.name for row in session.downloads.rows()] == ["a.pdf", "a (2).pdf"]
        await until(lambda: len(on_disk(tmp_path, STATES)) == 2, "also in the store")


async def test_what_is_queued_as_the_session_closes_waits_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_session(tmp_path, NOWHERE) as session:
        disk = Disk(session, monkeypatch)
        disk.takes.clear()
        session.tasks.start("fetch", session.downloads.fetch("http://127.0.0.1:9/1", "a.pdf"))
        await until(lambda: disk.held, "it is being written")
        closing = asyncio.ensure_future(session.tasks.close())
        await asyncio.sleep(0)
        disk.takes.set()
        await closing
    assert [tuple(row) for row in on_disk(tmp_path, STATES)] == [("a.pdf", "waiting")]
