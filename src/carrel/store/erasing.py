"""Erases chats that were deleted a while ago, with all that belongs to them."""

from __future__ import annotations

import sqlite3

from carrel.store.db import Database


async def erase_deleted(db: Database, account: str, before: float) -> int:
    """Erase what an account deleted before a time; how many chats that were. One at a time, so that whatever else is
    to be written goes in between.

    Messages, branches, journal and line go with their chat, the words of the index with their messages. Backups made
    until now still have them; each day's new one takes the place of the oldest.
    """
    sql = "SELECT id FROM chats WHERE account = ? AND deleted_at < ?"
    chat_ids = await db.ask(lambda held: [row["id"] for row in held.execute(sql, (account, before))])
    for chat_id in chat_ids:
        await db.write(lambda held, one=chat_id: _erase(held, one, before))  # type: ignore[misc]
    return len(chat_ids)


def _erase(db: sqlite3.Connection, chat_id: str, before: float) -> None:
    """Erase one chat, unless it was brought back meanwhile; what it said is overwritten, not only forgotten."""
    db.execute("PRAGMA secure_delete = ON")
    try:
        db.execute("DELETE FROM chats WHERE id = ? AND deleted_at < ?", (chat_id, before))
    finally:
        db.execute("PRAGMA secure_delete = OFF")
