"""What a chat stream says, event by event (document: Events). Each keeps its raw payload and when it came."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from carrel.model.texts import text_of


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `raw` is the whole payload; `at` is when it came, in seconds since the epoch (0: not told)."""

    name: ClassVar[str] = ""
    raw: Mapping[str, Any] = field(default_factory=dict, kw_only=True, repr=False)
    at: float = field(default=0.0, kw_only=True, compare=False)


@dataclass(frozen=True, slots=True)
class StreamMeta(Event):
    """The first event."""

    name = "stream_meta"
    run_id: str = ""
    conversation_id: str = ""


@dataclass(frozen=True, slots=True)
class ConversationCreated(Event):
    """A new conversation has its id."""

    name = "conversation_created"
    conversation_id: str = ""


@dataclass(frozen=True, slots=True)
class MessageStart(Event):
    """The reply has started."""

    name = "message_start"
    message_id: str = ""
    user_message_id: str = ""


@dataclass(frozen=True, slots=True)
class Content(Event):
    """A piece of the reply."""

    name = "content"
    content: str = ""


@dataclass(frozen=True, slots=True)
class Thinking(Event):
    """A piece of the model's thinking."""

    name = "thinking"
    content: str = ""


@dataclass(frozen=True, slots=True)
class Done(Event):
    """The reply is whole; `raw` keeps further fields, `generated_files` among them where the service sends it."""

    name = "done"
    conversation_id: str = ""
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class StreamError(Event):
    """The service gave up on this reply."""

    name = "error"
    content: str = ""
    error_id: str = ""


@dataclass(frozen=True, slots=True)
class Unknown(Event):
    """An event that the document does not name; kept, not guessed at."""

    name: str = ""  # type: ignore[misc]  # an instance's own here, the class's elsewhere


def _text(raw: Mapping[str, Any], key: str) -> str:
    return text_of(raw.get(key))


_MAKE: dict[str, Callable[[Mapping[str, Any], float], Event]] = {
    "content": lambda raw, at: Content(_text(raw, "content"), raw=raw, at=at),
    "thinking": lambda raw, at: Thinking(_text(raw, "content"), raw=raw, at=at),
    "stream_meta": lambda raw, at: StreamMeta(_text(raw, "run_id"), _text(raw, "conversation_id"), raw=raw, at=at),
    "conversation_created": lambda raw, at: ConversationCreated(_text(raw, "conversation_id"), raw=raw, at=at),
    "message_start": lambda raw, at: MessageStart(
        _text(raw, "message_id"), _text(raw, "user_message_id"), raw=raw, at=at
    ),
    "done": lambda raw, at: Done(_text(raw, "conversation_id"), _text(raw, "message_id"), raw=raw, at=at),
    "error": lambda raw, at: StreamError(_text(raw, "content"), _text(raw, "error_id"), raw=raw, at=at),
}

DOCUMENTED = frozenset(_MAKE)
"""The names that the document shows."""

PIECES = frozenset({"content", "thinking"})
"""Events that may hold half a character, since the next one may bring the other half: the fold joins them."""


def event_of(name: str, raw: Mapping[str, Any], at: float = 0.0) -> Event:
    """An event's value out of its name and payload; a name that is not documented gives `Unknown`."""
    make = _MAKE.get(name)
    return make(raw, at) if make else Unknown(name, raw=raw, at=at)
