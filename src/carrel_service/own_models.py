"""Models of the person's own: any OpenAI-compatible server, its list, and its answers as they stream."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from .context import Service
from .outward import client
from .prompts import grounded
from .think import ThinkParser
from .turn import ModelFailure, Piece, Sources, Turn

_LONGEST_LINE = 4_000_000  # bytes
_LIST_WITHIN = 3.0  # seconds: the model list is asked for while a person looks at it
_ANSWER = httpx.Timeout(30, read=600)  # a large model on a small machine may load for minutes
_KNOWN = "own models"  # the remark in the library that keeps the last list of each server
_OPENS_ITSELF = re.compile(r"(?:^|[-_/:.])(?:r1|qwq|thinking)(?:$|[-_/:.])", re.IGNORECASE)


@dataclass
class OwnModel:
    """One model of a server; `base_url` ends before `/models`."""

    service: Service
    id: str
    base_url: str
    is_available: bool

    @property
    def group_name(self) -> str:
        """The server, as people know it: its host and port."""
        return urlsplit(self.base_url).netloc

    async def answer(self, turn: Turn) -> AsyncGenerator[Piece, None]:
        """Passages are found first and put before the question; then the model's words as they come."""
        messages, sources = await grounded(self.service, turn)
        parser = ThinkParser(inside=bool(_OPENS_ITSELF.search(self.id)))
        async with aclosing(self.deltas({**turn.extra, "messages": messages})) as deltas:
            async for delta in deltas:
                for piece in parser.feed(delta):
                    yield piece
        for piece in parser.end():
            yield piece
        yield Sources(sources)

    async def deltas(self, request: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """The `delta` of each chunk of a streamed completion. Raises ModelFailure."""
        body = {**request, "model": self.id, "stream": True}
        try:
            async with client(_ANSWER) as http, http.stream("POST", self._url("chat/completions"), json=body) as answer:
                if answer.status_code != 200:
                    await answer.aread()
                    raise ModelFailure(self._refused(answer), answer.status_code)
                async with aclosing(_chunks(answer)) as chunks:
                    async for delta in chunks:
                        yield delta
        except httpx.HTTPError as error:
            raise ModelFailure(f"{self.group_name}: {error or type(error).__name__}") from error

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """The message of a completion that is not streamed, with its tool calls. Raises ModelFailure."""
        body = {**request, "model": self.id, "stream": False}
        try:
            async with client(_ANSWER) as http:
                answer = await http.post(self._url("chat/completions"), json=body)
            if answer.status_code != 200:
                raise ModelFailure(self._refused(answer), answer.status_code)
            message = answer.json()["choices"][0]["message"]
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            raise ModelFailure(f"{self.group_name}: {error or type(error).__name__}") from error
        if not isinstance(message, dict):
            raise ModelFailure(f"{self.group_name}: the completion holds no message")
        return message

    def _refused(self, answer: httpx.Response) -> str:
        return f"{self.group_name} answered {answer.status_code}: {answer.text[:300]}"

    def _url(self, path: str) -> str:
        return f"{self.base_url.rstrip('/')}/{path}"


async def own_models(service: Service) -> list[OwnModel]:
    """The server's models as it lists them now; when it does not answer, those it had, as not available."""
    base_url = service.settings.models_url
    if not base_url:
        return []
    listed = await _listed(base_url)
    if listed is None:
        known = _kept(service, base_url)
        return [OwnModel(service, model_id, base_url, False) for model_id in known]
    if listed != _kept(service, base_url):
        service.library.keep_fact(f"{_KNOWN} {base_url}", json.dumps(listed))
    return [OwnModel(service, model_id, base_url, True) for model_id in listed]


async def _listed(base_url: str) -> list[str] | None:
    try:
        async with client(_LIST_WITHIN) as http:
            answer = await http.get(f"{base_url.rstrip('/')}/models")
        data = answer.json()["data"] if answer.status_code == 200 else None
        return None if data is None else [str(model["id"]) for model in data]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError):
        return None


def _kept(service: Service, base_url: str) -> list[str]:
    kept = service.library.fact(f"{_KNOWN} {base_url}")
    return list(json.loads(kept)) if kept else []


async def _chunks(answer: httpx.Response) -> AsyncGenerator[dict[str, Any], None]:
    """The deltas of a stream of events. Raises ModelFailure when it ends before the answer does."""
    whole = False
    async with aclosing(_lines(answer)) as lines:
        async for line in lines:
            data = line[5:].strip() if line.startswith("data:") else ""
            if data == "[DONE]":
                whole = True
            elif data:
                delta, ends = _delta(data)
                whole = whole or ends
                yield delta
    if not whole:
        raise ModelFailure("the answer was broken off")


async def _lines(answer: httpx.Response) -> AsyncGenerator[str, None]:
    """Lines end at a line feed only: httpx's own reader also cuts at U+2028, which JSON may hold."""
    held = b""
    async for some in answer.aiter_bytes():
        *lines, held = (held + some).split(b"\n")
        if len(held) > _LONGEST_LINE:
            raise ModelFailure("a line of the answer is too long")
        for line in lines:
            yield line.decode("utf-8", "replace")
    yield held.decode("utf-8", "replace")


def _delta(data: str) -> tuple[dict[str, Any], bool]:
    """The delta of one chunk, and whether it ends the answer; some chunks (usage, keep-alive) have no delta."""
    try:
        chunk = json.loads(data)
        if chunk.get("error"):
            raise ModelFailure(f"the model's server reports: {str(chunk['error'])[:300]}")
        choice = (chunk.get("choices") or [{}])[0]
        delta = choice.get("delta") or {}
        ends = bool(choice.get("finish_reason"))
    except (ValueError, AttributeError, LookupError, TypeError) as error:
        raise ModelFailure(f"a chunk of the stream cannot be read: {error}") from error
    return (delta if isinstance(delta, dict) else {}), ends
