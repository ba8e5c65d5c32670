"""Styles: preferences for replies under a name, kept for each account."""

from __future__ import annotations

from pydantic import ValidationError

from carrel.model.chat import Preferences
from carrel.store.db import Database


class StyleRows:
    """The styles of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the styles of `account`."""
        self._db, self._account = db, account

    def all(self) -> dict[str, Preferences]:
        """The styles by name, in the order of the alphabet; one that another version wrote and this refuses is left."""
        rows = self._db.read(
            "SELECT name, preferences FROM styles WHERE account = ? ORDER BY name COLLATE NOCASE", (self._account,)
        )
        read = {row["name"]: _preferences(row["preferences"]) for row in rows}
        return {name: held for name, held in read.items() if held is not None}

    async def save(self, name: str, preferences: Preferences) -> None:
        """Keep preferences under a name; what had that name is replaced."""
        held = preferences.model_dump_json(exclude_none=True)
        await self._db.execute("INSERT OR REPLACE INTO styles VALUES (?, ?, ?)", (self._account, name, held))

    async def delete(self, name: str) -> None:
        """Forget a style."""
        await self._db.execute("DELETE FROM styles WHERE account = ? AND name = ?", (self._account, name))


def _preferences(text: str) -> Preferences | None:
    try:
        return Preferences.model_validate_json(text)
    except ValidationError:
        return None
