"""A chat to a faulty server, to its end: what came, and the error that ended it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable

from carrel.api import Limits, connect
from carrel.model import (
    ChatRequest,
    Content,
    Event,
)
from faulty import Handler, Peer, faulty, routes

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
