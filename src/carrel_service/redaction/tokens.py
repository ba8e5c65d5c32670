"""Keeps which token stands for what in a conversation, without keeping what it stands for."""

import hashlib
import secrets

from carrel_service.db import Database

from .redactor import same

SCHEMA = """
CREATE TABLE redaction_tokens (
    conversation_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    mark BLOB NOT NULL,
    salt BLOB NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, kind, number),
    UNIQUE (conversation_id, kind, mark)
) WITHOUT ROWID;
"""
_OF = "FROM redaction_tokens WHERE conversation_id = ? AND kind = ?"
_LAST = f"SELECT salt, number {_OF} ORDER BY number DESC LIMIT 1"
_KNOWN = f"SELECT number {_OF} AND mark = ?"


class KeptTokens:
    """Tokens that stay the same through a conversation and over restarts.

    Of each value only a salted, slow hash is kept: enough to know it again, and no list of secrets.
    """

    def __init__(self, db: Database, conversation_id: str) -> None:
        self._db = db
        self._conversation_id = conversation_id
        self._seen: dict[tuple[str, str], str] = {}

    def __call__(self, kind: str, text: str) -> str:
        """The token of this text, a new one at first sight."""
        key = (kind, same(text))
        if key not in self._seen:
            self._seen[key] = f"[{kind}_{self._number(kind, key[1])}]"
        return self._seen[key]

    def _number(self, kind: str, text: str) -> int:
        of = (self._conversation_id, kind)
        with self._db.write() as db:
            # One salt for a conversation and kind: to know a value again costs one hash, not one for each row.
            last = db.execute(_LAST, of).fetchone()
            salt = last["salt"] if last else secrets.token_bytes(16)
            mark = _mark(text, salt)
            if known := db.execute(_KNOWN, (*of, mark)).fetchone():
                return int(known["number"])
            number = last["number"] + 1 if last else 1
            db.execute("INSERT INTO redaction_tokens VALUES (?, ?, ?, ?, ?)", (*of, mark, salt, number))
            return int(number)


def _mark(text: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", text.encode(), salt, 2_000)
