"""Chats, their messages, and the journal of what each stream said."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from carrel.model import Event, Reply, event_of, fold_all
from carrel.model.draft import Draft
from carrel.model.reply import OPEN, ReplyState
from carrel.store.db import Database

Role = Literal["user", "assistant"]


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


@dataclass(frozen=True, slots=True)
class Message:
    """One message: a person's, with the draft that it was, or a reply, with all that is known of it."""

    id: str
    chat_id: str
    turn: int
    version: int
    role: Role
    created_at: float
    draft: Draft = Draft()
    reply: Reply = Reply()

    @property
    def text(self) -> str:
        """What it says, as Markdown."""
        return self.draft.text if self.role == "user" else self.reply.text


SNIPPET = 120
"""Characters of a chat's second line in the list."""


class ChatStore:
    """Reads at once, writes awaited; everything is of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the chats of `account`."""
        self._db, self._account = db, account

    def chats(self) -> list[Chat]:
        """All chats that were not deleted, pinned ones first, then the latest."""
        rows = self._db.read(
            "SELECT * FROM chats WHERE account = ? AND deleted_at IS NULL ORDER BY pinned DESC, updated_at DESC",
            (self._account,),
        )
        return [_chat(row) for row in rows]

    def chat(self, chat_id: str) -> Chat | None:
        """One chat."""
        row = self._db.row("SELECT * FROM chats WHERE id = ?", (chat_id,))
        return _chat(row) if row else None

    def messages(self, chat_id: str) -> list[Message]:
        """The messages of a chat in order; of each reply the versions, oldest first."""
        rows = self._db.read("SELECT * FROM messages WHERE chat_id = ? ORDER BY turn, role DESC, version", (chat_id,))
        return [_message(row) for row in rows]

    def message(self, message_id: str) -> Message | None:
        """One message."""
        row = self._db.row("SELECT * FROM messages WHERE id = ?", (message_id,))
        return _message(row) if row else None

    def events(self, message_id: str) -> list[Event]:
        """What the stream of a reply said, in order."""
        rows = self._db.read("SELECT events FROM journal WHERE message_id = ? ORDER BY batch", (message_id,))
        lines = (json.loads(line) for row in rows for line in row["events"].splitlines())
        return [event_of(line["event"], line["data"], line["at"]) for line in lines]

    async def add_turn(self, chat: Chat, messages: Sequence[Message]) -> None:
        """Write a new turn, and its chat, before anything is sent. Waits for the disk."""

        def work(db: sqlite3.Connection) -> None:
            _save_chat(db, self._account, chat)
            for message in messages:
                _insert(db, message)

        await self._db.write(work, durable=True)

    async def save_chat(self, chat: Chat) -> None:
        """Write a chat's own row."""
        await self._db.write(lambda db: _save_chat(db, self._account, chat))

    async def journal(self, message_id: str, batch: int, events: Iterable[Event]) -> None:
        """Write a batch of stream events, before they are painted."""
        lines = "\n".join(json.dumps({"event": e.name, "data": e.raw, "at": e.at}, default=str) for e in events)
        await self._db.execute("INSERT INTO journal VALUES (?, ?, ?)", (message_id, batch, lines))

    async def save_reply(self, message_id: str, chat: Chat, reply: Reply) -> None:
        """Write how a reply ended. Waits for the disk."""

        def work(db: sqlite3.Connection) -> None:
            _update_reply(db, message_id, reply)
            _save_chat(db, self._account, chat)

        await self._db.write(work, durable=True)

    async def recover(self, at: float) -> int:
        """Fold what the journal holds of replies that never ended, mark them interrupted; how many there were."""
        opened = ",".join(f"'{state}'" for state in sorted(OPEN))
        rows = self._db.read(
            f"""SELECT m.* FROM messages m JOIN chats c ON c.id = m.chat_id
            WHERE c.account = ? AND m.state IN ({opened})""",
            (self._account,),
        )
        for message in map(_message, rows):
            events = self.events(message.id)
            reply = fold_all(message.reply, events)
            ended = (
                reply
                if not reply.is_open
                else replace(reply, state="interrupted", ended_at=events[-1].at if events else at)
            )
            await self._db.write(lambda db, m=message, r=ended: _settle(db, m, r), durable=True)  # type: ignore[misc]
        return len(rows)

    async def delete(self, chat_id: str, at: float | None) -> None:
        """Take a chat out of the list (`at` None brings it back); nothing is erased yet."""
        await self._db.execute("UPDATE chats SET deleted_at = ? WHERE id = ?", (at, chat_id))


def _settle(db: sqlite3.Connection, message: Message, reply: Reply) -> None:
    _update_reply(db, message.id, reply)
    db.execute(
        "UPDATE chats SET snippet = ?, conversation_id = CASE WHEN ? = '' THEN conversation_id ELSE ? END WHERE id = ?",
        (snippet_of(reply.text), reply.conversation_id, reply.conversation_id, message.chat_id),
    )


def snippet_of(text: str) -> str:
    """The first words of a text, without the marks of Markdown."""
    return " ".join(text[: 4 * SNIPPET].replace("*", "").replace("#", "").replace("`", "").split())[:SNIPPET]


def _save_chat(db: sqlite3.Connection, account: str, chat: Chat) -> None:
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
    db.execute(
        """INSERT INTO chats (id, account, conversation_id, title, snippet, draft, created_at, updated_at, pinned,
        archived, unread) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        conversation_id = excluded.conversation_id, title = excluded.title, snippet = excluded.snippet,
        draft = excluded.draft, updated_at = excluded.updated_at, pinned = excluded.pinned,
        archived = excluded.archived, unread = excluded.unread""",
        values,
    )


def _insert(db: sqlite3.Connection, message: Message) -> None:
    reply = message.reply
    db.execute(
        """INSERT INTO messages (id, chat_id, turn, version, role, text, thinking, state, request, reply, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            message.id,
            message.chat_id,
            message.turn,
            message.version,
            message.role,
            message.text,
            reply.thinking if message.role == "assistant" else "",
            reply.state if message.role == "assistant" else "",
            message.draft.model_dump_json(exclude_defaults=True),
            _reply_json(reply) if message.role == "assistant" else "{}",
            message.created_at,
        ),
    )


def _update_reply(db: sqlite3.Connection, message_id: str, reply: Reply) -> None:
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


def _message(row: sqlite3.Row) -> Message:
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
    )


def _chat(row: sqlite3.Row) -> Chat:
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
    )
