"""What was searched for lately, and where the files of a search's hits lie in the library's mirror."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from carrel.model import SearchQuery
from carrel.store.db import Database

KEPT = 100
"""Queries that are remembered for an account."""


@dataclass(frozen=True, slots=True)
class Place:
    """A library file as the mirror knows it; `folder` is slash-separated, empty at the top."""

    id: str
    name: str
    folder: str


class Searches:
    """The queries of one account, the latest first."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the searches of `account`."""
        self._db, self._account = db, account

    def recent(self, most: int = 12) -> list[SearchQuery]:
        """The latest `most` queries with their options."""
        rows = self._db.read(
            "SELECT query FROM searches WHERE account = ? ORDER BY searched_at DESC LIMIT ?", (self._account, most)
        )
        return [query for row in rows if (query := _query(row["query"]))]

    async def remember(self, query: SearchQuery, at: float) -> None:
        """Put a query first; one with the same words is replaced."""

        def work(db: sqlite3.Connection) -> None:
            words = " ".join(query.keyword.split())
            db.execute(
                "INSERT OR REPLACE INTO searches VALUES (?, ?, ?, ?)",
                (self._account, words, json.dumps(query.body()), at),
            )
            db.execute(
                """DELETE FROM searches WHERE account = ? AND keyword NOT IN (SELECT keyword FROM searches
                WHERE account = ? ORDER BY searched_at DESC LIMIT ?)""",
                (self._account, self._account, KEPT),
            )

        await self._db.write(work)

    async def forget(self, keyword: str | None = None) -> None:
        """Forget one query, or all."""
        only, values = ("", ()) if keyword is None else (" AND keyword = ?", (keyword,))
        await self._db.execute(f"DELETE FROM searches WHERE account = ?{only}", (self._account, *values))

    def places(self, ids: Iterable[str]) -> dict[str, Place]:
        """Those of `ids` that are files of the library, as far as it was listed; by id."""
        rows = self._db.read(
            """SELECT id, file_name, folder FROM files
            WHERE account = ? AND id IN (SELECT value FROM json_each(?))""",
            (self._account, json.dumps(sorted(set(ids)))),
        )
        return {row["id"]: Place(row["id"], row["file_name"], row["folder"]) for row in rows}


def _query(text: str) -> SearchQuery | None:
    """None for a query that another version wrote and this one refuses."""
    try:
        return SearchQuery.model_validate_json(text)
    except ValidationError:
        return None
