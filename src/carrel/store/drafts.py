"""What is typed into the chat of an account that has no row yet."""

from __future__ import annotations

from pydantic import ValidationError

from carrel.model.draft import Draft
from carrel.store.db import Database


class NewDrafts:
    """One draft an account."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the draft of `account`."""
        self._db, self._account = db, account

    def read(self) -> Draft:
        """The draft; an empty one where there is none, or another version wrote one that this refuses."""
        row = self._db.row("SELECT draft FROM new_drafts WHERE account = ?", (self._account,))
        try:
            return Draft.model_validate_json(row["draft"]) if row else Draft()
        except ValidationError:
            return Draft()

    async def save(self, draft: Draft) -> None:
        """Keep a draft; an empty one leaves no trace."""
        if draft == Draft():
            await self._db.execute("DELETE FROM new_drafts WHERE account = ?", (self._account,))
            return
        held = draft.model_dump_json(exclude_defaults=True)
        await self._db.execute("INSERT OR REPLACE INTO new_drafts VALUES (?, ?)", (self._account, held))
