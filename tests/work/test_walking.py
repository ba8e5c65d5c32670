"""The mirror of a large listing: walked newest first, resumed, reconciled with what went away, and not fooled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from faulty import Faulty, Peer, faulty, routes
from sessions import open_session

LIST = "GET /external/libraries"


class Listing:
    """A service's files, newest first; `fails_at` is a page that is answered with an error."""

    def __init__(self, count: int) -> None:
        self.files = [self.file(n) for n in reversed(range(count))]
        self.fails_at = 0

    @staticmethod
    def file(number: int) -> dict[str, Any]:
        return {
            "id": f"{number:05}",
            "file_name": f"file-{number:05}.txt",
            "state": "success",
            "provider": "file",
            "created_at": f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}",
        }

    async def answer(self, peer: Peer) -> None:
        number, size = int(peer.seen.query["page"]), int(peer.seen.query["page_size"])
        if number == self.fails_at:
            await peer.json({"error": "internal_error", "message": "Broken."}, 500)
            return
        await peer.json(
            {
                "total_items": len(self.files),
                "providers": {"file": len(self.files)},
                "page": number,
                "page_size": size,
                "total_pages": -(-len(self.files) // size),
                "items": self.files[(number - 1) * size : number * size],
            }
        )


def pages(server: Faulty) -> list[int]:
    """The pages that were asked for since the last look."""
    found = [int(seen.query["page"]) for seen in server.asked("/external/libraries")]
    server.seen.clear()
    return found


async def test_a_walk_reads_all_and_then_only_what_is_new(tmp_path: Path) -> None:
    listing = Listing(450)
    async with faulty(routes({LIST: listing.answer})) as server:
        async with open_session(tmp_path, server.account()) as session:
            await session.library.open()
            assert len(session.library.catalog) == 450
            assert pages(server) == [1, 2, 3, 4, 5]
        listing.files.insert(0, Listing.file(450))
        async with open_session(tmp_path, server.account()) as session:
            await session.library.open()
            assert len(session.library.catalog) == 451
            assert pages(server) == [1, 2]


async def test_a_walk_that_was_cut_short_goes_on_where_it_was(tmp_path: Path) -> None:
    listing = Listing(950)
    listing.fails_at = 6
    async with faulty(routes({LIST: listing.answer})) as server:
        async with open_session(tmp_path, server.account()) as session:
            await session.library.open()
            assert session.library.error is not None
            assert len(session.library.catalog) == 500
        listing.fails_at = 0
        pages(server)
        async with open_session(tmp_path, server.account()) as session:
            await session.library.open()
            assert session.library.error is None
            assert len(session.library.catalog) == 950


async def test_what_the_service_lists_no_more_goes_from_the_mirror(tmp_path: Path) -> None:
    listing = Listing(250)
    async with faulty(routes({LIST: listing.answer})) as server, open_session(tmp_path, server.account()) as session:
        await session.library.open()
        del listing.files[120:130]
        await session.library.refresh()
        assert len(session.library.catalog) == 240
        assert session.library.file("00125") is None


async def test_an_empty_library_and_a_page_that_repeats_itself_end(tmp_path: Path) -> None:
    async def same(peer: Peer) -> None:
        items = [Listing.file(n) for n in range(3)]
        await peer.json({"total_items": 900, "page": 1, "page_size": 3, "total_pages": 300, "items": items})

    async with faulty(routes({LIST: same})) as server, open_session(tmp_path, server.account()) as session:
        await session.library.open()
        assert len(session.library.catalog) == 3
        assert len(pages(server)) < 6
    async with (
        faulty(routes({LIST: Listing(0).answer})) as server,
        open_session(tmp_path / "other", server.account()) as session,
    ):
        await session.library.open()
        assert len(session.library.catalog) == 0
        assert not session.library.is_new


@pytest.mark.parametrize("count", [3, 1, 250])
async def test_one_refresh_in_the_same_session_forgets_what_was_deleted(tmp_path: Path, count: int) -> None:
    listing = Listing(count)
    async with faulty(routes({LIST: listing.answer})) as server, open_session(tmp_path, server.account()) as session:
        await session.library.open()
        assert len(session.library.catalog) == count
        gone = listing.files.pop(0)
        await session.library.open()
        assert len(session.library.catalog) == count - 1
        assert session.library.file(gone["id"]) is None
