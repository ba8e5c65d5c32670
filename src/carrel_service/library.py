"""Holds the account's files: their bytes on disk, one row each, and the queue, which is the rows in `loading`."""

import os
import sqlite3
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from .db import Database, named
from .filetypes import extension, mime_type

SCHEMA = """
CREATE TABLE files (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    file_name TEXT NOT NULL,
    provider TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'loading',
    created_at TEXT NOT NULL,
    folder TEXT NOT NULL,
    is_shared INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL,
    place TEXT NOT NULL UNIQUE,
    changed_ns INTEGER NOT NULL DEFAULT 0,
    is_cut INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX files_queue ON files (size, number) WHERE state = 'loading';
CREATE INDEX files_created ON files (created_at, number);
CREATE TABLE texts (
    file INTEGER NOT NULL REFERENCES files (number) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    member TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (file, number)
) WITHOUT ROWID;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID
"""


@dataclass(frozen=True)
class LibraryFile:
    """One file; `place` is below the data folder, or absolute for a file that is indexed where it lies."""

    number: int
    id: str
    file_name: str
    provider: str
    mime_type: str
    state: str
    created_at: str
    folder_path: tuple[str, ...]
    is_shared: bool
    size: int
    place: str
    changed_ns: int
    """When the bytes of a file in place were last changed; 0 for a file of ours."""
    is_cut: bool
    """Whether its text and passages are in; its vectors may not be."""
    reason: str


@dataclass(frozen=True)
class NewFile:
    """A file whose bytes lie at `path`, ready to be given an id and a row; `size` in bytes."""

    file_name: str
    path: Path
    size: int
    folder_path: Sequence[str] = ()
    provider: str = "file"
    in_place: bool = False
    changed_ns: int = 0


class Library:
    """Rows and bytes. `on_queued` is called, from any thread, when there is something new to index."""

    def __init__(self, db: Database, data: Path) -> None:
        self._db = db
        self._data = data
        self._files = data / "files"
        self.incoming = data / "incoming"
        self.scratch = data / "scratch"
        self.on_queued: Callable[[], None] = lambda: None
        self._files.mkdir(exist_ok=True)
        self.incoming.mkdir(exist_ok=True)
        self._sweep()

    def add_document(
        self, file_name: str, content: bytes, folder_path: Sequence[str] = (), provider: str = "file"
    ) -> str:
        """Store a document as if it had been uploaded, and return its id; it is indexed in the background."""
        return self.add([self.document(file_name, content, folder_path, provider)])[0].id

    def document(
        self, file_name: str, content: bytes, folder_path: Sequence[str] = (), provider: str = "file"
    ) -> NewFile:
        """A document whose bytes are on disk, ready to be added; one that never is, is swept away at the next start."""
        part = self.incoming / f"{uuid.uuid4().hex}.part"
        with part.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        return NewFile(file_name, part, len(content), folder_path, provider)

    def add(self, files: Iterable[NewFile], fact: str = "") -> list[LibraryFile]:
        """Move synced files under the library's roof and write their rows, all or none, then wake the index.

        A row is written after its bytes are in place: a crash between the two leaves a stray file, never a
        row without one. A `fact`, if one is named, is kept with the rows: that these have been added.
        """
        rows = []
        for new in files:
            file_id = uuid.uuid4().hex
            place = str(new.path) if new.in_place else f"files/{file_id}{_suffix(new.file_name)}"
            if not new.in_place:
                new.path.replace(self._data / place)
            rows.append((file_id, new, place))
        _sync_folder(self._files)
        with self._db.write() as db:
            added = [_insert(db, *row) for row in rows]
            if fact:
                self.keep_fact(fact, "yes")
        self.on_queued()
        return added

    def get(self, file_id: str) -> LibraryFile | None:
        """The file of that id, or None."""
        with self._db.read() as db:
            row = db.execute("SELECT * FROM files WHERE id = ?", (file_id,)).fetchone()
        return as_file(row) if row else None

    def path(self, file_id: str) -> Path:
        """Where the bytes lie. Raises KeyError for an unknown id."""
        file = self.get(file_id)
        if file is None:
            raise KeyError(file_id)
        return self._data / file.place

    def text(self, file_id: str) -> str:
        """The whole extracted text, members of a zip one after the other; empty until it is indexed."""
        with self._db.read() as db:
            rows = db.execute(
                "SELECT text FROM texts JOIN files ON files.number = texts.file WHERE id = ? ORDER BY texts.number",
                (file_id,),
            ).fetchall()
        return "\n\n".join(row["text"] for row in rows)

    def link(self, base_url: str, file: LibraryFile) -> str:
        """Where the file is downloaded, under this start's origin."""
        return f"{base_url}/external/files/{file.id}/{quote(file.file_name, safe='')}"

    def requeue(self, file_id: str, size: int, changed_ns: int) -> None:
        """Index a file anew, because its bytes have changed where they lie."""
        with self._db.write() as db:
            db.execute(
                "UPDATE files SET state = 'loading', is_cut = 0, reason = '', size = ?, changed_ns = ? WHERE id = ?",
                (size, changed_ns, file_id),
            )
        self.on_queued()

    def fact(self, name: str) -> str:
        """A lasting remark about this data folder, such as the search model its vectors were made with."""
        with self._db.read() as db:
            row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return row["value"] if row else ""

    def keep_fact(self, name: str, value: str) -> None:
        """Write such a remark; within a `write` of the same thread it joins that transaction."""
        with self._db.write() as db:
            db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def _sweep(self) -> None:
        """Remove what a crash left, before anything new comes: half of an upload, a file without its row."""
        for part in self.incoming.iterdir():
            part.unlink(missing_ok=True)
        with self._db.read() as db:
            known = {row["place"] for row in db.execute("SELECT place FROM files")}
        for stray in self._files.iterdir():
            if f"files/{stray.name}" not in known:
                stray.unlink(missing_ok=True)


def as_file(row: sqlite3.Row) -> LibraryFile:
    """A row of `files` as a value."""
    folder_path = tuple(filter(None, row["folder"].split("/")))
    flags = {name: bool(row[name]) for name in ("is_shared", "is_cut")}
    return LibraryFile(**named(row, LibraryFile) | flags, folder_path=folder_path)


def _insert(db: sqlite3.Connection, file_id: str, new: NewFile, place: str) -> LibraryFile:
    row = db.execute(
        "INSERT INTO files (id, file_name, provider, mime_type, created_at, folder, size, place, changed_ns)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
        (
            file_id,
            new.file_name,
            new.provider,
            mime_type(new.file_name),
            datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="microseconds"),
            "/".join(part.replace("/", "_") for part in new.folder_path),
            new.size,
            place,
            new.changed_ns,
        ),
    ).fetchone()
    return as_file(row)


def _suffix(file_name: str) -> str:
    found = extension(file_name)
    return f".{found}" if found else ""


def _sync_folder(folder: Path) -> None:
    """Make the renames themselves durable, where the system can sync a folder."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
