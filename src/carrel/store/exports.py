"""Reads a whole chat at once, away from the window's thread."""

from __future__ import annotations

from carrel.store.chatrows import Message, message_of
from carrel.store.db import Database

EVERY_MESSAGE = "SELECT * FROM messages WHERE chat_id = ? ORDER BY branch, turn, role DESC, version"


async def read_messages(db: Database, chat_id: str) -> list[Message]:
    """All messages of a chat, on all its branches, in order; of each reply the versions, oldest first."""
    return await db.ask(lambda held: [message_of(row) for row in held.execute(EVERY_MESSAGE, (chat_id,))])
