"""Messages that wait in line until the reply before them has ended, written down before anything is sent."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from carrel.model.draft import Draft
from carrel.store.db import Database
from carrel.store.turns import leave_line


@dataclass(frozen=True, slots=True)
class Waiting:
    """One message in line."""

    id: str
    chat_id: str
    draft: Draft


class LineRows:
    """The lines of all chats; `at` gives the database that holds what has an id."""

    def __init__(self, at: Callable[[str], Database]) -> None:
        """Read and write where `at` says."""
        self._at = at

    def of(self, chat_id: str) -> list[Waiting]:
        """The line of a chat, the first to go first."""
        rows = self._at(chat_id).read("SELECT * FROM waiting WHERE chat_id = ? ORDER BY position", (chat_id,))
        return [_waiting(row) for row in rows]

    def one(self, waiting_id: str) -> Waiting | None:
        """One message in line."""
        row = self._at(waiting_id).row("SELECT * FROM waiting WHERE id = ?", (waiting_id,))
        return _waiting(row) if row else None

    async def add(self, waiting: Waiting) -> None:
        """Put a message at the end of its chat's line. Waits for the disk."""
        await self._at(waiting.chat_id).execute(
            """INSERT INTO waiting (id, chat_id, position, draft)
            VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM waiting WHERE chat_id = ?), ?)""",
            (waiting.id, waiting.chat_id, waiting.chat_id, waiting.draft.model_dump_json(exclude_defaults=True)),
            durable=True,
        )

    async def remove(self, waiting_id: str) -> bool:
        """Take a message out of its line; False where it was not there any more."""
        return await self._at(waiting_id).write(lambda db: leave_line(db, waiting_id))


def _waiting(row: sqlite3.Row) -> Waiting:
    return Waiting(row["id"], row["chat_id"], Draft.model_validate_json(row["draft"]))
