"""Keeps conversations: what was asked before it is answered, and an answer as far as it has come."""

import json
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .db import Database
from .keywords import overlap, terms
from .search import Result
from .turn import Said, Source

SCHEMA = """
CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    document_ids TEXT,
    created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE messages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id),
    reply_to TEXT,
    sender TEXT NOT NULL CHECK (sender IN ('user', 'ai')),
    text TEXT NOT NULL,
    thinking TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL CHECK (state IN ('said', 'writing', 'done', 'stopped', 'failed')),
    sources TEXT NOT NULL DEFAULT '[]',
    created_at TEXT NOT NULL
);
CREATE INDEX messages_of ON messages (conversation_id, number);
CREATE VIRTUAL TABLE messages_found USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
"""
_TITLE = 60


@dataclass(frozen=True)
class Conversation:
    """A kept conversation; `document_ids` None means that it asks the whole library."""

    id: str
    title: str
    document_ids: tuple[str, ...] | None


@dataclass(frozen=True)
class Opened:
    """The rows of one exchange: the user's message and an empty reply for each model, in their order."""

    conversation: Conversation
    user_message_id: str
    message_ids: tuple[str, ...]
    history: tuple[Said, ...]


class Conversations:
    """All reads and writes; each write is on disk when it returns."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, conversation_id: str) -> Conversation | None:
        """The conversation, or None."""
        with self._db.read() as db:
            row = db.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
        return row and Conversation(row["id"], row["title"], _ids(row["document_ids"]))

    def create(self, conversation_id: str, content: str, document_ids: Sequence[str] | None) -> Conversation:
        """A new, empty conversation, titled after its first message."""
        made = Conversation(conversation_id, title(content), None if document_ids is None else tuple(document_ids))
        with self._db.write() as db:
            db.execute(
                "INSERT INTO conversations VALUES (?, ?, ?, ?)",
                (made.id, made.title, None if document_ids is None else json.dumps(list(document_ids)), now()),
            )
        return made

    def narrow(self, conversation: Conversation, document_ids: Sequence[str]) -> Conversation:
        """The conversation, asking these documents from now on."""
        with self._db.write() as db:
            db.execute(
                "UPDATE conversations SET document_ids = ? WHERE id = ?",
                (json.dumps(list(document_ids)), conversation.id),
            )
        return Conversation(conversation.id, conversation.title, tuple(document_ids))

    def open(self, conversation: Conversation, content: str, models: Sequence[str]) -> Opened:
        """Write the user's message, and the replies that begin, in one transaction."""
        history = tuple(self.history(conversation.id))
        asked, replies = uuid.uuid4().hex, tuple(uuid.uuid4().hex for _ in models)
        with self._db.write() as db:
            cursor = db.execute(
                "INSERT INTO messages (id, conversation_id, sender, text, state, created_at)"
                " VALUES (?, ?, 'user', ?, 'said', ?)",
                (asked, conversation.id, content, now()),
            )
            db.execute("INSERT INTO messages_found (rowid, text) VALUES (?, ?)", (cursor.lastrowid, content))
            db.executemany(
                "INSERT INTO messages (id, conversation_id, reply_to, sender, text, model, state, created_at)"
                " VALUES (?, ?, ?, 'ai', '', ?, 'writing', ?)",
                [(reply, conversation.id, asked, model, now()) for reply, model in zip(replies, models, strict=True)],
            )
        return Opened(conversation, asked, replies, history)

    def keep(self, message_id: str, text: str, thinking: str) -> None:
        """A reply as far as it has come; one that has ended meanwhile stays as it ended."""
        sql = "UPDATE messages SET text = ?, thinking = ? WHERE id = ? AND state = 'writing'"
        with self._db.write() as db:
            db.execute(sql, (text, thinking, message_id))

    def close(self, message_id: str, text: str, thinking: str, state: str, sources: Sequence[Source]) -> None:
        """A reply's end: `done`, `stopped` or `failed`, with all that was said."""
        told = json.dumps([source_field(source) for source in sources])
        with self._db.write() as db:
            db.execute(
                "UPDATE messages SET text = ?, thinking = ?, state = ?, sources = ? WHERE id = ?",
                (text, thinking, state, told, message_id),
            )
            db.execute(
                "INSERT INTO messages_found (rowid, text) SELECT number, text FROM messages WHERE id = ?",
                (message_id,),
            )

    def history(self, conversation_id: str) -> list[Said]:
        """What was said, oldest first; of replies side by side, the first."""
        with self._db.read() as db:
            rows = db.execute(
                "SELECT sender, text, min(number) FROM messages WHERE conversation_id = ? AND text <> ''"
                " GROUP BY coalesce('to ' || reply_to, id) ORDER BY min(number)",
                (conversation_id,),
            ).fetchall()
        return [Said(row["sender"], row["text"]) for row in rows]

    def last_model(self, conversation_id: str) -> str | None:
        """The id of the model that was asked last, or None."""
        with self._db.read() as db:
            row = db.execute(
                "SELECT model FROM messages WHERE conversation_id = ? AND sender = 'ai' ORDER BY number DESC LIMIT 1",
                (conversation_id,),
            ).fetchone()
        return row and str(row["model"])

    def end_broken(self) -> int:
        """Mark the replies that a killed process left half written as stopped; returns how many."""
        with self._db.write() as db:
            db.execute(
                "INSERT INTO messages_found (rowid, text) SELECT number, text FROM messages WHERE state = 'writing'"
            )
            return db.execute("UPDATE messages SET state = 'stopped' WHERE state = 'writing'").rowcount

    def find(self, query: str, limit: int) -> list[Result]:
        """Search results of the kind `conversation`: the best message of each, with its share of the query's words."""
        asked = " OR ".join(f'"{word}"' for word in terms(query))
        if not asked:
            return []
        with self._db.read() as db:
            rows = db.execute(
                "SELECT c.id, c.title, m.text, min(f.rank) FROM"
                " (SELECT rowid, rank FROM messages_found WHERE messages_found MATCH ?) AS f"
                " JOIN messages m ON m.number = f.rowid JOIN conversations c ON c.id = m.conversation_id"
                " GROUP BY c.id ORDER BY min(f.rank) LIMIT ?",
                (asked, limit),
            ).fetchall()
        results = [_result(row, query) for row in rows]
        return sorted(results, key=lambda result: -result["score"])


def _result(row: sqlite3.Row, query: str) -> Result:
    score = overlap(query, f"{row['title']} {row['text']}")
    return {
        "id": row["id"],
        "title": row["title"],
        "content": row["text"],
        "type": "conversation",
        "provider": "conversation",
        "score": round(score, 6),
    }


def title(content: str) -> str:
    """A conversation's title: its first message in one line, cut at a word."""
    line = " ".join(content.split())
    return line if len(line) <= _TITLE else line[:_TITLE].rsplit(" ", 1)[0] + "…"


def now() -> str:
    """The present in UTC, as the service writes every time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def source_field(source: Source) -> dict[str, Any]:
    """A source as events and results carry it."""
    return {"file_id": source.file_id, "file_name": source.file_name, "folder_path": list(source.folder_path)}


def _ids(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(json.loads(text))
