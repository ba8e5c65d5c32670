"""Chats, their messages, and the journal of what each stream said."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable, Sequence

from carrel.model import Event, Reply, fold_all
from carrel.model.draft import Draft
from carrel.model.reply import OPEN, end
from carrel.store.branches import (
    Branches,
    Fork,
    Outline,
    Told,
    read_branches,
    read_outline,
    read_told,
    show_newest,
    show_version,
)
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
from carrel.store.turns import keep, learn_conversation, leave_line, placed, take_side, to_front

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

    def told(self, chat_id: str, before: int) -> list[Told]:
        """What the messages on the branch in front say, in order, before a turn."""
        return read_told(self._db, chat_id, before)

    def last_replies(self, chat_id: str) -> list[Message]:
        """All replies of the last turn on the branch in front, oldest first."""
        in_front = "chat_id = ? AND branch = (SELECT branch FROM chats WHERE id = ?)"
        rows = self._db.read(
            f"""SELECT * FROM messages WHERE {in_front} AND role = 'assistant'
            AND turn = (SELECT max(turn) FROM messages WHERE {in_front}) ORDER BY version""",
            4 * (chat_id,),
        )
        return [message_of(row) for row in rows]

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
        breath, so that no crash sends it twice. Waits for the disk, and gives the messages as they are written: none
        where somebody took the message out of the line before.

        `in_place_of` is the one of two replies side by side whose side the new one takes; with a `fork` the turn
        begins a branch of its own, which comes to the front.
        """

        def work(db: sqlite3.Connection) -> list[Message]:
            if waiting_id and not leave_line(db, waiting_id):
                return []
            is_asked = any(message.role == "user" for message in messages)
            begin_turn(db, self._account, chat, is_asked=is_asked, is_typed=is_asked and not waiting_id)
            db.execute("INSERT OR IGNORE INTO branches (chat_id, number) VALUES (?, 0)", (chat.id,))
            written = placed(db, messages, fork)
            for message in written:
                insert_message(db, message)
                show_newest(db, chat.id, message.branch, message.turn)
            if in_place_of:
                take_side(db, written[0], in_place_of)
            return written

        return await self._db.write(work, durable=True)

    async def change(self, chat_id: str, **values: object) -> None:
        """Write some columns of a chat's own row; the others stay as they are by then."""
        await self._db.write(lambda db: change_chat(db, chat_id, **values))

    async def save_draft(self, chat_id: str, draft: Draft) -> None:
        """Write what is typed into a chat and not sent. What is there already is not written again; that is asked here,
        behind the writes that came before.
        """
        held = draft.model_dump_json(exclude_defaults=True)
        await self._db.execute("UPDATE chats SET draft = ? WHERE id = ? AND draft <> ?", (held, chat_id, held))

    async def journal(self, message_id: str, batch: int, events: Iterable[Event]) -> None:
        """Write a batch of stream events, before they are painted."""
        lines = "\n".join(json.dumps({"event": e.name, "data": e.raw, "at": e.at}, default=str) for e in events)
        await self._db.execute("INSERT INTO journal VALUES (?, ?, ?)", (message_id, batch, lines))

    async def show_branch(self, chat_id: str, number: int) -> None:
        """Bring another branch to the front: what is sent next continues that one."""
        await self._db.write(lambda db: to_front(db, chat_id, number))

    async def show_version(self, message_id: str) -> None:
        """Bring a version of a reply to the front, until another one comes."""
        await self._db.write(lambda db: show_version(db, message_id))

    async def keep(self, message_id: str) -> None:
        """Of two replies side by side go on with this one: the newer version now, its conversation the chat's, its
        model the one that is asked next.
        """
        await self._db.write(lambda db: keep(db, message_id), durable=True)

    async def save_reply(self, message_id: str, chat_id: str, reply: Reply, **values: object) -> None:
        """Write how a reply ended, and some columns of its chat's row. Waits for the disk."""

        def work(db: sqlite3.Connection) -> None:
            update_reply(db, message_id, reply)
            change_chat(db, chat_id, **values)
            learn_conversation(db, message_id, reply)

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
    learn_conversation(db, message.id, reply)
