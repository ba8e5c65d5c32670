"""Reads a whole chat, or all that a reply's stream said, at once, away from the window's thread."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from carrel.model import Event, event_of
from carrel.store.chatrows import Message, message_of
from carrel.store.db import Database

EVERY_MESSAGE = "SELECT * FROM messages WHERE chat_id = ? ORDER BY branch, turn, role DESC, version"
ALL_EVENTS = "SELECT events FROM journal WHERE message_id = ? ORDER BY batch"


async def read_messages(db: Database, chat_id: str) -> list[Message]:
    """All messages of a chat, on all its branches, in order; of each reply the versions, oldest first."""
    return await db.ask(lambda held: [message_of(row) for row in held.execute(EVERY_MESSAGE, (chat_id,))])


async def read_events(db: Database, message_id: str) -> list[Event]:
    """All that the stream of a reply said, in order."""
    return await db.ask(lambda held: events_of(held.execute(ALL_EVENTS, (message_id,))))


def events_of(rows: Iterable[sqlite3.Row]) -> list[Event]:
    """The events of a journal's rows."""
    lines = (json.loads(line) for row in rows for line in row["events"].splitlines())
    return [event_of(line["event"], line["data"], line["at"]) for line in lines]
