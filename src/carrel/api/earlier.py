"""The earlier interface, mapped into the same words (document: Earlier interface)."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

from carrel.api.call import Call
from carrel.api.downloads import fetch
from carrel.api.http import Wire
from carrel.api.meter import Progress
from carrel.api.service import Capabilities, Quiet, Service
from carrel.api.unknowns import continue_body, send_body
from carrel.api.uploads import prepared
from carrel.model import (
    Budget,
    ChatRequest,
    Content,
    Done,
    Event,
    LibraryFile,
    MessageStart,
    Model,
    NotSupported,
    SearchHit,
    SearchQuery,
    SearchResults,
)

CAPABILITIES = Capabilities(
    library=False,
    agents=False,
    workflows=False,
    streaming=False,
    thinking=False,
    metadata=False,
    documents=False,
    folders=False,
    search_options=False,
)

SENDS = {"content", "model", "user_timezone"}
"""Fields of a message that do no harm here: the time zone has no field of its own and is left out."""

SEARCHES = {"keyword", "limit", "related_context_id", "web_search"}


class EarlierService(Service):
    """An account of the earlier interface; its replies come whole, and are given as three events."""

    def __init__(self, wire: Wire) -> None:
        """Speak over `wire`."""
        self.account = wire.account
        self._wire = wire
        self._models: dict[str, str | None] = {}

    @property
    def capabilities(self) -> Capabilities:
        """What the earlier interface can do."""
        return CAPABILITIES

    @property
    def budget(self) -> Budget:
        """The API key's request budget; its limits are not shown here, so they are taken as the current one's."""
        return self._wire.limiter.now()

    async def models(self) -> Sequence[Model]:
        """See `Service.models` (document: GET /api/external/models)."""
        call = Call("GET", self._url("models"), again=True)
        return await self._wire.ask(call, lambda said: tuple(_model(item) for item in said))

    async def upload(
        self, paths: Sequence[Path], folder: str = "", progress: Progress | None = None
    ) -> Sequence[LibraryFile]:
        """See `Service.upload` (document: PUT /api/external/upload, which answers with a message alone)."""
        if folder:
            raise NotSupported("The earlier interface keeps no folders.")
        body = await prepared(paths, "", progress, self._wire.limits)
        call = Call("PUT", self._url("upload"), body=body, own=True, answer=self._wire.limits.taken)
        async with self._wire.opened(call) as answer:
            await answer.whole()
        return tuple(LibraryFile(id="", file_name=Path(path).name) for path in paths)

    async def search(self, query: SearchQuery) -> SearchResults:
        """See `Service.search` (document: POST /api/external/semantic-search); `limit` is kept here."""
        body = query.body()
        _only(body, SEARCHES, "search")
        limit = body.pop("limit", None)
        call = Call("POST", self._url("semantic-search"), json=body, again=True)
        return await self._wire.ask(call, lambda said: _results(said, limit))

    def chat(self, request: ChatRequest, *, on_quiet: Quiet | None = None) -> AsyncGenerator[Event, None]:
        """See `Service.chat` (document: POST /api/external/start-conversation)."""
        body = {"message": request.content}
        if request.model:
            body["model"] = request.model
        return self._whole("start-conversation", request, body, on_quiet)

    def continue_chat(
        self, conversation_id: str, request: ChatRequest, *, on_quiet: Quiet | None = None
    ) -> AsyncGenerator[Event, None]:
        """See `Service.continue_chat`: `send`, and `continue` where another model is asked for than before."""
        model = request.model
        if model and self._models.get(conversation_id) != model:
            body = continue_body(self.account, conversation_id, request.content, model)
            return self._whole("continue", request, body, on_quiet)
        return self._whole("send", request, send_body(self.account, conversation_id, request.content), on_quiet)

    async def download(
        self, url: str, destination: Path, progress: Progress | None = None, *, size: int | None = None
    ) -> Path:
        """See `Service.download`."""
        return await fetch(self._wire, url, destination, progress, size)

    async def _whole(
        self, verb: str, request: ChatRequest, body: Mapping[str, Any], on_quiet: Quiet | None
    ) -> AsyncGenerator[Event, None]:
        _only(request.body(), SENDS, "a message")
        call = Call("POST", self._url(verb), json=body, own=True, answer=self._wire.limits.idle)
        said = await self._wire.ask(call, _reply, on_quiet)
        conversation = str(said.get("conversation_id") or body.get("conversation_id") or "")
        if request.model:
            self._models[conversation] = request.model
        for event in _events(said, conversation):
            yield event

    def _url(self, verb: str) -> str:
        return self._wire.url(f"/api/external/{verb}")


def _model(item: Any) -> Model:
    return Model.model_validate({**item, "id": item["value"], "name": item.get("label") or ""})


def _only(body: Mapping[str, Any], allowed: set[str], what: str) -> None:
    for name in body:
        if name not in allowed:
            raise NotSupported(f"The earlier interface takes no “{name}” with {what}.")


def _results(said: Any, limit: int | None) -> SearchResults:
    hits = [_hit(item) for item in said.get("data") or ()]
    return SearchResults(hits[:limit], said.get("meta") or ())


def _hit(item: Any) -> SearchHit:
    """A result of the earlier interface (document: Search result, earlier interface)."""
    fields = item.get("fields") or {}
    meta = fields.get("meta") or {}
    named = {
        "id": item.get("id") or fields.get("id"),
        "title": fields.get("title"),
        "content": fields.get("text_contents"),
        "type": fields.get("type"),
        "provider": meta.get("provider") or item.get("source"),
        "score": item.get("relevance"),
        "page": fields.get("page"),
        "download_link": fields.get("download_link"),
        "fields": fields,
    }
    return SearchHit.model_validate(named)


def _reply(said: Any) -> dict[str, Any]:
    """A reply of start, send or continue; that it is an object is all that is asked of it."""
    if not isinstance(said, dict):
        raise TypeError("a reply is an object")
    return said


def _events(said: dict[str, Any], conversation: str) -> tuple[Event, ...]:
    """The three events of a reply; the whole of it is `Done`'s payload."""
    started = said.get("messages")
    message = started if isinstance(started, dict) else said
    text = message.get("response") if started is message else said.get("message_text")
    message_id = str(message.get("id") or "")
    at = time.time()
    return (
        MessageStart(message_id, raw={"message_id": message_id}, at=at),
        Content(str(text or ""), raw={"content": str(text or "")}, at=at),
        Done(conversation, message_id, raw=said, at=at),
    )
