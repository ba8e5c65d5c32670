"""A reply as it grows: a frozen value, and the pure fold from stream events to the next value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal

from carrel.model.events import (
    Content,
    ConversationCreated,
    Done,
    Event,
    MessageStart,
    StreamError,
    StreamMeta,
    Thinking,
)
from carrel.model.texts import HALF, mended

ReplyState = Literal["waiting", "thinking", "writing", "complete", "stopped", "interrupted", "failed"]
OPEN: frozenset[ReplyState] = frozenset({"waiting", "thinking", "writing"})

_MARK = re.compile(r"[\w.:-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is known of one reply. Times are seconds since the epoch, None until they happen.

    `state` ends as complete (the stream said `done`), stopped (by the person), interrupted (the stream ended or
    Carrel did) or failed (an error; `error` then holds its words). `extra` holds the further fields of `done`.
    `thinking_at` is when the first thought came, `thought_at` when the first word after it did (or the end).
    """

    text: str = ""
    thinking: str = ""
    state: ReplyState = "waiting"
    run_id: str = ""
    conversation_id: str = ""
    message_id: str = ""
    user_message_id: str = ""
    error: str = ""
    error_code: str = ""
    error_id: str = ""
    asked_at: float | None = None
    first_event_at: float | None = None
    first_token_at: float | None = None
    thinking_at: float | None = None
    thought_at: float | None = None
    ended_at: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether more may come."""
        return self.state in OPEN

    def thought_for(self, now: float) -> float:
        """Seconds spent thinking, up to `now` while it goes on; 0 where there was none."""
        if self.thinking_at is None:
            return 0.0
        return max(0.0, (self.thought_at or self.ended_at or now) - self.thinking_at)


def fold(reply: Reply, event: Event) -> Reply:
    """The reply after one more event. A reply that has ended no longer changes."""
    return fold_all(reply, (event,))


def fold_all(reply: Reply, events: Iterable[Event]) -> Reply:
    """The reply after several events: as `fold` one by one, but texts are joined once."""
    for kind, run in groupby(events, type):
        if issubclass(kind, Content | Thinking):
            reply = _pieces(reply, [e for e in run if isinstance(e, Content | Thinking)])
            continue
        for event in run:
            reply = _step(reply, event)
    return reply


def end(reply: Reply, state: ReplyState, at: float, *, error: str = "", code: str = "", error_id: str = "") -> Reply:
    """The reply as it stands when no more will come; one that has ended already stays as it is."""
    if not reply.is_open:
        return reply
    thought = reply.thought_at if reply.thinking_at is None else (reply.thought_at or at)
    reply = replace(reply, text=mended(reply.text), thinking=mended(reply.thinking))
    return replace(reply, state=state, ended_at=at, thought_at=thought, error=error, error_code=code, error_id=error_id)


def _pieces(reply: Reply, run: Sequence[Content | Thinking]) -> Reply:
    """The reply after pieces of one text."""
    if not reply.is_open:
        return reply
    reply = _begun(reply, run[0])
    said = [e for e in run if e.content]
    if isinstance(run[0], Thinking):
        return _think(reply, "".join(e.content for e in said), run[0].at)
    return _write(reply, "".join(e.content for e in said), said[0].at) if said else reply


def _step(reply: Reply, event: Event) -> Reply:
    if not reply.is_open:
        return reply
    reply = _begun(reply, event)
    match event:
        case StreamMeta():
            return replace(reply, run_id=event.run_id, conversation_id=event.conversation_id or reply.conversation_id)
        case ConversationCreated():
            return replace(reply, conversation_id=event.conversation_id or reply.conversation_id)
        case MessageStart():
            return replace(reply, message_id=event.message_id, user_message_id=event.user_message_id)
        case Done():
            return _complete(reply, event)
        case StreamError():
            words = str(event.raw.get("message") or "") or _words(event.content)
            return end(reply, "failed", event.at, error=words, code=event.content, error_id=event.error_id)
    return reply


def _begun(reply: Reply, event: Event) -> Reply:
    return reply if reply.first_event_at is not None else replace(reply, first_event_at=event.at)


def _words(content: str) -> str:
    """What an error event says; a mark that is made for programs, such as `stream_error`, says nothing to a person."""
    return "The service gave up on this reply and did not say why." if _MARK.fullmatch(content) else content


def _write(reply: Reply, text: str, at: float) -> Reply:
    began = reply.first_token_at if reply.first_token_at is not None else at
    thought = at if reply.thinking_at is not None and reply.thought_at is None else reply.thought_at
    return replace(reply, text=_joined(reply.text, text), state="writing", first_token_at=began, thought_at=thought)


def _joined(text: str, more: str) -> str:
    """Both, with a character that came in two halves made whole."""
    both = text + more
    return both.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if HALF.search(more) else both


def _think(reply: Reply, text: str, at: float) -> Reply:
    began = reply.thinking_at if reply.thinking_at is not None else at
    state: ReplyState = "writing" if reply.text else "thinking"
    return replace(reply, thinking=_joined(reply.thinking, text), state=state, thinking_at=began)


def _complete(reply: Reply, done: Done) -> Reply:
    known = {"conversation_id", "message_id"}
    reply = replace(
        reply,
        conversation_id=done.conversation_id or reply.conversation_id,
        message_id=done.message_id or reply.message_id,
        extra={k: v for k, v in done.raw.items() if k not in known},
    )
    return end(reply, "complete", done.at)
