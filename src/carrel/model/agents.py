"""Headless agent runs (document: POST /external/agents/run)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import Field, ValidationError

from carrel.model.shapes import Answer, Request, Text, TimeZone


class AgentRequest(Request):
    """What an agent shall do. `timeout_seconds` is the service's own limit: 600 by default, at most 1800."""

    prompt: Text
    agent_id: str | None = None
    model: str | None = None
    document_ids: tuple[str, ...] | None = None
    file_ids: tuple[str, ...] | None = None
    user_timezone: TimeZone | None = None
    timeout_seconds: int = Field(600, ge=1, le=1800)
    additional_metadata: Mapping[str, Any] | None = None


class GeneratedFile(Answer):
    """A file that a run made; `size` is in bytes, None where the service does not say."""

    url: str
    filename: str = ""
    size: int | None = None


def generated_files_of(extra: Mapping[str, Any]) -> tuple[GeneratedFile, ...]:
    """The files that the further fields of a chat's `done` name, each address once (the document shows none there)."""
    told = extra.get("generated_files")
    found: dict[str, GeneratedFile] = {}
    for item in told if isinstance(told, list) else ():
        try:
            file = GeneratedFile.model_validate(item)
        except ValidationError:
            continue
        if file.url:
            name = file.filename or unquote(urlsplit(file.url).path.rpartition("/")[2]) or file.url
            found.setdefault(file.url, file.model_copy(update={"filename": name}))
    return tuple(found.values())


class AgentResult(Answer):
    """How a run ended; `output` is Markdown."""

    conversation_id: str = ""
    output: str = ""
    generated_files: tuple[GeneratedFile, ...] = ()
    success: bool = True
    error: str | None = None
