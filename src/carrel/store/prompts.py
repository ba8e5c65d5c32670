"""Saved prompts: texts with a title, of this home and not of one account, since people reuse them everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.model.prompts import Prompt
from carrel.store.db import Database

_PUT = "INSERT OR REPLACE INTO prompts VALUES (?, ?, ?, ?)"


class PromptRows:
    """All saved prompts."""

    def __init__(self, db: Database) -> None:
        """Use `db`."""
        self._db = db

    def all(self) -> list[Prompt]:
        """The prompts in the order of their titles."""
        rows = self._db.read("SELECT id, title, text FROM prompts ORDER BY title COLLATE NOCASE, saved_at")
        return [Prompt(id=row["id"], title=row["title"], text=row["text"]) for row in rows]

    async def save(self, prompts: Sequence[Prompt], at: float) -> None:
        """Write prompts, all or none; one with a known id is replaced."""
        await self._db.execute_many(_PUT, [(p.id, p.title, p.text, at) for p in prompts])

    async def delete(self, prompt_id: str) -> None:
        """Forget a prompt."""
        await self._db.execute("DELETE FROM prompts WHERE id = ?", (prompt_id,))
