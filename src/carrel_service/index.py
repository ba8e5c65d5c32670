"""Indexes what is queued, one file after the other, in a thread of its own: text, passages, vectors, one commit."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from .db import Database
from .embedding import Embedder, model_folder
from .extract import Failed, ReadingProcess, Text
from .library import Library, LibraryFile, as_file
from .passages import cut

if TYPE_CHECKING:
    from .vectors import VectorMatrix

log = logging.getLogger(__name__)

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

_BATCH = 64
"""Passages embedded between two looks at whether the service is closing: about a second."""

_READER_RESTS_AFTER = 20.0
"""Seconds without work after which the reading process is ended; an idle service keeps nothing warm."""


@dataclass(frozen=True)
class _Cut:
    member: str
    text: str


class _Closing(Exception):  # not an error: the way out of a file when the service closes
    """Work on a file stops here; it stays queued."""


class Index:
    """The thread, the model and the matrix. Nothing heavy is loaded before the first use."""

    def __init__(self, db: Database, library: Library) -> None:
        self._db = db
        self._library = library
        self._reader = ReadingProcess(library.scratch)
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._loading = threading.Lock()
        self._embedder: Embedder | None = None
        self._vectors: VectorMatrix | None = None
        self._tried = False
        self.indexed: Callable[[LibraryFile], None] = lambda _: None
        library.on_queued = self._wake.set

    def start(self) -> None:
        """Begin to work through the queue."""
        self._thread = threading.Thread(target=self._run, name="index", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Leave the file in hand queued, and wait for the thread."""
        self._closing.set()
        self._wake.set()
        self._reader.kill()
        if self._thread:
            self._thread.join(timeout=10)

    def embedder(self) -> Embedder | None:
        """The search model, loaded at first use; None when this computer has none."""
        with self._loading:
            if not self._tried:
                self._tried = True
                self._embedder = _load_model()
            return self._embedder

    def vectors(self) -> "VectorMatrix":
        """The matrix of all vectors that the current model made, read from the database at first use."""
        embedder = self.embedder()
        with self._loading:
            if self._vectors is None:
                self._vectors = self._read_vectors(embedder)
            return self._vectors

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self._wake.clear()
                if not (self._index_next() or self._embed_missing()):
                    self._rest()
        except _Closing:
            pass
        except Exception:  # a seam: the thread's end must not pass in silence
            log.exception("Indexing has stopped")
        finally:
            self._reader.kill()

    def _rest(self) -> None:
        if self._reader.running and not self._wake.wait(_READER_RESTS_AFTER):
            self._reader.kill()
        self._wake.wait()

    def _index_next(self) -> bool:
        """Index the smallest file of the queue, so that one archive does not hold up a folder of notes."""
        with self._db.read() as db:
            row = db.execute("SELECT * FROM files WHERE state = 'loading' ORDER BY size, number LIMIT 1").fetchone()
        if row is None:
            return False
        file = as_file(row)
        started = time.monotonic()
        try:
            self._index(file)
        except Failed as error:
            self._check_closing()
            self._fail(file, str(error))
        else:
            log.info("Indexed %s in %.1f s", file.file_name, time.monotonic() - started)
        return True

    def _index(self, file: LibraryFile) -> None:
        texts = self._reader.read(self._library.path(file.id), file.file_name)
        cuts = [_Cut(part.member, text) for part in texts for text in cut(part.text)]
        if not cuts:
            raise Failed("there is no text in it")
        vectors = self._embed([each.text for each in cuts])
        with self._db.write() as db:
            removed = _remove_passages(db, file.number)
            _write_texts(db, file.number, texts)
            ids = [_write_passage(db, file.number, *each) for each in enumerate(cuts)]
            _write_vectors(db, ids, vectors)
            db.execute("UPDATE files SET state = 'success', reason = '' WHERE number = ?", (file.number,))
        if self._vectors is not None:
            self._vectors.remove(removed)
            self._vectors.add(ids[: len(vectors)], vectors)
        self.indexed(file)

    def _embed(self, texts: list[str]) -> list[bytes]:
        """A packed vector for each text; none at all without a model."""
        embedder = self.embedder()
        if embedder is None:
            return []
        from .vectors import packed

        made: list[bytes] = []
        self.vectors()
        for start in range(0, len(texts), _BATCH):
            self._check_closing()
            made += packed(embedder.embed(texts[start : start + _BATCH]))
        return made

    def _embed_missing(self) -> bool:
        """Vectors for passages that were indexed without a model, or with another one."""
        if self.embedder() is None:
            return False
        self.vectors()
        with self._db.read() as db:
            rows = db.execute(
                "SELECT id, text FROM passages WHERE id NOT IN (SELECT passage FROM vectors) LIMIT ?", (_BATCH,)
            ).fetchall()
        if not rows:
            return False
        ids, made = [row["id"] for row in rows], self._embed([row["text"] for row in rows])
        with self._db.write() as db:
            _write_vectors(db, ids, made)
        self.vectors().add(ids, made)
        return True

    def _read_vectors(self, embedder: Embedder | None) -> "VectorMatrix":
        from .vectors import VectorMatrix

        matrix = VectorMatrix(Embedder.dimension)
        if embedder is None:
            return matrix
        if self._library.fact("search model") != embedder.signature:
            with self._db.write() as db:
                db.execute("DELETE FROM vectors")
                self._library.keep_fact("search model", embedder.signature)
        with self._db.read() as db:
            rows = db.execute("SELECT passage, vector FROM vectors")
            while some := list(islice(rows, 10_000)):
                matrix.add([row["passage"] for row in some], [row["vector"] for row in some])
        return matrix

    def forget(self, file: LibraryFile) -> None:
        """Take a file and all that was indexed of it out of the library; its bytes are left alone."""
        with self._db.write() as db:
            removed = _remove_passages(db, file.number)
            db.execute("DELETE FROM files WHERE number = ?", (file.number,))
        if self._vectors is not None:
            self._vectors.remove(removed)

    def _fail(self, file: LibraryFile, reason: str) -> None:
        log.warning("%s could not be indexed: %s", file.file_name, reason)
        with self._db.write() as db:
            removed = _remove_passages(db, file.number)
            db.execute("UPDATE files SET state = 'failed', reason = ? WHERE number = ?", (reason, file.number))
        if self._vectors is not None:
            self._vectors.remove(removed)
        self.indexed(file)

    def _check_closing(self) -> None:
        if self._closing.is_set():
            raise _Closing


