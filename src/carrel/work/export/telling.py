"""What every format says of a message beside its words: who, when, how it ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from carrel.model.agents import generated_files_of
from carrel.store.chats import Chat, Message

Format = Literal["markdown", "html", "pdf", "json"]

ENDINGS: dict[Format, str] = {"markdown": ".md", "html": ".html", "pdf": ".pdf", "json": ".json"}


@dataclass(frozen=True, slots=True)
class Options:
    """What goes into an export. `events` adds the raw stream events, one JSON line each, as a file beside a JSON."""

    format: Format = "markdown"
    thinking: bool = True
    events: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A chat as it is exported. `shown` are the messages on the branch in front, of each reply the version in front, or
    the two that nobody has decided between; `messages` are all there are.
    """

    chat: Chat
    shown: tuple[Message, ...]
    messages: tuple[Message, ...]
    label: Callable[[str | None], str]
    """What a person reads for a model id; empty for the service's default."""


def who(told: Told, message: Message) -> str:
    """The speaker's name."""
    if message.role == "user":
        return "You"
    model = message.draft.model or str(message.reply.extra.get("model") or "") or None
    return told.label(model) or "Service default"


def when(at: float) -> str:
    """A time in this computer's zone, as 2026-11-21 09:41."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def stamp(at: float | None) -> str | None:
    """A time as ISO 8601 in UTC, to the millisecond."""
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def thought(message: Message) -> str:
    """How long a model thought."""
    seconds = round(message.reply.thought_for(message.created_at))
    return f"Thought for {seconds} s" if seconds else "Thought for a moment"


def ending(message: Message) -> str:
    """How a reply ended where it is not whole, and that it is one of two where that is open; else empty."""
    reply = message.reply
    if message.role == "user":
        return ""
    words = {
        "stopped": "Stopped. What came until then stands here.",
        "interrupted": "Interrupted: the reply ended before the service said that it was done.",
        "failed": "Failed.",
        "complete": "",
    }.get(reply.state, "Not finished yet when this was exported.")
    if not words:
        return _beside(message)
    marks = " · ".join(m for m in (reply.error_code, reply.error_id) if m and m != reply.error)
    return " ".join(t for t in (_beside(message), words, reply.error, f"({marks})" if marks else "") if t)


def made(message: Message) -> tuple[str, ...]:
    """The names of the files that a reply made; their addresses may not outlive the day."""
    return tuple(file.filename for file in generated_files_of(message.reply.extra))


def _beside(message: Message) -> str:
    return "One of two replies side by side; neither has been kept yet." if message.pair == "open" else ""


def summary(told: Told) -> str:
    """One line on the whole chat."""
    count = len(told.shown)
    return f"{count} message{'' if count == 1 else 's'}, {when(told.chat.created_at)} to {when(told.chat.updated_at)}"
