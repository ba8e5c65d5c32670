"""The current interface (document: Endpoints, Current interface)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from carrel.api import reference
from carrel.api.call import STREAM, Call
from carrel.api.downloads import fetch
from carrel.api.faults import refusal_of
from carrel.api.http import Wire
from carrel.api.meter import Progress
from carrel.api.service import Capabilities, Quiet, Service
from carrel.api.stream import follow
from carrel.api.unknowns import workflow_params
from carrel.api.uploads import prepared
from carrel.model import (
    AgentRequest,
    AgentResult,
    Budget,
    ChatRequest,
    Event,
    InvalidRequest,
    Learned,
    LibraryFile,
    LibraryPage,
    LibraryQuery,
    Model,
    SearchHit,
    SearchQuery,
    SearchResults,
    TimedOut,
    WorkflowPage,
    WorkflowQuery,
    WorkflowRun,
    WorkflowRunRequest,
)
from carrel.model.shapes import Answer

Shape = TypeVar("Shape", bound=Answer)

CAPABILITIES = Capabilities()
EARLIER_ONLY = {"related_context_id", "web_search"}


class CurrentService(Service):
    """An account of the current interface."""

    def __init__(self, wire: Wire, learned: Learned | None) -> None:
        """Speak over `wire`; `learned` is what the live reference told before."""
        self.account = wire.account
        self._wire = wire
        self._learned = learned
        self._asked = learned is not None
        self._reading = asyncio.Lock()

    @property
    def capabilities(self) -> Capabilities:
        """All, but a run's status only where the live reference names a way."""
        return replace(CAPABILITIES, run_status=bool(self._learned and self._learned.run_status_path))

    @property
    def budget(self) -> Budget:
        """The API key's request budget."""
        return self._wire.limiter.now()

    async def models(self) -> Sequence[Model]:
        """See `Service.models`."""
        return await self._wire.ask(self._read("GET", "/external/models"), lambda said: _items(Model, said, "data"))

    async def upload(
        self, paths: Sequence[Path], folder: str = "", progress: Progress | None = None
    ) -> Sequence[LibraryFile]:
        """See `Service.upload`."""
        body = await prepared(paths, folder, progress, self._wire.limits)
        call = Call("POST", self._wire.url("/external/upload"), body=body, own=True, answer=self._wire.limits.taken)
        return await self._wire.ask(call, lambda said: _items(LibraryFile, said, "data"))

    async def library(self, query: LibraryQuery) -> LibraryPage:
        """See `Service.library`."""
        params = {name: str(value) for name, value in query.body().items()}
        return await self._wire.ask(self._read("GET", "/external/libraries", params), LibraryPage.model_validate)

    async def search(self, query: SearchQuery) -> SearchResults:
        """See `Service.search`."""
        body = {name: value for name, value in query.body().items() if name not in EARLIER_ONLY}
        call = Call("POST", self._wire.url("/external/search"), json=body, again=True)
        return await self._wire.ask(call, lambda said: SearchResults(_items(SearchHit, said, "results")))

    def chat(self, request: ChatRequest, *, on_quiet: Quiet | None = None) -> AsyncGenerator[Event, None]:
        """See `Service.chat`."""
        return self._stream("/external/conversations", request, on_quiet)

    def continue_chat(
        self, conversation_id: str, request: ChatRequest, *, on_quiet: Quiet | None = None
    ) -> AsyncGenerator[Event, None]:
        """See `Service.continue_chat`; fields beyond `content` and `model` go along only where they were set."""
        return self._stream(f"/external/conversations/{_part(conversation_id)}", request, on_quiet)

    async def run_agent(self, request: AgentRequest) -> AgentResult:
        """See `Service.run_agent`."""
        silence = request.timeout_seconds + self._wire.limits.agent_grace
        call = Call("POST", self._wire.url("/external/agents/run"), json=request.body(), own=True, answer=silence)
        try:
            return await self._wire.ask(call, AgentResult.model_validate)
        except TimedOut as error:
            error.title = "The agent reached its time limit"
            error.remedy = (
                f"Its limit was {request.timeout_seconds} seconds: allow more time, at most 1800, or ask for less."
            )
            raise

    async def workflows(self, query: WorkflowQuery) -> WorkflowPage:
        """See `Service.workflows`."""
        params = workflow_params(query, self.account.names, self._learned)
        return await self._wire.ask(self._read("GET", "/external/workflows", params), WorkflowPage.model_validate)

    async def queue_run(self, group_id: str, request: WorkflowRunRequest) -> WorkflowRun:
        """See `Service.queue_run`."""
        url = self._wire.url(f"/external/workflows/{_part(group_id)}/runs")
        return await self._wire.ask(Call("POST", url, json=request.body(), own=True), _run)

    async def run_status(self, group_id: str, run_id: str) -> WorkflowRun:
        """See `Service.run_status`."""
        if not self.capabilities.run_status or self._learned is None:
            return await super().run_status(group_id, run_id)
        path = self._learned.run_status_path.format(group_id=_part(group_id), run_id=_part(run_id))
        return await self._wire.ask(self._read("GET", path), _run)

    async def reference(self, *, again: bool = False) -> Learned | None:
        """See `Service.reference`."""
        async with self._reading:
            if not self.account.use_reference or (self._asked and not again):
                return self._learned
            found = await reference.learn(self._wire)
            self._asked = True
            self._learned = found or self._learned
            return found

    async def download(
        self, url: str, destination: Path, progress: Progress | None = None, *, size: int | None = None
    ) -> Path:
        """See `Service.download`."""
        return await fetch(self._wire, url, destination, progress, size)

    def _read(self, method: str, path: str, params: Mapping[str, str] | None = None) -> Call:
        return Call(method, self._wire.url(path), params=params, again=True)

    def _stream(self, path: str, request: ChatRequest, on_quiet: Quiet | None) -> AsyncGenerator[Event, None]:
        metadata = request.additional_metadata
        call = Call(
            "POST",
            self._wire.url(path),
            json=request.body(),
            accept=STREAM,
            own=True,
            answer=self._wire.limits.idle,
        )
        return follow(self._wire, call, on_quiet, several=bool(metadata and metadata.side_by_side))


def _items(shape: type[Shape], said: Any, key: str) -> tuple[Shape, ...]:
    """The items of an answer's list, checked; the service's own words where it said that it had no success."""
    if said.get("success") is False:
        raise refusal_of(said)
    return tuple(shape.model_validate(item) for item in said.get(key) or ())


def _run(said: Any) -> WorkflowRun:
    return WorkflowRun.model_validate(said["data"])


def _part(text: str) -> str:
    """An id as one segment of a path, never one that would make it another path."""
    if text.strip() in {"", ".", ".."}:
        raise InvalidRequest("The id is empty or cannot be one.", sent="no")
    return quote(text, safe="", errors="replace")
