"""Search over a real socket: what is asked, remembered and found in the library, and what is not guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from carrel.model import SearchHit, SearchQuery, ServerFault
from faulty import Peer, faulty, routes
from sessions import open_session

SEARCH, LIST = "POST /external/search", "GET /external/libraries"
HITS = [
    {"id": "f1", "title": "lease.pdf", "content": "notice", "type": "library", "score": 1.0},
    {"id": "f2", "title": "old.pdf", "content": "notice", "type": "library", "score": 0.8},
    {"id": "w1", "title": "Intake", "content": "a workflow", "type": "workflow", "score": 0.7},
]


async def found(peer: Peer) -> None:
    await peer.json({"success": True, "results": HITS})


async def listed(peer: Peer) -> None:
    """The newest page holds one file; the other is found by its name only."""
    lease = {"id": "f1", "file_name": "lease.pdf", "state": "success", "folder_path": ["Contracts"]}
    old = {"id": "f2", "file_name": "old.pdf", "state": "success", "folder_path": []}
    items = {"old.pdf": [old], "": [lease]}.get(peer.seen.query.get("search", ""), [])
    await peer.json({"items": items, "total_items": 2, "page": 1, "page_size": 100, "total_pages": 1, "providers": {}})


async def test_a_query_is_sent_as_it_was_asked_and_remembered(tmp_path: Path) -> None:
    async with faulty(routes({SEARCH: found})) as server, open_session(tmp_path, server.account()) as session:
        query = SearchQuery(keyword="notice", limit=5, types=("file",))
        result = await session.search.search(query)
        assert server.seen[0].json() == {"keyword": "notice", "limit": 5, "types": ["file"]}
        assert [hit.title for hit in result.hits] == ["lease.pdf", "old.pdf", "Intake"]
        assert result.took > 0
        assert session.search.recent() == [query]


async def test_a_failed_query_is_remembered_too(tmp_path: Path) -> None:
    async def broken(peer: Peer) -> None:
        await peer.json({"error": "internal_error", "message": "no"}, 500)

    async with faulty(routes({SEARCH: broken})) as server, open_session(tmp_path, server.account()) as session:
        with pytest.raises(ServerFault):
            await session.search.search(SearchQuery(keyword="notice"))
        assert [q.keyword for q in session.search.recent()] == ["notice"]


async def test_hits_are_looked_up_once_in_the_newest_page(tmp_path: Path) -> None:
    table = {SEARCH: found, LIST: listed}
    async with faulty(routes(table)) as server, open_session(tmp_path, server.account()) as session:
        hits = (await session.search.search(SearchQuery(keyword="notice"))).hits
        assert session.search.places(hits) == {}
        assert await session.search.locate(hits)
        assert session.search.places(hits)["f1"].folder == "Contracts"
        assert not await session.search.locate(hits)
        assert len(server.asked("/external/libraries")) == 1


async def test_what_goes_into_a_chat_is_looked_for_by_name(tmp_path: Path) -> None:
    table = {SEARCH: found, LIST: listed}
    async with faulty(routes(table)) as server, open_session(tmp_path, server.account()) as session:
        hits = (await session.search.search(SearchQuery(keyword="notice"))).hits
        assert set(await session.search.resolve(hits)) == {"f2"}
        asked = [seen.query["search"] for seen in server.asked("/external/libraries")]
        assert asked == ["lease.pdf", "old.pdf"], "a workflow is no file"


async def test_a_library_that_cannot_be_listed_leaves_only_passages(tmp_path: Path) -> None:
    async with faulty(routes({SEARCH: found})) as server, open_session(tmp_path, server.account()) as session:
        hits = [SearchHit(id="f1", title="lease.pdf", type="library")]
        assert not await session.search.locate(hits)
        assert await session.search.resolve(hits) == {}


async def test_library_files_are_found_by_name_or_newest_first(tmp_path: Path) -> None:
    async with faulty(routes({LIST: listed})) as server, open_session(tmp_path, server.account()) as session:
        assert [f.file_name for f in await session.search.files("")] == ["lease.pdf"]
        assert [f.file_name for f in await session.search.files("old.pdf")] == ["old.pdf"]
        assert len(server.seen) == 2
