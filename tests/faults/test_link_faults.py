"""Faults of links: expired, elsewhere, endless; credentials stay at home."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from carrel.api import connect
from carrel.model import (
    BadAnswer,
    InvalidRequest,
    NotFound,
    SignInNeeded,
)
from fault_files import CONTENT, Shelf, downloaded
from faulty import Peer, faulty, routes

GROUP = "files"


@pytest.mark.parametrize("link", ["file:///etc/passwd", "ftp://x.example/a", "javascript:alert(1)", "", "data:,x"])
async def test_a_link_that_is_no_web_address(tmp_path: Path, link: str) -> None:
    async with faulty(Shelf()) as server, connect(server.account()) as service:
        with pytest.raises(InvalidRequest) as caught:
            await service.download(link, tmp_path / "a")
    assert caught.value.sent == "no"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_link_that_has_expired_says_so(tmp_path: Path, status: int) -> None:
    async def handler(peer: Peer) -> None:
        await peer.answer(b"<Error>Expired</Error>", status, "application/xml")

    async with faulty(handler) as elsewhere, faulty(Shelf()) as server, connect(server.account()) as service:
        with pytest.raises(NotFound, match="no longer works"):
            await service.download(f"{elsewhere.url}/file?sig=1", tmp_path / "a.pdf")
    assert os.listdir(tmp_path) == []


async def test_keys_that_were_refused_are_not_an_expired_link(tmp_path: Path) -> None:
    async def handler(peer: Peer) -> None:
        await peer.json({"error": "invalid_credentials", "message": "No."}, 403)

    with pytest.raises(SignInNeeded):
        await downloaded(handler, tmp_path / "a.pdf")


def to(target: Callable[[], str]) -> Callable[[Peer], Awaitable[None]]:
    async def handler(peer: Peer) -> None:
        await peer.json({}, 302, headers={"Location": target()})

    return handler


async def test_credentials_stay_at_home(tmp_path: Path) -> None:
    async with faulty(Shelf()) as elsewhere:
        back: list[str] = []
        there = routes({"GET /file": Shelf(), "GET /back": to(lambda: back[0])})
        async with faulty(there) as other:
            table = {
                "GET /file": Shelf(),
                "GET /moved": to(lambda: f"{other.url}/file"),
                "GET /around": to(lambda: f"{other.url}/back"),
                "GET /within": to(lambda: "/file"),
            }
            async with faulty(routes(table)) as home, connect(home.account()) as service:
                back.append(f"{home.url}/file")
                for link in ("/file", f"{elsewhere.url}/file", "/moved", "/around", "/within"):
                    path = await service.download(link, tmp_path / "a.pdf")
                    assert path.read_bytes() == CONTENT
    with_keys = [seen.path for seen in home.seen if "x-api-key" in seen.headers]
    assert with_keys == ["/file", "/moved", "/around", "/within", "/file"]
    assert [seen.path for seen in home.seen if "x-api-key" not in seen.headers] == ["/file"], "not even back at home"
    for server in (elsewhere, other):
        assert server.seen
        assert all(not {"x-api-key", "x-secret", "x-client-id"} & set(seen.headers) for seen in server.seen)


async def test_redirects_without_an_end(tmp_path: Path) -> None:
    async with faulty(to(lambda: "/again")) as server, connect(server.account()) as service:
        with pytest.raises(BadAnswer, match="without an end"):
            await service.download("/file", tmp_path / "a.pdf")
    assert len(server.seen) == 5
