"""Faults of what a stream says: bad payloads, unknown events, refusals and pages instead of a stream."""

from __future__ import annotations

import asyncio
import json
import zlib

import pytest

from carrel.api import connect
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
    Unknown,
    Unreachable,
    fold_all,
)
from fault_talk import ASK, read_into, streaming, talk, text
from faulty import Peer, faulty_thread

GROUP = "stream"


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


async def test_two_models_side_by_side_end_twice() -> None:
    async def step(peer: Peer) -> None:
        await peer.event("done", {"message_id": "one"})
        await peer.event("content", {"content": "more", "message_id": "two"})
        await peer.event("done", {"message_id": "two"})

    both = ChatMetadata(side_by_side=True, models=("a", "b"))
    events, error = await talk(streaming(step), request=ChatRequest(content="x", additional_metadata=both))
    assert error is None
    assert [event.raw["message_id"] for event in events if isinstance(event, Done)] == ["one", "two"]
