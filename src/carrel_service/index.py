"""Works through the queue in a thread of its own: a file's text and passages in one commit, then its vectors."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from . import embedding, passage_rows
from .db import Database
from .embedding import Embedder
from .extract import Failed, ReadingProcess
from .library import Library, LibraryFile, as_file
from .passages import cut

if TYPE_CHECKING:
    from .vectors import VectorMatrix

log = logging.getLogger(__name__)

_BATCH = 64
"""Passages embedded and committed together: about a second, after which a smaller file may go first."""

_WAITS = (1.0, 60.0)
"""Seconds before the first and at most before a further try, where a step fails."""

_READER_RESTS_AFTER = 20.0
"""Seconds without work after which the reading process is ended; an idle service keeps nothing warm."""


class Index:
    """The thread, the search model and the matrix of vectors. Nothing heavy is loaded before its first use."""

    def __init__(self, db: Database, library: Library) -> None:
        self._db = db
        self._library = library
        self._reader = ReadingProcess(library.scratch)
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._loading = threading.RLock()
        self._embedder: Embedder | None = None
        self._vectors: VectorMatrix | None = None
        self._looked_for_model = False
        self.indexed: Callable[[LibraryFile], None] = lambda _: None
        """Called, in the thread, with each file that has left the queue."""
        library.on_queued = self._wake.set

    def start(self) -> None:
        """Begin to work through the queue, where the last start left it."""
        self._thread = threading.Thread(target=self._run, name="index", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Leave what is in hand queued, and wait for the thread."""
        self._closing.set()
        self._wake.set()
        self._reader.kill()
        if self._thread:
            self._thread.join(timeout=10)

    def embedder(self) -> Embedder | None:
        """The search model, loaded at first use; None when this computer has none."""
        with self._loading:
            if not self._looked_for_model:
                self._looked_for_model = True
                self._embedder = embedding.load()
            return self._embedder

    def vectors(self) -> "VectorMatrix":
        """The matrix of all vectors that the current model made, read from the database at first use."""
        with self._loading:
            if self._vectors is None:
                self._vectors = self._read_vectors()
            return self._vectors

    def forget(self, file: LibraryFile) -> None:
        """Take a file and all that was indexed of it out of the library; its bytes are left alone."""
        with self._db.write() as db:
            removed = passage_rows.remove(db, file.number)
            db.execute("DELETE FROM files WHERE number = ?", (file.number,))
        self._drop_vectors(removed)

    def _run(self) -> None:
        older: bool | None = None
        wait = _WAITS[0]
        while not self._closing.is_set():
            try:
                older = self._step(older)
                wait = _WAITS[0]
                continue
            except (sqlite3.Error, OSError) as error:  # a full disk, a file that another program holds: it may pass
                log.warning("Indexing goes on in %.0f s: %s", wait, error)
            except Exception:  # a seam: the queue must not stand still for good
                log.exception("Indexing goes on in %.0f s", wait)
            self._closing.wait(wait)
            wait = min(_WAITS[1], wait * 2)
        self._reader.kill()

    def _step(self, older: bool | None) -> bool:
        """One step with what waits; `older` tells and is told whether passages without a vector may be left.

        Those are of files that became ready without a search model, or with another one than today's. At the first
        step it is None, and passages are looked for.
        """
        if older is None:
            return self._has_passages()
        self._wake.clear()
        if file := self._next():
            self._advance(file)
        elif older:
            return self._embed_some()
        else:
            self._rest()
        return older

    def _rest(self) -> None:
        if self._reader.running and not self._wake.wait(_READER_RESTS_AFTER):
            self._reader.kill()
        self._wake.wait()

    def _has_passages(self) -> bool:
        """Whether there is anything to search; if so, model and matrix are loaded before the first search."""
        with self._db.read() as db:
            found = db.execute("SELECT 1 FROM passages LIMIT 1").fetchone() is not None
        if found:
            self.vectors()
        return found

    def _next(self) -> LibraryFile | None:
        """The smallest file of the queue, so that one archive does not hold up a folder of notes."""
        with self._db.read() as db:
            row = db.execute("SELECT * FROM files WHERE state = 'loading' ORDER BY size, number LIMIT 1").fetchone()
        return as_file(row) if row else None

    def _advance(self, file: LibraryFile) -> None:
        """One step with a file: its text, then a batch of vectors, and at last it is ready."""
        try:
            if not file.is_cut and not self._read(file):
                return  # it was taken away or changed meanwhile: what the queue holds now comes next
            if not self._embed_some(file.number):
                self._finish(file, "success")
        except (Failed, sqlite3.DataError, sqlite3.IntegrityError) as reason:  # what no further try would change
            if not self._closing.is_set():
                log.warning("%s could not be indexed: %s", file.file_name, reason)
                self._finish(file, "failed", str(reason))

    def _read(self, file: LibraryFile) -> bool:
        """Write a file's passages; False where the file that was read is not the library's any more."""
        try:
            path = self._library.path(file.id)
        except KeyError:
            return False
        texts = self._reader.read(path, file.file_name)
        cuts = [passage_rows.Cut(text.member, passage) for text in texts for passage in cut(text.text)]
        if not cuts:
            raise Failed("there is no text in it")
        with self._db.write() as db:
            same = "UPDATE files SET is_cut = 1 WHERE number = ? AND changed_ns = ?"
            if not db.execute(same, (file.number, file.changed_ns)).rowcount:
                return False
            removed = passage_rows.remove(db, file.number)
            passage_rows.write(db, file.number, ((text.member, text.text) for text in texts), cuts)
        self._drop_vectors(removed)
        return True

    def _embed_some(self, file: int | None = None) -> bool:
        """Give a batch of passages their vectors; False when there is none left to do, or no model."""
        with self._db.read() as db:
            waiting = passage_rows.without_vector(db, _BATCH, file)
        embedder = self.embedder() if waiting else None
        if embedder is None:
            return False
        from .vectors import packed

        matrix = self.vectors()
        ids, made = [number for number, _ in waiting], packed(embedder.embed([text for _, text in waiting]))
        with self._db.write() as db:
            passage_rows.write_vectors(db, ids, made)
            matrix.add(ids, made)  # before a file that is taken away meanwhile takes them out again
        return True

    def _finish(self, file: LibraryFile, state: str, reason: str = "") -> None:
        """Take a file off the queue; a failed one leaves nothing in the index."""
        removed = []
        with self._db.write() as db:
            if state == "failed":
                removed = passage_rows.remove(db, file.number)
            db.execute(
                "UPDATE files SET state = ?, reason = ? WHERE number = ? AND changed_ns = ?",
                (state, reason, file.number, file.changed_ns),
            )
        self._drop_vectors(removed)
        self.indexed(file)

    def _drop_vectors(self, removed: list[int]) -> None:
        if removed and self._vectors is not None:
            self._vectors.remove(removed)

    def _read_vectors(self) -> "VectorMatrix":
        from .vectors import VectorMatrix

        matrix = VectorMatrix(Embedder.dimension)
        embedder = self.embedder()
        if embedder is None:
            return matrix
        if self._library.fact("search model") != embedder.signature:
            with self._db.write() as db:
                db.execute("DELETE FROM vectors")
                self._library.keep_fact("search model", embedder.signature)
        with self._db.read() as db:
            rows = db.execute("SELECT passage, vector FROM vectors ORDER BY passage")
            while some := list(islice(rows, 10_000)):
                matrix.add([row["passage"] for row in some], [row["vector"] for row in some])
        return matrix
