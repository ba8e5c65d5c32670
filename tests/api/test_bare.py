"""A download whose socket goes to a thread, and one whose socket cannot: the same bytes, the same errors."""

from __future__ import annotations

import asyncio
import gzip
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from carrel.api import Limits, connect
from carrel.api.pouring import Pour
from carrel.model import Exchange, TimedOut, Unreachable
from faulty import Handler, Peer, faulty

SIZES = (0, 1, 3, 1000, 65_536, 262_144, 262_145, 3_000_000)


def _told(content: bytes) -> Handler:
    """Its length told, and head and body in one go: the parser reads some of the body with the head."""

    async def handler(peer: Peer) -> None:
        await peer.answer(content)

    return handler


def _late(content: bytes) -> Handler:
    """The head alone at first."""

    async def handler(peer: Peer) -> None:
        await peer.head(200, {"content-length": str(len(content))})
        await asyncio.sleep(0.05)
        await peer.raw(content)

    return handler


def _slow(content: bytes) -> Handler:
    """In pieces with pauses between."""

    async def handler(peer: Peer) -> None:
        await peer.head(200, {"content-length": str(len(content))})
        for begin in range(0, len(content), max(1, len(content) // 5)):
            await peer.raw(content[begin : begin + max(1, len(content) // 5)])
            await asyncio.sleep(0.01)

    return handler


def _untold(content: bytes) -> Handler:
    """No length: the end of the connection is the end of the file."""

    async def handler(peer: Peer) -> None:
        await peer.head(200, {"connection": "close"})
        await peer.raw(content)
        peer.close()

    return handler


def _packed(content: bytes) -> Handler:
    """A length, but of something else."""

    async def handler(peer: Peer) -> None:
        packed = gzip.compress(content, 1)
        await peer.head(200, {"content-length": str(len(packed)), "content-encoding": "gzip"})
        await peer.raw(packed)

    return handler


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("way", [_told, _late, _slow, _untold, _packed])
async def test_every_byte_in_its_place(tmp_path: Path, way: Callable[[bytes], Handler], size: int) -> None:
    content = os.urandom(size)
    seen: list[Exchange] = []
    steps: list[tuple[int, int | None]] = []
    async with (
        faulty(way(content)) as server,
        connect(server.account(), observer=seen.append) as service,
    ):
        path = await service.download("/file", tmp_path / "a.bin", lambda *step: steps.append(step))
    assert path.read_bytes() == content
    assert steps[-1][0] == size
    assert seen[-1].received == size or way is _packed
    assert os.listdir(tmp_path) == ["a.bin"]


async def test_a_name_with_an_address_where_nothing_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with faulty(_told(b"file")) as server:
        port = server.account().origin[2]
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            dead = taken.getsockname()

            async def both(_host: str, _port: int, **_: object) -> list[object]:
                kinds = (socket.AF_INET, socket.SOCK_STREAM, 0, "")
                return [(*kinds, dead), (*kinds, ("127.0.0.1", port))]

            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", both)
            async with connect(server.account()) as service:
                path = await service.download("/file", tmp_path / "a.bin")
    assert path.read_bytes() == b"file"


async def test_nothing_answers(tmp_path: Path) -> None:
    async with faulty(_told(b"")) as server:
        account = server.account()
    async with connect(account, limits=Limits(backoff=0.01)) as service:
        with pytest.raises(Unreachable, match="Nothing answers") as caught:
            await service.download("/file", tmp_path / "a.bin")
    assert caught.value.sent == "no"
    assert os.listdir(tmp_path) == []


async def test_a_body_that_stops_coming_is_given_up(tmp_path: Path) -> None:
    async def stalls(peer: Peer) -> None:
        await peer.head(200, {"content-length": "9000000"})
        await peer.raw(bytes(2_000_000))
        await peer.gone()
        peer.close()

    async with faulty(stalls) as server, connect(server.account(), limits=Limits(write=0.3)) as service:
        with pytest.raises(TimedOut):
            await service.download("/file", tmp_path / "a.bin")
    assert os.listdir(tmp_path) == []
    for thread in threading.enumerate():
        if thread.name.startswith("carrel-download"):
            await asyncio.to_thread(thread.join, 10)
            assert not thread.is_alive()


async def test_a_body_that_comes_slowly_is_not_given_up(tmp_path: Path) -> None:
    async def drops(peer: Peer) -> None:
        await peer.head(200, {"content-length": "12"})
        for _ in range(12):
            await peer.raw(b"x")
            await asyncio.sleep(0.1)

    async with faulty(drops) as server, connect(server.account(), limits=Limits(write=1.0)) as service:
        path = await service.download("/file", tmp_path / "a.bin")
    assert path.read_bytes() == b"x" * 12


async def test_a_connection_that_is_reset_in_the_middle(tmp_path: Path) -> None:
    async def resets(peer: Peer) -> None:
        await peer.head(200, {"content-length": "9000000"})
        await peer.raw(bytes(3_000_000))
        peer.reset()

    async with faulty(resets) as server, connect(server.account(), limits=Limits(backoff=0.01)) as service:
        with pytest.raises(Unreachable, match="broke before"):
            await service.download("/file", tmp_path / "a.bin")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("when", ["before it began", "after its end"])
def test_a_pour_that_is_cut_leaves_no_socket_open(when: str) -> None:
    ours, theirs = socket.socketpair()
    taken = bytearray()
    with ours, theirs:
        theirs.sendall(b"four more")
        pour = Pour(ours, 4)
        if when == "before it began":
            pour.cut()
        pour.into(taken.extend)
        pour.cut()
        assert pour._socket.fileno() == -1
    assert taken == (b"" if when == "before it began" else b"four")
