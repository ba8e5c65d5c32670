"""Ranks passages by keyword: SQLite's full-text index, with BM25 over porter stems."""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable

from .db import Database
from .stop_words import STOP_WORDS

MOST_WORDS = 64
"""Words of a query that are looked up; a whole page given as a query would cost seconds."""

_CROWDED, _COMMON = 200_000, 0.2
"""Above so many passages, words that stand in more than this share of them cost more than they tell."""

_BEST = (
    "SELECT rowid AS id, -bm25(passages_text) AS score FROM passages_text"
    " WHERE passages_text MATCH :match {only} ORDER BY score DESC LIMIT :most"
)
# The plus keeps SQLite from starting the whole match anew for every id: sixteen times faster.
_ALSO = (
    "SELECT rowid AS id, -bm25(passages_text) AS score FROM passages_text"
    " WHERE passages_text MATCH :match AND +rowid IN (SELECT value FROM json_each(:also))"
)


def overlap(query: str, text: str) -> float:
    """The share, 0 to 1, of the query's words that begin a word of `text`: a plain score for short texts."""
    wanted = terms(query)
    there = {word.lower() for word in re.findall(r"\w+", text)}
    met = sum(any(word.startswith(_stem(term)) for word in there) for term in wanted)
    return met / len(wanted) if wanted else 0.0


def terms(query: str) -> list[str]:
    """The words that count, each once: stop words are left out, unless the query has nothing else."""
    words = list(dict.fromkeys(word.lower() for word in re.findall(r"\w+", query)))
    telling = [word for word in words if word not in STOP_WORDS]
    return (telling or words)[:MOST_WORDS]


def _stem(word: str) -> str:
    """A word without its last letters, so that singular and plural meet."""
    return word if len(word) < 5 else word[: max(4, len(word) - 2)]


class Keywords:
    """The full-text side of search."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._shares: dict[str, float] = {}
        self._counted = 0

    def scores(
        self, query: str, most: int, also: Iterable[int] = (), files: Collection[str] | None = None
    ) -> dict[int, float]:
        """BM25 by passage id, higher is better: the best `most`, and those of `also` that match at all.

        `files` keeps to passages of the files with these ids.
        """
        words = terms(query)
        if not words:
            return {}
        only = "" if files is None else f"AND +rowid IN ({PASSAGES_OF_FILES})"
        with self._db.read() as db:
            match = " OR ".join(f'"{word}"' for word in self._telling(db, words))
            values = {"match": match, "most": most, "files": json.dumps(list(files or ()))}
            found = dict(db.execute(_BEST.format(only=only), values).fetchall())
            if missing := [int(number) for number in also if number not in found]:
                found.update(db.execute(_ALSO, {"match": match, "also": json.dumps(missing)}).fetchall())
        return found

    def _telling(self, db: sqlite3.Connection, words: list[str]) -> list[str]:
        """In a large library, the words that are not everywhere; the rarest one always stays."""
        passages = db.execute("SELECT coalesce(max(id), 0) FROM passages").fetchone()[0]
        if passages < _CROWDED:
            return words
        if passages > 1.1 * self._counted or len(self._shares) > 10_000:
            self._shares, self._counted = {}, passages
        shares = {word: self._share(db, word) for word in words}
        return [word for word in words if shares[word] <= _COMMON] or [min(words, key=lambda word: shares[word])]

    def _share(self, db: sqlite3.Connection, word: str) -> float:
        if word not in self._shares:
            found = db.execute("SELECT count(*) FROM passages_text WHERE passages_text MATCH ?", (f'"{word}"',))
            self._shares[word] = found.fetchone()[0] / self._counted
        return self._shares[word]


PASSAGES_OF_FILES = (
    "SELECT passages.id FROM passages JOIN files ON files.number = passages.file "
    "WHERE files.id IN (SELECT value FROM json_each(:files))"
)
"""The ids of the passages of the files whose ids are in the JSON array `:files`."""
