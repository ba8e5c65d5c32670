"""Downloads that stopped go on: by a new link, at another place, from what is really here; many are queued at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from carrel.model import LibraryFile
from carrel.work.downloads import Downloads, Wanted, local_name
from carrel.work.parts import free_names
from carrel.work.previews import preview
from faulty import Handler, Peer, faulty, routes
from sessions import on_disk, open_session, until

LIST = "GET /external/libraries"
BYTES = 3_000_000


def file(number: int, signature: str) -> dict[str, Any]:
    link = f"files/{number}?sig={signature}"
    return {"id": str(number), "file_name": f"{number}.txt", "state": "success", "download_link": link}


def listing(*files: dict[str, Any]) -> Handler:
    async def answer(peer: Peer) -> None:
        page = {"total_items": len(files), "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
        await peer.json({**page, "items": list(files)})

    return answer


async def signed(peer: Peer) -> None:
    """A file whose link works with the new signature alone."""
    if peer.seen.query.get("sig") == "new":
        await peer.answer(b"whole", content_type="text/plain")
    else:
        await peer.json({"error": "expired", "message": "The link has expired."}, 403)


async def stuck(peer: Peer) -> None:
    """A service that knows no ranges, and stops in the middle."""
    await peer.head(200, {"Content-Length": str(2 * BYTES)})
    await peer.raw(b"x" * BYTES)
    await peer.gone()


async def test_an_expired_link_is_asked_for_anew(tmp_path: Path) -> None:
    table = {LIST: listing(file(1, "new")), "GET /files/1": signed}
    async with (
        faulty(routes(table)) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        await session.library.keep([LibraryFile.model_validate(file(1, "old"))])
        old = f"{server.url}/files/1?sig=old"
        row = await session.downloads.wait(await session.downloads.fetch(old, "1.txt", origin="library:1"))
        assert row is not None, session.downloads.rows()
        assert await asyncio.to_thread(Path(row.path).read_bytes) == b"whole"
        assert [seen.query["sig"] for seen in server.asked("/files/1")] == ["old", "new"]


async def test_try_again_takes_the_link_that_was_listed_since(tmp_path: Path) -> None:
    async with (
        faulty(routes({LIST: listing(), "GET /files/1": signed})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        downloads = session.downloads
        await session.library.keep([LibraryFile.model_validate(file(1, "old"))])
        row_id = await downloads.fetch(f"{server.url}/files/1?sig=old", "1.txt", origin="library:1")
        await until(lambda: downloads.row(row_id).state == "failed", "the link has expired")
        await session.library.keep([LibraryFile.model_validate(file(1, "new"))])
        await downloads.retry(row_id)
        assert await downloads.wait(row_id) is not None


async def test_the_preview_of_an_expired_link_is_fetched_too(tmp_path: Path) -> None:
    async with (
        faulty(routes({LIST: listing(file(1, "new")), "GET /files/1": signed})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        assert (await preview(session.context, LibraryFile.model_validate(file(1, "old")))).text == "whole"


async def whole(peer: Peer) -> None:
    await peer.answer(b"whole", content_type="text/plain")


@asynccontextmanager
async def failed(home: Path) -> AsyncIterator[tuple[Downloads, str]]:
    """Downloads, and a row of theirs whose folder is a file."""
    (home / "blocked").write_text("a file in the way")
    async with (
        faulty(routes({"GET /files/1": whole})) as server,
        open_session(home / "home", server.account()) as session,
    ):
        downloads = session.downloads
        row_id = await downloads.fetch(f"{server.url}/files/1", "a.txt", folder=home / "blocked")
        await until(lambda: downloads.row(row_id).state == "failed", "it cannot be written")
        yield downloads, row_id


async def test_where_a_folder_cannot_be_used_try_again_takes_the_present_one(tmp_path: Path) -> None:
    async with failed(tmp_path) as (downloads, row_id):
        await downloads.retry(row_id)
        row = await downloads.wait(row_id)
        assert row is not None, downloads.rows()
        assert Path(row.path) == downloads.folder / "a.txt"


async def test_a_row_that_stopped_is_saved_at_a_place_that_was_chosen(tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.txt"
    await asyncio.to_thread(chosen.write_text, "may be replaced")
    async with failed(tmp_path) as (downloads, row_id):
        await downloads.retry_as(row_id, chosen)
        row = await downloads.wait(row_id)
        assert row is not None, downloads.rows()
        assert (Path(row.path), row.name) == (chosen, "chosen.txt")
        assert await asyncio.to_thread(chosen.read_bytes) == b"whole"


async def test_what_had_come_of_a_dismissed_download_goes_too(tmp_path: Path) -> None:
    async def cut(peer: Peer) -> None:
        await peer.head(200, {"Content-Length": str(2 * BYTES), "ETag": '"one"', "Accept-Ranges": "bytes"})
        await peer.raw(b"x" * BYTES)
        await peer.gone()

    async with faulty(routes({"GET /files/1": cut})) as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            row_id = await session.downloads.fetch(f"{server.url}/files/1", "a.txt")
            await until(lambda: session.downloads.row(row_id).moved >= BYTES, "half is here")
            folder = session.downloads.folder
        async with open_session(tmp_path / "home", server.account()) as session:
            assert session.downloads.row(row_id).state == "interrupted"
            assert "takes it up from there" in session.downloads.row(row_id).error
            assert len(list(folder.iterdir())) == 2
            await session.downloads.clear([row_id])
            assert list(folder.iterdir()) == []


async def test_without_ranges_nothing_is_said_to_be_here(tmp_path: Path) -> None:
    async with faulty(routes({"GET /files/1": stuck, "GET /files/2": stuck})) as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            downloads = session.downloads
            paused, cut = [await downloads.fetch(f"{server.url}/files/{n}", f"{n}.txt") for n in (1, 2)]
            await until(lambda: all(row.moved >= BYTES for row in downloads.rows()), "half of both is here")
            await downloads.pause(paused)
            assert (downloads.row(paused).state, downloads.row(paused).moved) == ("paused", 0)
        async with open_session(tmp_path / "home", server.account()) as session:
            row = session.downloads.row(cut)
            assert (row.state, row.moved) == ("interrupted", 0)
            assert "“Go on” fetches it from its beginning" in row.error


async def test_many_files_are_queued_together(tmp_path: Path) -> None:
    async with (
        faulty(routes({})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        downloads = session.downloads
        downloads.hold("for this test")
        downloads.folder.mkdir(parents=True)
        (downloads.folder / "A.txt").touch()
        await downloads.fetch(f"{server.url}/x", "b.txt")
        pressed = asyncio.ensure_future(
            downloads.fetch_all([Wanted("/1", "a.txt", "library:1"), Wanted("/2", "b.txt"), Wanted("/3", "../b.txt")])
        )
        counts = set[int]()
        while not pressed.done():
            counts.add(len(downloads.rows()))
            await asyncio.sleep(0)
        assert counts == {1, 4}, "all of them, or none"
        names = ["b.txt", "a (2).txt", "b (2).txt", "b (3).txt"]
        assert [Path(row.path).relative_to(downloads.folder).as_posix() for row in downloads.rows()] == names
        assert len(on_disk(tmp_path / "home", "SELECT id FROM transfers")) == 4
        assert downloads.begun(["library:1", "library:9"]).keys() == {"library:1"}


def test_thousands_of_one_name_get_numbers() -> None:
    names = free_names(["a.pdf"] * 5000, {"a (3).pdf"})
    assert len(set(names)) == 5000
    assert names[:3] == ["a.pdf", "a (2).pdf", "a (4).pdf"]


def test_a_name_is_nothing_but_a_name() -> None:
    assert local_name("../../evil.txt") == "evil.txt"
    assert local_name("invoice\u202efdp.exe") == "invoicefdp.exe"
