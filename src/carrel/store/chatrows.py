"""Chats and messages as rows: what each column holds, both ways."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.model.reply import ReplyState
from carrel.store.memory import is_kept

Role = Literal["user", "assistant"]

Pair = Literal["", "open", "kept", "other"]
"""Whether a reply is one of two side by side, and what a person decided; empty for any other."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation as this computer keeps it; times are seconds since the epoch."""

    id: str
    conversation_id: str
    title: str
    snippet: str
    created_at: float
    updated_at: float
    pinned: bool = False
    archived: bool = False
    unread: bool = False
    draft: Draft = Draft()
    branch: int = 0
    """The branch in front; `conversation_id` is that branch's."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """What the list of chats shows of one: no draft, so that thousands are read in a moment."""

    id: str
    title: str
    snippet: str
    updated_at: float
    pinned: bool
    archived: bool
    unread: bool
    compared: bool = False
    """Whether two models were asked the same in it."""
    redacted: bool = False
    """Whether personal data was replaced in any of its messages."""

    @property
    def is_kept(self) -> bool:
        """Whether it is written to the disk."""
        return is_kept(self.id)


@dataclass(frozen=True, slots=True)
class Message:
    """One message: a person's, with the draft that it was, or a reply, with all that is known of it.

    A new one may leave its `turn` or its `version` open, as 0: it is the next one by then, whatever is written before.
    """

    id: str
    chat_id: str
    turn: int
    version: int
    role: Role
    created_at: float
    draft: Draft = Draft()
    reply: Reply = Reply()
    branch: int = 0
    pair: Pair = ""

    @property
    def text(self) -> str:
        """What it says, as Markdown."""
        return self.draft.text if self.role == "user" else self.reply.text


SNIPPET = 120
"""Characters of a chat's second line in the list."""


def snippet_of(text: str) -> str:
    """The first words of a text, without the marks of Markdown."""
    return " ".join(text[: 4 * SNIPPET].replace("*", "").replace("#", "").replace("`", "").split())[:SNIPPET]


def begin_turn(db: sqlite3.Connection, account: str, chat: Chat, *, is_asked: bool, is_typed: bool) -> None:
    """Write a new chat, or what one more turn changes of a chat that is there: all of it only where a person asked what
    was typed just now; what waited in line leaves the draft alone.

    What is not named here may have been changed by a write that was not done yet when `chat` was read.
    """
    values = (
        chat.id,
        account,
        chat.conversation_id,
        chat.title,
        chat.snippet,
        chat.draft.model_dump_json(exclude_defaults=True),
        chat.created_at,
        chat.updated_at,
        chat.pinned,
        chat.archived,
        chat.unread,
    )
    further = ", snippet = excluded.snippet, archived = 0" if is_asked else ""
    further += ", draft = excluded.draft" if is_typed else ""
    db.execute(
        f"""INSERT INTO chats (id, account, conversation_id, title, snippet, draft, created_at, updated_at, pinned,
        archived, unread) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        updated_at = excluded.updated_at{further}""",
        values,
    )


_CHANGED = frozenset({"title", "snippet", "updated_at", "pinned", "archived", "unread"})


def change_chat(db: sqlite3.Connection, chat_id: str, **values: object) -> None:
    """Write these columns of a chat."""
    assert values.keys() <= _CHANGED, "columns that belong to others"
    if values:
        columns = ", ".join(f"{name} = ?" for name in values)
        db.execute(f"UPDATE chats SET {columns} WHERE id = ?", (*values.values(), chat_id))


def insert_message(db: sqlite3.Connection, message: Message) -> None:
    """Write a new message."""
    reply = message.reply
    db.execute(
        """INSERT INTO messages (id, chat_id, branch, turn, version, role, text, thinking, state, request, reply,
        created_at, pair) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            message.id,
            message.chat_id,
            message.branch,
            message.turn,
            message.version,
            message.role,
            message.text,
            reply.thinking if message.role == "assistant" else "",
            reply.state if message.role == "assistant" else "",
            message.draft.model_dump_json(exclude_defaults=True),
            _reply_json(reply) if message.role == "assistant" else "{}",
            message.created_at,
            message.pair,
        ),
    )


def update_reply(db: sqlite3.Connection, message_id: str, reply: Reply) -> None:
    """Write how a reply stands."""
    db.execute(
        "UPDATE messages SET text = ?, thinking = ?, state = ?, reply = ? WHERE id = ?",
        (reply.text, reply.thinking, reply.state, _reply_json(reply), message_id),
    )


_OWN_COLUMNS = ("text", "thinking", "state")
_KNOWN = {f.name for f in fields(Reply)}


def _reply_json(reply: Reply) -> str:
    return json.dumps({k: v for k, v in asdict(reply).items() if k not in _OWN_COLUMNS}, default=str)


def _reply(row: sqlite3.Row) -> Reply:
    held: Mapping[str, Any] = json.loads(row["reply"])
    state: ReplyState = row["state"] or "complete"
    return Reply(
        text=row["text"], thinking=row["thinking"], state=state, **{k: v for k, v in held.items() if k in _KNOWN}
    )


def message_of(row: sqlite3.Row) -> Message:
    """A message out of its row."""
    is_reply = row["role"] == "assistant"
    return Message(
        id=row["id"],
        chat_id=row["chat_id"],
        turn=row["turn"],
        version=row["version"],
        role=row["role"],
        created_at=row["created_at"],
        draft=Draft.model_validate_json(row["request"]),
        reply=_reply(row) if is_reply else Reply(),
        branch=row["branch"],
        pair=row["pair"],
    )


def chat_of(row: sqlite3.Row) -> Chat:
    """A chat out of its row."""
    return Chat(
        id=row["id"],
        conversation_id=row["conversation_id"],
        title=row["title"],
        snippet=row["snippet"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        pinned=bool(row["pinned"]),
        archived=bool(row["archived"]),
        unread=bool(row["unread"]),
        draft=Draft.model_validate_json(row["draft"]),
        branch=row["branch"],
    )
