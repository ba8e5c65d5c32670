"""Faults of answers: too large, too deep, too slow, or not what they say."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import pytest

from carrel.api import connect
from carrel.model import (
    BadAnswer,
    LibraryQuery,
    TimedOut,
)
from fault_calls import READS, answers, attempt
from faulty import Peer, faulty, faulty_thread

GROUP = "requests"


async def test_gzip_bomb() -> None:
    bomb = await asyncio.to_thread(gzip.compress, b" " * (200 << 20), 9)

    async def handler(peer: Peer) -> None:
        await peer.answer(bomb, headers={"Content-Encoding": "gzip"})

    with faulty_thread(handler) as server:
        async with connect(server.account()) as service:
            with pytest.raises(BadAnswer, match="32 MB"):
                await service.models()


async def test_an_honest_gzip_is_read() -> None:
    async def handler(peer: Peer) -> None:
        packed = gzip.compress(json.dumps({"data": [{"id": "m"}]}).encode())
        await peer.answer(packed, headers={"Content-Encoding": "gzip"})

    async with faulty(handler) as server, connect(server.account()) as service:
        assert [model.id for model in await service.models()] == ["m"]


async def test_an_endless_body() -> None:
    async def handler(peer: Peer) -> None:
        await peer.head(200, content_type="application/json")
        for _ in range(64):
            await peer.raw(b" " * (1 << 20))
        peer.close()

    with faulty_thread(handler) as server:
        async with connect(server.account()) as service:
            with pytest.raises(BadAnswer, match="32 MB"):
                await service.models()


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b'{"data": ' * 50_000,
        b'{"data": [',
        b"\xff\xfe\xfd",
        b'{"data": [{"id": ' + b"9" * 9000 + b"}]}",
    ],
    ids=["deep", "deep objects", "cut", "no text", "endless number"],
)
async def test_deep_or_broken_json(body: bytes) -> None:
    async def handler(peer: Peer) -> None:
        await peer.answer(body)

    server, error = await attempt(handler, READS["models"])
    assert isinstance(error, BadAnswer)
    assert len(server.seen) == 1


async def test_pages_that_lie() -> None:
    item = {"id": "a", "file_name": "a.txt", "page": "x"}
    lie = {
        "total_items": 10**15,
        "page": 7,
        "page_size": 0,
        "total_pages": 10**12,
        "items": [item] * 500,
        "providers": None,
    }
    async with faulty(answers((200, lie))) as server, connect(server.account()) as service:
        page = await service.library(LibraryQuery(page=2))
    assert (page.page, page.total_pages, len(page.items)) == (7, 10**12, 500)


@pytest.mark.parametrize(
    "lie", [{"items": {}}, {"items": [5]}, {"page": "many"}, {"total_items": 1.5}, {"providers": []}]
)
async def test_pages_of_another_shape(lie: dict[str, Any]) -> None:
    _, error = await attempt(answers((200, lie)), READS["library"])
    assert isinstance(error, BadAnswer)
    assert next(iter(lie)) in error.message


async def test_a_slow_answer_to_a_read_is_said() -> None:
    async def handler(peer: Peer) -> None:
        await peer.body()
        await peer.gone()
        peer.close()

    server, error = await attempt(handler, READS["models"])
    assert isinstance(error, TimedOut)
    assert len(server.seen) == 1


async def test_an_answer_by_the_drop_is_given_up() -> None:
    async def handler(peer: Peer) -> None:
        await peer.head(200, content_type="application/json")
        for _ in range(100):
            await peer.raw(b" ")
            await asyncio.sleep(0.1)
        peer.close()

    server, error = await attempt(handler, READS["models"])
    assert isinstance(error, TimedOut)
    assert len(server.seen) == 1
