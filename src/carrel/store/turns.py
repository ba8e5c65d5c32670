"""Where a new turn stands: its number, its branch, which version of a reply it is, and which of two it is beside."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from carrel.model import Reply
from carrel.store.branches import Fork
from carrel.store.chatrows import Message, message_of, snippet_of


def placed(db: sqlite3.Connection, messages: Sequence[Message], fork: Fork | None) -> list[Message]:
    """The messages of a new turn where they shall stand: on a branch of their own, or with the numbers that they leave
    open.
    """
    return _on_branch(db, messages, fork) if fork else [_numbered(db, message) for message in messages]


def leave_line(db: sqlite3.Connection, waiting_id: str) -> bool:
    """Take a message out of its line; False where it was not there any more."""
    return db.execute("DELETE FROM waiting WHERE id = ?", (waiting_id,)).rowcount == 1


def learn_conversation(db: sqlite3.Connection, message_id: str, reply: Reply) -> None:
    """A reply tells its conversation: it is that of the branch, and of the chat while the branch is in front.

    One of two side by side may have a conversation of its own: it counts once it is kept.
    """
    chat_id, branch, pair = db.execute(
        "SELECT chat_id, branch, pair FROM messages WHERE id = ?", (message_id,)
    ).fetchone()
    if not reply.conversation_id or pair == "open":
        return
    told = (reply.conversation_id, chat_id, branch)
    db.execute("UPDATE branches SET conversation_id = ? WHERE chat_id = ? AND number = ?", told)
    db.execute("UPDATE chats SET conversation_id = ? WHERE id = ? AND branch = ?", told)


def keep(db: sqlite3.Connection, message_id: str) -> None:
    """Of two replies side by side go on with this one."""
    chosen = db.execute("SELECT * FROM messages WHERE id = ? AND pair = 'open'", (message_id,)).fetchone()
    if chosen is None:
        return
    place = (chosen["chat_id"], chosen["branch"], chosen["turn"])
    both = db.execute(
        "SELECT id, version FROM messages WHERE chat_id = ? AND branch = ? AND turn = ? AND pair = 'open'", place
    ).fetchall()
    others = [row["id"] for row in both if row["id"] != message_id]
    _put_in_order(db, both, [*others, message_id])
    db.executemany("UPDATE messages SET pair = 'other' WHERE id = ?", [(other,) for other in others])
    db.execute("UPDATE messages SET pair = 'kept' WHERE id = ?", (message_id,))
    message = message_of(chosen)
    learn_conversation(db, message_id, message.reply)
    db.execute(
        "UPDATE chats SET snippet = ?, draft = json_set(draft, '$.model', ?) WHERE id = ?",
        (snippet_of(message.text), message.draft.model, message.chat_id),
    )


def take_side(db: sqlite3.Connection, message: Message, former_id: str) -> None:
    """Of two replies side by side one was asked again: it becomes an older version, the new one stands at its side."""
    rows = db.execute(
        "SELECT id, version FROM messages WHERE chat_id = ? AND branch = ? AND turn = ? AND pair = 'open'",
        (message.chat_id, message.branch, message.turn),
    ).fetchall()
    before = [row["id"] for row in sorted(rows, key=lambda row: row["version"]) if row["id"] != message.id]
    sides = [message.id if one == former_id else one for one in before]
    _put_in_order(db, rows, [former_id, *sides])
    db.execute("UPDATE messages SET pair = 'other' WHERE id = ?", (former_id,))


def _put_in_order(db: sqlite3.Connection, rows: Sequence[sqlite3.Row], ids: Sequence[str]) -> None:
    """Give the versions that these rows have to the messages in this order, the oldest first."""
    versions = sorted(row["version"] for row in rows)
    db.executemany("UPDATE messages SET version = -version WHERE id = ?", [(one,) for one in ids])
    db.executemany("UPDATE messages SET version = ? WHERE id = ?", list(zip(versions, ids, strict=True)))


def _on_branch(db: sqlite3.Connection, messages: Sequence[Message], fork: Fork) -> list[Message]:
    """Bring a new branch to the front; the messages with their place on it."""
    chat_id = messages[0].chat_id
    number = _number(db, "SELECT max(number) + 1 FROM branches WHERE chat_id = ?", chat_id)
    db.execute("INSERT INTO branches VALUES (?, ?, ?, ?, '')", (chat_id, number, fork.parent, fork.turn))
    to_front(db, chat_id, number)
    return [replace(message, branch=number, turn=fork.turn) for message in messages]


def to_front(db: sqlite3.Connection, chat_id: str, number: int) -> None:
    """Bring a branch to the front, and with it its conversation."""
    db.execute(
        """UPDATE chats SET branch = ?, conversation_id =
        (SELECT conversation_id FROM branches WHERE chat_id = ? AND number = ?) WHERE id = ?""",
        (number, chat_id, number, chat_id),
    )


def _numbered(db: sqlite3.Connection, message: Message) -> Message:
    """The message with the turn or the version that it leaves open."""
    if not message.turn:
        of_branch = "SELECT coalesce(max(turn), 0) + 1 FROM messages WHERE chat_id = ? AND branch = ?"
        message = replace(message, turn=_number(db, of_branch, message.chat_id, message.branch))
    if not message.version:
        of_turn = """SELECT coalesce(max(version), 0) + 1 FROM messages
            WHERE chat_id = ? AND branch = ? AND turn = ? AND role = ?"""
        place = (message.chat_id, message.branch, message.turn, message.role)
        message = replace(message, version=_number(db, of_turn, *place))
    return message


def _number(db: sqlite3.Connection, sql: str, *values: object) -> int:
    return int(db.execute(sql, values).fetchone()[0])
