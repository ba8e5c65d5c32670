"""Faults of addresses: a link that is none is refused in words, wherever it stands, and nothing else breaks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from carrel.api import connect
from carrel.api.reference import links
from carrel.model import InvalidRequest
from fault_calls import READS, attempt
from faulty import Peer, faulty, routes

GROUP = "files"

BROKEN = ["http://[x/openapi.json", "https://h:99999/openapi.json", "http://h:port/openapi.json", "ftp://h:21/a"]


@pytest.mark.parametrize("link", BROKEN)
async def test_a_broken_link_is_refused(tmp_path: Path, link: str) -> None:
    async with faulty(routes({})) as server, connect(server.account()) as service:
        with pytest.raises(InvalidRequest, match="no web address"):
            await service.download(link, tmp_path / "a")
    assert server.seen == []
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("link", BROKEN)
async def test_a_redirect_to_a_broken_link_is_refused(tmp_path: Path, link: str) -> None:
    async def handler(peer: Peer) -> None:
        await peer.json({}, 302, headers={"Location": link})

    async with faulty(handler) as server, connect(server.account()) as service:
        with pytest.raises(InvalidRequest):
            await service.download("/files/1", tmp_path / "a")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("link", BROKEN)
async def test_a_reference_that_names_a_broken_link_is_none(link: str) -> None:
    page = f'<script>ui({{url: "{link}"}})</script>'

    async def told(peer: Peer) -> None:
        await peer.answer(page.encode(), content_type="text/html")

    async with faulty(told) as server, connect(server.account()) as service:
        assert await service.reference() is None
    assert [*links(page + '<a href="openapi.json">', "https://h/docs/")] == ["https://h/docs/openapi.json"]


@pytest.mark.parametrize("link", BROKEN)
async def test_a_reference_that_leads_to_a_broken_link_is_none(link: str) -> None:
    async def moved(peer: Peer) -> None:
        await peer.json({}, 302, headers={"Location": link})

    async with faulty(moved) as server, connect(server.account()) as service:
        assert await service.reference() is None


async def test_a_complaint_about_a_strange_place_is_told() -> None:
    async def refuse(peer: Peer) -> None:
        where = ["body", "steps", 0, {"at": 1}, ["deep"], "name"]
        await peer.json({"detail": [{"loc": where, "msg": "wrong", "type": "value_error"}]}, 422)

    _, error = await attempt(refuse, READS["models"])
    assert isinstance(error, InvalidRequest)
    assert error.message == "steps.0.name: wrong."
