"""The rows of the index: a file's texts, its passages in the full-text table, and a vector for each."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SCHEMA = """
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file INTEGER NOT NULL REFERENCES files (number) ON DELETE CASCADE,
    member TEXT NOT NULL,
    number INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX passages_file ON passages (file);
CREATE TABLE vectors (
    passage INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
);
CREATE VIRTUAL TABLE passages_text USING fts5 (
    text, content = 'passages', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
    INSERT INTO passages_text (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
    INSERT INTO passages_text (passages_text, rowid, text) VALUES ('delete', old.id, old.text);
END
"""

_BARE = (
    "SELECT id, text FROM passages WHERE {where}"
    " NOT EXISTS (SELECT 1 FROM vectors WHERE passage = passages.id) ORDER BY id LIMIT ?"
)


@dataclass(frozen=True)
class Cut:
    """A passage that has no row yet; `member` is its path inside a zip, or nothing."""

    member: str
    text: str


def remove(db: sqlite3.Connection, file: int) -> list[int]:
    """Take out all that was indexed of a file; returns the ids of its passages."""
    removed = [row["id"] for row in db.execute("SELECT id FROM passages WHERE file = ?", (file,))]
    db.execute("DELETE FROM passages WHERE file = ?", (file,))
    db.execute("DELETE FROM texts WHERE file = ?", (file,))
    return removed


def write(db: sqlite3.Connection, file: int, texts: Iterable[tuple[str, str]], cuts: Iterable[Cut]) -> None:
    """Store a file's texts, each (member, text), and its passages."""
    db.executemany(
        "INSERT INTO texts (file, number, member, text) VALUES (?, ?, ?, ?)",
        ((file, number, *text) for number, text in enumerate(texts)),
    )
    db.executemany(
        "INSERT INTO passages (file, number, member, text) VALUES (?, ?, ?, ?)",
        ((file, number, cut.member, cut.text) for number, cut in enumerate(cuts)),
    )


def without_vector(db: sqlite3.Connection, most: int, file: int | None = None) -> list[tuple[int, str]]:
    """(id, text) of passages that have no vector yet, of one file or of all."""
    where, values = ("", ()) if file is None else ("file = ? AND", (file,))
    return [tuple(row) for row in db.execute(_BARE.format(where=where), (*values, most))]


def write_vectors(db: sqlite3.Connection, ids: Sequence[int], packed: Sequence[bytes]) -> None:
    """Store a packed vector for each passage that is still there."""
    db.executemany(
        "INSERT OR REPLACE INTO vectors SELECT id, ? FROM passages WHERE id = ?", zip(packed, ids, strict=True)
    )
