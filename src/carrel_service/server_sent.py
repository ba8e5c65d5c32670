"""Puts events on the wire as server-sent events, with a comment as keep-alive while nothing comes."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator

from fastapi.responses import StreamingResponse

from .replies import Event

PING_EVERY = 15.0
"""Seconds of silence after which a comment shows that the stream lives."""


class EventStream(StreamingResponse):
    """FastAPI's own such response logs an error whenever a client leaves while an event is on its way."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[Event], ping_every: float = PING_EVERY) -> None:
        headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        super().__init__(wire(events, ping_every), headers=headers)


async def wire(events: AsyncIterator[Event], ping_every: float) -> AsyncGenerator[bytes, None]:
    """The bytes of the stream; the event that is waited for is given up when the stream is."""
    waiting: asyncio.Future[Event] | None = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(events))
            done, _ = await asyncio.wait({waiting}, timeout=ping_every)
            if not done:
                yield b": ping\n\n"
                continue
            try:
                name, payload = waiting.result()
            except StopAsyncIteration:
                return
            waiting = None
            yield f"event: {name}\ndata: {json.dumps(payload)}\n\n".encode()
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
