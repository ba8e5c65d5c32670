"""Faults of a stream: what came is given, the end is told as it was, and the loop never stands still."""

from __future__ import annotations

import asyncio
import gc
import socket

import pytest

from carrel.api import connect
from carrel.model import (
    Event,
    StreamBroken,
    TimedOut,
)
from fault_talk import ASK, QUICK, read_into, streaming, talk, text
from faulty import Handler, Peer, faulty

GROUP = "stream"


async def test_ends_without_done() -> None:
    async def step(peer: Peer) -> None:
        await peer.raw(b'event: content\ndata: {"content": "never finished')

    events, error = await talk(streaming(step))
    assert isinstance(error, StreamBroken)
    assert (error.title, error.sent) == ("The reply was interrupted", "yes")
    assert error.remedy
    assert text(events) == "The rent "


async def test_reset() -> None:
    async def step(peer: Peer) -> None:
        await asyncio.sleep(0.05)
        peer.reset()

    events, error = await talk(streaming(step))
    assert isinstance(error, StreamBroken)
    assert text(events) == "The rent "


async def test_stalls() -> None:
    async def step(peer: Peer) -> None:
        await asyncio.sleep(0.25)
        await peer.event("content", {"content": "is "})
        await peer.gone()

    told: list[float] = []
    events: list[Event] = []

    async def ask(url_handler: Handler) -> None:
        async with faulty(url_handler) as server, connect(server.account(), limits=QUICK) as service:
            await read_into(events, service.chat(ASK, on_quiet=told.append))

    with pytest.raises(StreamBroken, match="Nothing more came"):
        await asyncio.wait_for(ask(streaming(step)), 10)
    assert text(events) == "The rent is "
    assert 0.0 in told, "that something came again is told"
    assert told[0] >= 0.1
    assert max(told) < 1


async def test_stalls_before_the_first_byte() -> None:
    async def handler(peer: Peer) -> None:
        await peer.body()
        await peer.gone()
        peer.close()

    events, error = await asyncio.wait_for(talk(handler), 10)
    assert isinstance(error, TimedOut)
    assert (events, error.sent) == ([], "perhaps")
    assert "does not send it again" in error.remedy


async def test_peer_vanishes() -> None:
    """A peer cannot be made to vanish here: what would notice it is looked at, keep-alive and the watch on silence."""

    async def step(peer: Peer) -> None:
        await peer.gone()

    async with faulty(streaming(step)) as server, connect(server.account(), limits=QUICK) as service:
        stream = service.chat(ASK)
        await anext(stream)
        assert _sockets_to(server.port) == [True]
        await anext(stream)
        with pytest.raises(StreamBroken):
            await asyncio.wait_for(anext(stream), 10)


def _sockets_to(port: int) -> list[bool]:
    """Of each of our sockets to a port, whether it asks now and then if the peer is still there."""
    ours = [each for each in gc.get_objects() if isinstance(each, socket.socket) and each.fileno() >= 0]
    connected = [each for each in ours if _peer(each) == port]
    return [bool(each.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)) for each in connected]


def _peer(sock: socket.socket) -> int:
    try:
        return int(sock.getpeername()[1])
    except (OSError, IndexError):
        return 0


async def test_keep_alive_comments_and_ids() -> None:
    async def step(peer: Peer) -> None:
        for number in range(8):
            await peer.raw(f"id: {number}\n\n: ping\n\nretry: 5\n\n".encode())
            await asyncio.sleep(0.08)
        await peer.event("content", {"content": "is due."})
        await peer.event("done", {"conversation_id": "c"})

    events, error = await talk(streaming(step))
    assert error is None
    assert text(events) == "The rent is due."
    assert len(events) == 4


async def test_stop_pressed_100_times() -> None:
    async def step(peer: Peer) -> None:
        await peer.gone()

    handler = streaming(step, **{"X-RateLimit-Limit": "500", "X-RateLimit-Remaining": "499"})
    async with faulty(handler) as server, connect(server.account()) as service:
        for number in range(100):
            stream = service.chat(ASK)
            task = asyncio.create_task(read_into([], stream))
            await asyncio.sleep(0.002 * (number % 4))
            for _ in range(1 + number % 3):  # a second and third press while the first is still being obeyed
                task.cancel()
                await asyncio.sleep(0)
            await asyncio.gather(task, return_exceptions=True)
            assert task.cancelled()
        for _ in range(200):
            if server.open == 0:
                break
            await asyncio.sleep(0.01)
        assert server.open == 0
        last = service.chat(ASK)
        assert await asyncio.wait_for(anext(last), 10)
        await last.aclose()
