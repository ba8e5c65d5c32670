"""Calls to a faulty server: the verbs that may be repeated, those that may not, and one attempt."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from carrel.api import Limits, Service, connect
from carrel.model import (
    AgentRequest,
    ChatRequest,
    LibraryQuery,
    SearchQuery,
    ServiceError,
    WorkflowQuery,
    WorkflowRunRequest,
)
from faulty import Faulty, Handler, Peer, faulty

QUICK = Limits(connect=2, answer=0.5, backoff=0.01, refused_backoff=0.02, agent_grace=0.3)


RUN = WorkflowRunRequest(run_id="ours")


Verb = Callable[[Service], Awaitable[Any]]


async def send(service: Service) -> None:
    """A chat message, to its end."""
    async for _ in service.chat(ChatRequest(content="x")):
        pass


READS: dict[str, Verb] = {
    "models": lambda service: service.models(),
    "library": lambda service: service.library(LibraryQuery()),
    "search": lambda service: service.search(SearchQuery(keyword="x")),
    "workflows": lambda service: service.workflows(WorkflowQuery()),
}


ONCE: dict[str, Verb] = {
    "chat": send,
    "agent": lambda service: service.run_agent(AgentRequest(prompt="x", timeout_seconds=1)),
    "workflow": lambda service: service.queue_run("g", RUN),
}


def answers(*tries: tuple[int, Any] | tuple[int, Any, dict[str, str]]) -> Handler:
    """One answer after another, the last for ever."""
    left = list(tries)

    async def handler(peer: Peer) -> None:
        status, said, *headers = left.pop(0) if len(left) > 1 else left[0]
        await peer.json(said, status, headers=headers[0] if headers else None)

    return handler


async def attempt(handler: Handler, verb: Verb, limits: Limits = QUICK) -> tuple[Faulty, ServiceError | None]:
    """One call, and the error that it ended with."""
    async with faulty(handler) as server, connect(server.account(), limits=limits) as service:
        try:
            await asyncio.wait_for(verb(service), 30)
        except ServiceError as error:
            return server, error
    return server, None


BUSY = {"error": "rate_limit_exceeded", "message": "Slow down."}


GOOD = {"success": True, "data": [], "results": [], "items": []}
