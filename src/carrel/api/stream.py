"""A chat's events as they come: complete only after `done`, bounded in silence, and kind to the loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

from carrel.api.answer import Answer
from carrel.api.call import STREAM, Call
from carrel.api.faults import as_json, page_words, said
from carrel.api.http import Wire
from carrel.api.service import Quiet
from carrel.api.sse import Events, typed
from carrel.model import BadAnswer, Done, Event, ServiceError, StreamBroken, StreamError, TimedOut


async def follow(wire: Wire, call: Call, on_quiet: Quiet | None, *, several: bool) -> AsyncGenerator[Event, None]:
    """The events of a stream, up to `Done` or `StreamError`; `StreamBroken` where neither came.

    With `several` (two models side by side) a `Done` may be one of two, so it reads on until the service ends.
    """
    async with wire.opened(call, on_quiet) as answer:
        if answer.media_type != STREAM:
            raise await _no_stream(answer)
        done = False
        async with aclosing(_events(answer, wire.limits.event, wire.limits.breath)) as events:
            try:
                async for event in events:
                    yield event
                    done = done or isinstance(event, Done)
                    if isinstance(event, StreamError) or (done and not several):
                        return
            except StreamBroken:
                if not done:
                    raise
        if not done:
            raise StreamBroken("The connection ended before the service said that the reply was complete.")


async def _events(answer: Answer, most: int, breath: float) -> AsyncGenerator[Event, None]:
    reader = Events(most)
    async with aclosing(answer.unpacked(keep=True)) as chunks:
        while (chunk := await _next(chunks)) is not None:
            awake = time.monotonic()
            for told in reader.feed(chunk):
                yield typed(told)
                if time.monotonic() - awake > breath:
                    await asyncio.sleep(0)
                    awake = time.monotonic()


async def _next(chunks: AsyncGenerator[bytes, None]) -> bytes | None:
    """The next bytes, None at the end; a failure of the wire breaks the stream, whatever it was."""
    try:
        return await anext(chunks, None)
    except TimedOut as error:
        raise StreamBroken("Nothing more came for too long.", details=error.details) from None
    except ServiceError as error:
        raise StreamBroken("The connection broke in the middle of the reply.", details=error.details) from None


async def _no_stream(answer: Answer) -> ServiceError:
    """What an answer says that is no stream, such as JSON or a sign-in page with status 200."""
    body = await answer.whole()
    words = said(as_json(body)) or page_words(body)
    return BadAnswer(words or "The service answered, but not with a stream.", status=answer.status)
