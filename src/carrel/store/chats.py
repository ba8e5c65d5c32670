"""Chats, their messages, and the journal of what each stream said."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

from carrel.model import Event, Reply, fold_all
from carrel.model.draft import Draft
from carrel.model.reply import OPEN, end
from carrel.store.branches import Branches, Fork, Outline, read_branches, read_outline, show_newest, show_version
from carrel.store.chatrows import (
    Chat,
    ChatLine,
    Message,
    begin_turn,
    change_chat,
    chat_of,
    insert_message,
    message_of,
    snippet_of,
    update_reply,
)
from carrel.store.db import Database
from carrel.store.exports import ALL_EVENTS, EVERY_MESSAGE, events_of

log = logging.getLogger("carrel.store")

__all__ = ["Chat", "ChatLine", "ChatStore", "Message", "snippet_of"]


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
        return [chat_of(row) for row in rows]

    def lines(self) -> list[ChatLine]:
        """As `chats`, but only what a list shows of each."""
        rows = self._db.read(
            """SELECT id, title, snippet, updated_at, pinned, archived, unread,
            EXISTS (SELECT 1 FROM messages WHERE chat_id = chats.id AND pair <> ''),
            EXISTS (SELECT 1 FROM messages WHERE chat_id = chats.id AND instr(request, '"redact_pii":true')) FROM chats
            WHERE account = ? AND deleted_at IS NULL ORDER BY pinned DESC, updated_at DESC""",
            (self._account,),
        )
        return [ChatLine(*row) for row in rows]

    def chat(self, chat_id: str) -> Chat | None:
        """One chat."""
        row = self._db.row("SELECT * FROM chats WHERE id = ?", (chat_id,))
        return chat_of(row) if row else None

    def messages(self, chat_id: str) -> list[Message]:
        """The messages of a chat in order, on all its branches; of each reply the versions, oldest first."""
        return [message_of(row) for row in self._db.read(EVERY_MESSAGE, (chat_id,))]

    def outline(self, chat_id: str) -> list[Outline]:
        """The messages on the branch in front, in order, with their lengths and without their words."""
        return list(read_outline(self._db, chat_id))

    def branches(self, chat_id: str) -> Branches:
        """How the branches of a chat hang together."""
        return read_branches(self._db, chat_id)

    def next_turn(self, chat_id: str) -> int:
        """The number of the turn that a further message on the branch in front begins."""
        outline = self.outline(chat_id)
        return outline[-1].turn + 1 if outline else 1

    def versions(self, chat_id: str, branch: int, turn: int) -> list[Message]:
        """All replies of one turn, oldest first."""
        rows = self._db.read(
            """SELECT * FROM messages WHERE chat_id = ? AND branch = ? AND turn = ? AND role = 'assistant'
            ORDER BY version""",
            (chat_id, branch, turn),
        )
        return [message_of(row) for row in rows]

    def message(self, message_id: str) -> Message | None:
        """One message."""
        row = self._db.row("SELECT * FROM messages WHERE id = ?", (message_id,))
        return message_of(row) if row else None

    def events(self, message_id: str) -> list[Event]:
        """What the stream of a reply said, in order."""
        return events_of(self._db.read(ALL_EVENTS, (message_id,)))

    async def add_turn(
        self,
        chat: Chat,
        messages: Sequence[Message],
        waiting_id: str = "",
        in_place_of: str = "",
        fork: Fork | None = None,
    ) -> list[Message]:
        """Write a new turn, and its chat, before anything is sent; a message out of the line leaves it in the same
        breath, so that no crash sends it twice. Waits for the disk, and gives the messages as they are written.

        `in_place_of` is the one of two replies side by side whose side the new one takes; with a `fork` the turn
        begins a branch of its own, which comes to the front.
        """

        def work(db: sqlite3.Connection) -> list[Message]:
            is_asked = any(message.role == "user" for message in messages)
            begin_turn(db, self._account, chat, is_asked=is_asked, is_typed=is_asked and not waiting_id)
            db.execute("INSERT OR IGNORE INTO branches (chat_id, number) VALUES (?, 0)", (chat.id,))
            placed = _on_branch(db, messages, fork) if fork else list(messages)
            for message in placed:
                insert_message(db, message)
                show_newest(db, chat.id, message.branch, message.turn)
            db.execute("DELETE FROM waiting WHERE id = ?", (waiting_id,))
            if in_place_of:
                _take_side(db, placed[0], in_place_of)
            return placed

        return await self._db.write(work, durable=True)

    async def change(self, chat_id: str, **values: object) -> None:
        """Write some columns of a chat's own row; the others stay as they are by then."""
        await self._db.write(lambda db: change_chat(db, chat_id, **values))

    async def save_draft(self, chat_id: str, draft: Draft) -> None:
        """Write what is typed into a chat and not sent."""
        held = draft.model_dump_json(exclude_defaults=True)
        await self._db.execute("UPDATE chats SET draft = ? WHERE id = ?", (held, chat_id))

    async def journal(self, message_id: str, batch: int, events: Iterable[Event]) -> None:
        """Write a batch of stream events, before they are painted."""
        lines = "\n".join(json.dumps({"event": e.name, "data": e.raw, "at": e.at}, default=str) for e in events)
        await self._db.execute("INSERT INTO journal VALUES (?, ?, ?)", (message_id, batch, lines))

    async def show_branch(self, chat_id: str, number: int) -> None:
        """Bring another branch to the front: what is sent next continues that one."""
        await self._db.write(lambda db: _to_front(db, chat_id, number))

    async def show_version(self, message_id: str) -> None:
        """Bring a version of a reply to the front, until another one comes."""
        await self._db.write(lambda db: show_version(db, message_id))

    async def keep(self, message_id: str) -> None:
        """Of two replies side by side go on with this one: the newer version now, its conversation the chat's, its
        model the one that is asked next.
        """
        await self._db.write(lambda db: _keep(db, message_id), durable=True)

    async def save_reply(self, message_id: str, chat_id: str, reply: Reply, **values: object) -> None:
        """Write how a reply ended, and some columns of its chat's row. Waits for the disk."""

        def work(db: sqlite3.Connection) -> None:
            update_reply(db, message_id, reply)
            change_chat(db, chat_id, **values)
            _learn_conversation(db, message_id, reply)

        await self._db.write(work, durable=True)

    async def recover(self, at: float) -> int:
        """Fold what the journal holds of replies that never ended, mark them interrupted; how many there were.

        A row that cannot be read is marked all the same: one damaged reply must not keep an account shut.
        """
        opened = ",".join(f"'{state}'" for state in sorted(OPEN))
        rows = self._db.read(
            f"""SELECT m.* FROM messages m JOIN chats c ON c.id = m.chat_id
            WHERE c.account = ? AND m.state IN ({opened})""",
            (self._account,),
        )
        for row in rows:
            try:
                await self._recover(message_of(row), at)
            except (ValueError, TypeError, LookupError, RecursionError) as error:
                log.warning("reply %s cannot be recovered: %s", row["id"], type(error).__name__)
                await self._db.execute("UPDATE messages SET state = 'interrupted' WHERE id = ?", (row["id"],))
        return len(rows)

    async def _recover(self, message: Message, at: float) -> None:
        events = self.events(message.id)
        ended = end(fold_all(message.reply, events), "interrupted", events[-1].at if events else at)
        await self._db.write(lambda db: _settle(db, message, ended), durable=True)

    async def delete(self, chat_id: str, at: float | None) -> None:
        """Take a chat out of the list (`at` None brings it back); `erasing` removes it for good, later."""
        await self._db.execute("UPDATE chats SET deleted_at = ? WHERE id = ?", (at, chat_id))


