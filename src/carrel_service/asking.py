"""The words that requests to a model share: additional metadata, files as context, the time zone."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from .context import Service
from .errors import ApiError
from .redaction.conversation import Redaction, redaction
from .zones import is_zone


def _zone(name: str) -> str:
    if not is_zone(name):
        raise ValueError(f"{name[:60]} is not an IANA time zone")
    return name


TimeZone = Annotated[str, AfterValidator(_zone), Field(description="IANA name", examples=["Europe/Lisbon"])]


def whole(value: object) -> object:
    """In JSON, 60.0 is an integer too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(whole)]


class Body(BaseModel):
    """A JSON body: types are taken as they are, fields nobody knows are left alone."""

    model_config = ConfigDict(strict=True)


class Preferences(Body):
    """How the person likes answers. A model of one's own is told all of it; the reader heeds `output_style`."""

    model_config = ConfigDict(strict=True, extra="allow")

    language: str | None = None
    output_style: str | None = Field(None, description="the reader knows brief or concise, and detailed")
    tones: str | list[str] | None = None
    character: str | None = None


class Metadata(Body):
    """`additional_metadata`; further keys are passed through to a model of one's own."""

    model_config = ConfigDict(strict=True, extra="allow")

    web_search: bool | None = Field(True, description="accepted without effect: this service never searches the web")
    think: bool | None = Field(False, description="send `thinking` events")
    agentic_mode: bool | None = Field(False, description="work in several steps, with tools where the model can")
    agent_id: str | None = Field(None, description="accepted without effect: this service has one agent")
    preferences: Preferences | None = None
    side_by_side: bool | None = Field(False, description="two models at once; events then carry `message_id`")
    models: list[str] | None = Field(None, description="the two model ids for `side_by_side`")
    redact_pii: bool | None = Field(None, description="replace sensitive data by tokens in prompt and reply")


def scope(service: Service, *lists: Sequence[str] | None) -> tuple[str, ...] | None:
    """The library files that a request names, each once, or None when it names none.

    Raises ApiError 404 for an id that the library does not hold.
    """
    named = tuple(dict.fromkeys(file_id for ids in lists for file_id in ids or ()))
    for file_id in named:
        if service.library.get(file_id) is None:
            raise ApiError(404, f"the library has no file {file_id[:100]}")
    return named or None


def given(preferences: Preferences | None) -> dict[str, Any]:
    """The preferences that were set."""
    return preferences.model_dump(exclude_none=True) if preferences else {}


def redaction_of(service: Service, metadata: Metadata, conversation_id: str) -> Redaction | None:
    """The redaction that the request asks for, with the tokens of its conversation, or None."""
    if not metadata.redact_pii:
        return None
    return redaction(service.db, service.settings.redaction_patterns, conversation_id)
