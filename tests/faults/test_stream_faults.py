"""Faults of a stream: what came is given, the end is told as it was, and the loop never stands still."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest

from carrel.api import Limits, connect
from carrel.model import (
    BadAnswer,
    ChatMetadata,
    ChatRequest,
    Content,
    Done,
    Event,
    InvalidModel,
    Reply,
    StreamBroken,
    StreamError,
    TimedOut,
    Unknown,
    Unreachable,
    fold_all,
)
from faulty import Handler, Peer, faulty, faulty_thread, routes

GROUP = "stream"
ASK = ChatRequest(content="What is the rent?")
QUICK = Limits(idle=0.4, quiet=0.1, answer=0.4)
Step = Callable[[Peer], Awaitable[None]]


def streaming(step: Step, **more: str) -> Handler:
    """A chat that begins well, and then does what `step` says."""

    async def handler(peer: Peer) -> None:
        await peer.begin_stream(headers=more)
        await peer.event("stream_meta", {"run_id": "r", "conversation_id": "c"})
        await peer.event("content", {"content": "The rent "})
        await step(peer)
        if not peer.closed:
            peer.close()

    return routes({"POST /external/conversations": handler})


async def talk(
    handler: Handler, limits: Limits = QUICK, request: ChatRequest = ASK
) -> tuple[list[Event], Exception | None]:
    """All events of one chat, and what ended it if it was no event."""
    events: list[Event] = []
    async with faulty(handler) as server, connect(server.account(), limits=limits) as service:
        try:
            await read_into(events, service.chat(request))
        except Exception as error:  # noqa: BLE001 - the test looks at it
            return events, error
        finally:
            assert len(server.seen) == 1, "a message must not be sent twice"
    return events, None


async def read_into(events: list[Event], stream: AsyncGenerator[Event, None]) -> None:
    async for event in stream:
        events.append(event)  # noqa: PERF401 - what came before an error counts


def text(events: list[Event]) -> str:
    return "".join(event.content for event in events if isinstance(event, Content))


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


async def test_byte_order_mark_cr_and_split_bytes() -> None:
    words = "größer als 2 400 €\u2028😀"
    stream = (
        f"event: content\rdata: {json.dumps({'content': words}, ensure_ascii=False)}\r\r"
        'event: done\r\ndata: {"conversation_id": "c"}\r\n\r\n'
    )

    async def handler(peer: Peer) -> None:
        await peer.begin_stream("Text/Event-Stream; charset=latin-1")
        for byte in b"\xef\xbb\xbf" + stream.encode():
            await peer.raw(bytes([byte]))
            await asyncio.sleep(0)
        peer.close()

    events, error = await talk(handler)
    assert error is None
    assert text(events) == words


async def test_64_mb_event() -> None:
    async def handler(peer: Peer) -> None:
        await peer.begin_stream()
        await peer.event("content", {"content": "The rent "})
        await peer.raw(b'event: content\ndata: {"content": "')
        for _ in range(64):
            await peer.raw(b"x" * (1 << 20))
        await peer.raw(b'"}\n\n')
        peer.close()

    events: list[Event] = []
    with faulty_thread(handler) as server:
        async with connect(server.account()) as service:
            with pytest.raises(StreamBroken, match="more than 4 MB"):
                await read_into(events, service.chat(ASK))
    assert text(events) == "The rent "


async def test_200_000_tiny_events() -> None:
    async def handler(peer: Peer) -> None:
        await peer.begin_stream()
        for _ in range(200):
            await peer.raw(b'event: content\ndata: {"content": "x"}\n\n' * 1000)
        await peer.event("done", {})
        peer.close()

    count = 0
    with faulty_thread(handler) as server:
        async with connect(server.account()) as service:
            async for event in service.chat(ASK):
                count += isinstance(event, Content)
    assert count == 200_000


@pytest.mark.parametrize("data", ['{"content": ', "[]", "words", '{"content": "\\ud83"}'])
async def test_bad_json(data: str) -> None:
    async def step(peer: Peer) -> None:
        await peer.raw(f"event: content\ndata: {data}\n\n".encode())
        await peer.event("done", {})

    events, error = await talk(streaming(step))
    assert isinstance(error, StreamBroken)
    assert "content" in error.message
    assert text(events) == "The rent "


async def test_unknown_event() -> None:
    async def step(peer: Peer) -> None:
        await peer.event("tool_call", {"name": "search", "deep": {"a": [1]}})
        await peer.event("done", {"conversation_id": "c", "generated_files": [{"url": "/f"}], "tokens": 7})

    events, error = await talk(streaming(step))
    assert error is None
    assert events[2] == Unknown("tool_call", raw={"name": "search", "deep": {"a": [1]}})
    assert events[-1].raw["generated_files"] == [{"url": "/f"}]


async def test_error_event_after_text() -> None:
    async def step(peer: Peer) -> None:
        await peer.event("error", {"content": "stream_error", "error_id": "e-7", "message": "The model fell over."})
        await peer.event("content", {"content": "never read"})

    events, error = await talk(streaming(step))
    assert error is None
    assert isinstance(events[-1], StreamError)
    reply = fold_all(Reply(), events)
    assert (reply.state, reply.text, reply.error, reply.error_id) == (
        "failed",
        "The rent ",
        "The model fell over.",
        "e-7",
    )


@pytest.mark.parametrize(
    ("content_type", "body", "words"),
    [
        ("application/json", b'{"error": "x", "message": "Not today."}', "Not today."),
        ("application/json", b'{"content": "no stream"}', "not with a stream"),
        ("text/html; charset=utf-8", b"<!doctype html><title>Sign in</title>", "Sign in"),
        ("text/plain", b"", "not with a stream"),
    ],
)
async def test_json_or_html_instead_of_a_stream(content_type: str, body: bytes, words: str) -> None:
    async def handler(peer: Peer) -> None:
        await peer.answer(body, content_type=content_type)

    events, error = await talk(handler)
    assert isinstance(error, BadAnswer)
    assert words in error.message
    assert (events, error.status) == ([], 200)


async def test_a_packed_stream_is_unpacked_as_it_comes() -> None:
    pack = zlib.compressobj(wbits=31)

    async def handler(peer: Peer) -> None:
        await peer.begin_stream(headers={"content-encoding": "gzip"})
        for event in ('event: content\ndata: {"content": "a"}\n\n', "event: done\ndata: {}\n\n"):
            await peer.raw(pack.compress(event.encode()) + pack.flush(zlib.Z_SYNC_FLUSH))
            await asyncio.sleep(0.05)
        peer.close()

    events, error = await talk(handler)
    assert error is None
    assert text(events) == "a"


async def test_refused_before_the_first_event() -> None:
    async def handler(peer: Peer) -> None:
        await peer.json({"error": "invalid_model", "message": "No such model."}, 400)

    events, error = await talk(handler)
    assert isinstance(error, InvalidModel)
    assert (events, error.message, error.sent) == ([], "No such model.", "no")


async def test_reset_before_the_first_byte() -> None:
    async def handler(peer: Peer) -> None:
        await peer.body()
        peer.reset()

    events, error = await talk(handler)
    assert isinstance(error, Unreachable)
    assert (events, error.sent) == ([], "perhaps")


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


async def test_two_models_side_by_side_end_twice() -> None:
    async def step(peer: Peer) -> None:
        await peer.event("done", {"message_id": "one"})
        await peer.event("content", {"content": "more", "message_id": "two"})
        await peer.event("done", {"message_id": "two"})

    both = ChatMetadata(side_by_side=True, models=("a", "b"))
    events, error = await talk(streaming(step), request=ChatRequest(content="x", additional_metadata=both))
    assert error is None
    assert [event.column for event in events if isinstance(event, Done)] == ["one", "two"]