def _load_model() -> Embedder | None:
    folder = model_folder()
    try:
        return Embedder(folder)
    except (OSError, ValueError, KeyError, ImportError) as error:
        log.info("No search model (%s): search goes by keywords alone", error)
    except Exception as error:  # noqa: BLE001  # a seam: onnxruntime has exceptions of its own for a broken model
        log.warning("The search model cannot be used: %s", error)
    return None


def _remove_passages(db: sqlite3.Connection, file: int) -> list[int]:
    removed = [row["id"] for row in db.execute("SELECT id FROM passages WHERE file = ?", (file,))]
    db.execute("DELETE FROM passages WHERE file = ?", (file,))
    db.execute("DELETE FROM texts WHERE file = ?", (file,))
    return removed


def _write_texts(db: sqlite3.Connection, file: int, texts: list[Text]) -> None:
    db.executemany(
        "INSERT INTO texts VALUES (?, ?, ?, ?)",
        [(file, number, part.member, part.text) for number, part in enumerate(texts)],
    )


def _write_passage(db: sqlite3.Connection, file: int, number: int, each: _Cut) -> int:
    added = db.execute(
        "INSERT INTO passages (file, member, number, text) VALUES (?, ?, ?, ?)",
        (file, each.member, number, each.text),
    )
    return int(added.lastrowid or 0)


def _write_vectors(db: sqlite3.Connection, ids: list[int], vectors: list[bytes]) -> None:
    db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", zip(ids, vectors, strict=False))