def _settle(db: sqlite3.Connection, message: Message, reply: Reply) -> None:
    update_reply(db, message.id, reply)
    db.execute("UPDATE chats SET snippet = ? WHERE id = ?", (snippet_of(reply.text), message.chat_id))
    _learn_conversation(db, message.id, reply)


def _learn_conversation(db: sqlite3.Connection, message_id: str, reply: Reply) -> None:
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


def _keep(db: sqlite3.Connection, message_id: str) -> None:
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
    _learn_conversation(db, message_id, message.reply)
    db.execute(
        "UPDATE chats SET snippet = ?, draft = json_set(draft, '$.model', ?) WHERE id = ?",
        (snippet_of(message.text), message.draft.model, message.chat_id),
    )


def _take_side(db: sqlite3.Connection, message: Message, former_id: str) -> None:
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
    number = 1 + int(db.execute("SELECT max(number) FROM branches WHERE chat_id = ?", (chat_id,)).fetchone()[0])
    db.execute("INSERT INTO branches VALUES (?, ?, ?, ?, '')", (chat_id, number, fork.parent, fork.turn))
    _to_front(db, chat_id, number)
    return [replace(message, branch=number, turn=fork.turn) for message in messages]


def _to_front(db: sqlite3.Connection, chat_id: str, number: int) -> None:
    db.execute(
        """UPDATE chats SET branch = ?, conversation_id =
        (SELECT conversation_id FROM branches WHERE chat_id = ? AND number = ?) WHERE id = ?""",
        (number, chat_id, number, chat_id),
    )
