"""Headless agent runs (document: POST /external/agents/run)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

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


class AgentResult(Answer):
    """How a run ended; `output` is Markdown."""

    conversation_id: str = ""
    output: str = ""
    generated_files: tuple[GeneratedFile, ...] = ()
    success: bool = True
    error: str | None = None
