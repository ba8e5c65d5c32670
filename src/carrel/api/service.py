"""The face of a service: what any account can do, whatever the generation of its interface, and how to connect."""

# ruff: noqa: ARG002 - a verb that a generation lacks refuses whatever it is asked

from __future__ import annotations

import asyncio
import importlib
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.api.limits import DEFAULT, Limits
from carrel.api.meter import Progress
from carrel.model import (
    Account,
    AgentRequest,
    AgentResult,
    Budget,
    ChatRequest,
    Event,
    Exchange,
    Learned,
    LibraryFile,
    LibraryPage,
    LibraryQuery,
    Model,
    NotSupported,
    SearchQuery,
    SearchResults,
    WorkflowPage,
    WorkflowQuery,
    WorkflowRun,
    WorkflowRunRequest,
)

if TYPE_CHECKING:
    import ssl

Quiet = Callable[[float], None]
"""Called with the seconds of silence once a stream has been quiet for `Limits.quiet`, then each second; with 0.0 when
something came again."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an interface generation can do; a pane hides what is False."""

    library: bool = True
    """Whether its files can be listed; search and upload there are on every account."""
    agents: bool = True
    workflows: bool = True
    streaming: bool = True
    """Whether a reply comes word by word; else it comes whole, as three events."""
    thinking: bool = True
    """Whether a reply may tell its thinking apart from its words."""
    metadata: bool = True
    """Whether a message takes `additional_metadata`: redaction, thinking, and all that the document names there."""
    documents: bool = True
    """Whether a message may name `document_ids`, `file_ids` and `quoted_text`."""
    folders: bool = True
    """Whether an upload may name a folder; else `upload` raises `NotSupported` for one."""
    search_options: bool = True
    """Whether search takes limit, types, weights and threshold; else only the earlier interface's two fields."""
    run_status: bool = False
    """Whether the live reference named a way to ask for a workflow run's status."""


class Service(ABC):
    """One open account. Every method raises `ServiceError` or a class under it, and nothing else.

    Reads are repeated by themselves; a message, an agent run, a workflow run and an upload are never sent again once
    a byte may have left. Calls made under `carrel.api.background()` yield their place to a person's.
    """

    account: Account

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """What this generation can do."""

    @property
    @abstractmethod
    def budget(self) -> Budget:
        """The request budget of the account's API key, as far as it is known."""

    @abstractmethod
    async def models(self) -> Sequence[Model]:
        """The models that a request may name (document: GET /external/models)."""

    @abstractmethod
    async def upload(
        self, paths: Sequence[Path], folder: str = "", progress: Progress | None = None
    ) -> Sequence[LibraryFile]:
        """Send all `paths` in one request; `folder` is slash-separated (document: POST /external/upload).

        The answers stand in the service's order. The earlier interface tells no ids: they are empty there.
        `InvalidRequest` names the first file that the service would not take (its type, empty, over 1 GB, not to be
        read): nothing has left then (`sent` is "no"). It also ends an upload whose file changes on the way.
        `NotSupported` for a folder where `capabilities.folders` is False.
        """

    async def library(self, query: LibraryQuery) -> LibraryPage:
        """One page of the listing (document: GET /external/libraries); `NotSupported` on the earlier interface."""
        raise NotSupported("The earlier interface cannot list the library.")

    @abstractmethod
    async def search(self, query: SearchQuery) -> SearchResults:
        """Ranked passages, best first (document: POST /external/search)."""

    @abstractmethod
    def chat(self, request: ChatRequest, *, on_quiet: Quiet | None = None) -> AsyncGenerator[Event, None]:
        """Start a conversation and give its events as they come (document: POST /external/conversations).

        A refusal is raised before the first event. After the last event the iterator ends where it was `Done` or
        `StreamError`; else it raises `StreamBroken`. `aclose()` or a cancelled task closes the connection at once.
        """

    @abstractmethod
    def continue_chat(
        self, conversation_id: str, request: ChatRequest, *, on_quiet: Quiet | None = None
    ) -> AsyncGenerator[Event, None]:
        """Go on in a conversation, as `chat` (document: POST /external/conversations/{conversation_id})."""

    async def run_agent(self, request: AgentRequest) -> AgentResult:
        """Run to the end or to `timeout_seconds`; `TimedOut` then (document: POST /external/agents/run).

        `NotSupported` on the earlier interface.
        """
        raise NotSupported("The earlier interface cannot run agents.")

    async def workflows(self, query: WorkflowQuery) -> WorkflowPage:
        """One page of the published workflows (document: GET /external/workflows).

        `NotSupported` on the earlier interface.
        """
        raise NotSupported("The earlier interface has no workflows.")

    async def queue_run(self, group_id: str, request: WorkflowRunRequest) -> WorkflowRun:
        """Queue the latest published version; gives the answer's `data` without its envelope.

        `NotFound` where no published workflow has that id, `NotSupported` on the earlier interface (document: POST
        /external/workflows/{group_id}/runs).
        """
        raise NotSupported("The earlier interface has no workflows.")

    async def run_status(self, group_id: str, run_id: str) -> WorkflowRun:
        """A run as it stands now, where the live reference names a way to ask; `NotSupported` where it does not."""
        raise NotSupported("The service's document names no way to ask for a run's status.")

    async def reference(self, *, again: bool = False) -> Learned | None:
        """What the service's own API description tells beyond its document, used from then on.

        It is read once, or `again` when asked. None where there is none, or (again) none can be read now: then what
        was known stays in use.
        """
        return None

    @abstractmethod
    async def download(
        self, url: str, destination: Path, progress: Progress | None = None, *, size: int | None = None
    ) -> Path:
        """Fetch a file into `destination` and give its path, which differs where a file of that name was there.

        `size` is the length in bytes that the service told before, checked at the end. Credentials go along only to
        the account's own origin. Until it is whole the file lies beside its place as `NAME.part`.

        `NotFound` where the link has expired or the file is gone, `BadAnswer` where its length is not the one that was
        told, a plain `ServiceError` of code "disk_full" or "disk" where it cannot be written. After a cancel or a cut,
        `NAME.part` and `NAME.part.json` stay where the service can resume from them; else nothing does.
        """


@asynccontextmanager
async def connect(
    account: Account,
    *,
    observer: Callable[[Exchange], None] | None = None,
    budget: Callable[[Budget], None] | None = None,
    limits: Limits = DEFAULT,
    learned: Learned | None = None,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[Service]:
    """Open an account; nothing is sent. Leaving the block closes every connection.

    `observer` gets one `Exchange` for each call once it has ended, `budget` each change of the request budget.
    `learned` is what an earlier `reference()` gave. `tls` replaces the system's own certificates.
    """
    if "carrel.api.http" not in sys.modules:
        # httpx takes 150 ms to import: only who connects pays for it, and not on the loop.
        await asyncio.to_thread(importlib.import_module, "carrel.api.http")
    from carrel.api.current import CurrentService
    from carrel.api.earlier import EarlierService
    from carrel.api.http import Wire

    wire = Wire(account, observer=observer, budget=budget, limits=limits, tls=tls)
    try:
        yield EarlierService(wire) if account.generation == "earlier" else CurrentService(wire, learned)
    finally:
        await wire.aclose()
