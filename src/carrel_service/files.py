"""Keeps the files that agents and workflows make, each served only to the account that owns it."""

import os
import uuid
from pathlib import Path
from typing import TypedDict
from urllib.parse import quote

from .db import Database

SCHEMA = """
CREATE TABLE generated_files (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f', 'now'))
) WITHOUT ROWID
"""


class GeneratedFile(TypedDict):
    """An item of `generated_files`; `size` in bytes."""

    url: str
    filename: str
    size: int


class GeneratedFiles:
    """Contents under `generated/<id>`, names in the database: a name is never a path."""

    def __init__(self, db: Database, data: Path, base_url: str) -> None:
        self._db = db
        self._folder = data / "generated"
        self._base_url = base_url

    def put(self, owner: str, name: str, content: bytes) -> GeneratedFile:
        """Store `content` durably and return the item that a response carries."""
        file_id = uuid.uuid4().hex
        self._folder.mkdir(exist_ok=True)
        with (self._folder / file_id).open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        with self._db.write() as db:
            db.execute(
                "INSERT INTO generated_files (id, owner, name, size) VALUES (?, ?, ?, ?)",
                (file_id, owner, name, len(content)),
            )
        return {"url": self.url(file_id, name), "filename": name, "size": len(content)}

    def url(self, file_id: str, name: str) -> str:
        """The address under this start's origin; the port may differ at the next one."""
        return f"{self._base_url}/external/files/generated/{file_id}/{quote(name, safe='')}"

    def find(self, owner: str, file_id: str) -> tuple[Path, str] | None:
        """The content's path and name, or None when there is no such file or it is another's."""
        with self._db.read() as db:
            row = db.execute("SELECT name FROM generated_files WHERE id = ? AND owner = ?", (file_id, owner)).fetchone()
        return (self._folder / file_id, row["name"]) if row else None
