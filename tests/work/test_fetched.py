"""Where downloads lie: over the file that a person agreed to replace, and known when their rows are cleared."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from carrel.work.session import Session
from faulty import Faulty, Peer, faulty, routes
from sessions import open_session


async def lamp(peer: Peer) -> None:
    await peer.answer(b"The lamp is blue.", content_type="text/plain", headers={"ETag": '"one"'})


@asynccontextmanager
async def serving() -> AsyncIterator[Faulty]:
    async with faulty(routes({"GET /files/1": lamp})) as server:
        yield server


async def saved(session: Session, server: Faulty, place: Path) -> Path:
    """Save the file at a chosen place; where it is then."""
    row_id = await session.downloads.fetch_as(f"{server.url}/files/1", place, origin="library:1")
    row = await session.downloads.wait(row_id)
    assert row is not None, session.downloads.rows()
    return Path(row.path)


async def test_a_file_saved_over_another_takes_its_place(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text("the former one")
    async with serving() as server, open_session(tmp_path / "home", server.account()) as session:
        assert await saved(session, server, target) == target
        assert target.read_text() == "The lamp is blue."
    assert not target.with_name("target (2).txt").exists(), "nothing else is left of it"


async def test_a_file_that_came_after_the_choice_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    async with serving() as server, open_session(tmp_path / "home", server.account()) as session:
        session.downloads.hold("until the other file is there")
        row_id = await session.downloads.fetch_as(f"{server.url}/files/1", target)
        target.write_text("somebody else's")
        session.downloads.go_on()
        row = await session.downloads.wait(row_id)
        assert row is not None
        assert row.name == "target (2).txt"
        assert target.read_text() == "somebody else's"


async def test_where_another_cannot_be_replaced_the_file_is_beside_it_and_that_is_said(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.mkdir()
    async with serving() as server, open_session(tmp_path / "home", server.account()) as session:
        place = await saved(session, server, target)
        assert place.name == "target (2).txt"
        assert place.read_text() == "The lamp is blue."
        assert "“target.txt” could not be replaced" in session.downloads.rows()[0].note


async def test_a_copy_is_known_after_its_row_was_cleared_and_after_a_restart(tmp_path: Path) -> None:
    async with serving() as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            place = await saved(session, server, tmp_path / "memo.txt")
            await session.downloads.clear()
            assert session.downloads.rows() == ()
            assert session.downloads.whole("library:1").path == str(place)
            assert session.downloads.whole("library:2") is None
        async with open_session(tmp_path / "home", server.account()) as session:
            assert session.downloads.whole("library:1").path == str(place)
            place.unlink()
            assert session.downloads.whole("library:1") is None, "a file that is gone is no copy"
