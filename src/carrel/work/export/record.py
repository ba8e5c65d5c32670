"""A chat as JSON: every field, every version and branch, every time; and its raw events, one JSON line each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from carrel import __version__
from carrel.model import Event
from carrel.store.chats import Message
from carrel.work.export.telling import Options, Told, stamp, who


def json_of(chats: Sequence[Told], options: Options) -> str:
    """The chats as one document."""
    held = {"made_by": f"Carrel {__version__}", "chats": [_chat(told, options) for told in chats]}
    return json.dumps(held, ensure_ascii=False, indent=2, default=str) + "\n"


def ndjson_of(message_id: str, events: Iterable[Event]) -> str:
    """What the stream of a reply said, as it came: the one shape of raw events in files."""
    return "".join(
        json.dumps(
            {"message_id": message_id, "event": e.name, "at": stamp(e.at or None), "data": e.raw},
            ensure_ascii=False,
            default=str,
        )
        + "\n"
        for e in events
    )


def _chat(told: Told, options: Options) -> dict[str, Any]:
    chat = told.chat
    return {
        "id": chat.id,
        "conversation_id": chat.conversation_id,
        "title": chat.title,
        "created_at": stamp(chat.created_at),
        "updated_at": stamp(chat.updated_at),
        "pinned": chat.pinned,
        "archived": chat.archived,
        "branch": chat.branch,
        "shown": [message.id for message in told.shown],
        "messages": [_message(told, message, options) for message in told.messages],
    }


def _message(told: Told, message: Message, options: Options) -> dict[str, Any]:
    held: dict[str, Any] = {
        "id": message.id,
        "branch": message.branch,
        "turn": message.turn,
        "version": message.version,
        "role": message.role,
        "pair": message.pair,
        "who": who(told, message),
        "created_at": stamp(message.created_at),
        "text": message.text,
        "request": message.draft.model_dump(exclude_defaults=True, mode="json"),
    }
    if message.role == "assistant":
        reply = {k: stamp(v) if k.endswith("_at") else v for k, v in asdict(message.reply).items() if k != "text"}
        if not options.thinking:
            reply.pop("thinking")
        held["reply"] = reply
    return held
