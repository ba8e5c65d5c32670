"""A chat's request, as the service takes it (document: POST /external/conversations)."""

from __future__ import annotations

from pydantic import Field, model_validator

from carrel.model.shapes import Request, Text, TimeZone


class Preferences(Request):
    """How a reply should sound; free text each, since the document shows only the keys."""

    language: str | None = None
    output_style: str | None = None
    tones: str | tuple[str, ...] | None = None
    character: str | None = None


class ChatMetadata(Request):
    """`additional_metadata` of a message; a switch that is left alone is not sent."""

    web_search: bool | None = None
    think: bool | None = None
    agentic_mode: bool | None = None
    agent_id: str | None = None
    preferences: Preferences | None = None
    side_by_side: bool | None = None
    models: tuple[str, ...] | None = Field(None, min_length=2, max_length=2)
    redact_pii: bool | None = None

    @model_validator(mode="after")
    def _two_models(self) -> ChatMetadata:
        if self.side_by_side and self.models is None:
            raise ValueError("models: side by side needs two model ids")
        return self


class ChatRequest(Request):
    """One message to the service. `model` None lets the service choose."""

    content: Text
    model: str | None = None
    document_ids: tuple[str, ...] | None = None
    file_ids: tuple[str, ...] | None = None
    user_timezone: TimeZone | None = None
    quoted_text: str | None = None
    additional_metadata: ChatMetadata | None = None
