"""Folders of this computer as a second provider: watched, and indexed where they lie."""

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .db import Database
from .filetypes import extension
from .index import Index
from .library import Library, LibraryFile, NewFile, as_file
from .uploads import MOST_BYTES

log = logging.getLogger(__name__)

PROVIDER = "folder"

_SETTLE = 0.5
"""Seconds of quiet after a change before the folder is looked at: a copy is many changes."""

_AGAIN = 30.0
"""Seconds until the folders are looked at again where that failed, if nothing changes in them before."""


class Folders:
    """Compares each folder with its rows at the start, and again when the system reports a change in it."""

    def __init__(self, db: Database, library: Library, index: Index, folders: Sequence[Path]) -> None:
        self._db = db
        self._library = library
        self._index = index
        self._folders = _outermost([folder for folder in folders if folder.is_dir()])
        self._changed = threading.Event()
        self._closing = threading.Event()
        self._observer: Any = None
        self._thread: threading.Thread | None = None
        self._left_out: set[Path] = set()
        for folder in folders:
            if not folder.is_dir():
                log.warning("%s is not a folder; it is left out", folder)

    def start(self) -> None:
        """Take the folders in, then follow them. Without any, nothing runs, and files of former ones are dropped."""
        if not self._folders:
            self._compare()
            return
        self._watch()
        self._changed.set()
        self._thread = threading.Thread(target=self._run, name="folders", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop following."""
        self._closing.set()
        self._changed.set()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(timeout=5)
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _watch(self) -> None:
        from watchdog.events import (
            DirCreatedEvent,
            DirDeletedEvent,
            DirMovedEvent,
            FileClosedEvent,
            FileCreatedEvent,
            FileDeletedEvent,
            FileModifiedEvent,
            FileMovedEvent,
            FileSystemEventHandler,
        )
        from watchdog.observers import Observer

        telling = [
            DirCreatedEvent, DirDeletedEvent, DirMovedEvent, FileClosedEvent,
            FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent,
        ]  # fmt: skip  # that a file was opened or read, as indexing does, tells nothing
        handler = FileSystemEventHandler()
        handler.on_any_event = lambda event: self._changed.set()  # type: ignore[method-assign]  # noqa: ARG005
        self._observer = Observer()
        for folder in self._folders:
            self._observer.schedule(handler, str(folder), recursive=True, event_filter=telling)
        self._observer.start()

    def _run(self) -> None:
        while True:
            self._changed.wait()
            while not self._closing.wait(_SETTLE) and self._changed.is_set():
                self._changed.clear()
            if self._closing.is_set():
                return
            try:
                self._compare()
                continue
            except (OSError, sqlite3.Error) as error:  # a folder that may not be read now, a full disk: it may pass
                log.warning("The folders are read again in %.0f s: %s", _AGAIN, error)
            except Exception:  # a seam: the folders must be followed on
                log.exception("The folders are read again in %.0f s", _AGAIN)
            self._changed.wait(_AGAIN)
            self._changed.set()

    def _compare(self) -> None:
        """Add what is new, index anew what has changed, forget what is gone."""
        known = self._known()
        new = []
        for folder in self._folders:
            for path in filter(self._nameable, _files(folder)):
                try:
                    stat = path.stat()
                except FileNotFoundError:
                    continue
                if stat.st_size > MOST_BYTES:
                    continue
                file = known.pop(str(path), None)
                if file is None:
                    new.append(_new(folder, path, stat))
                elif (file.changed_ns, file.size) != (stat.st_mtime_ns, stat.st_size):
                    self._library.requeue(file.id, stat.st_size, stat.st_mtime_ns)
        for gone in known.values():
            self._index.forget(gone)
        if new:
            self._library.add(new)

    def _nameable(self, path: Path) -> bool:
        """Whether the path is text that a database and an answer can hold; one that is not is told of once."""
        try:
            str(path).encode()
        except UnicodeEncodeError:
            if path not in self._left_out:
                self._left_out.add(path)
                log.warning("%a is left out: its name is not UTF-8", str(path))
            return False
        return True

    def _known(self) -> dict[str, LibraryFile]:
        with self._db.read() as db:
            rows = db.execute("SELECT * FROM files WHERE provider = ?", (PROVIDER,)).fetchall()
        return {row["place"]: as_file(row) for row in rows}


def _outermost(folders: Sequence[Path]) -> list[Path]:
    """Each once, and none that lies in another: a file has one place."""
    whole = [folder.resolve() for folder in dict.fromkeys(folders)]
    return [folder for folder in whole if not any(other in folder.parents for other in whole)]


def _files(folder: Path) -> Iterator[Path]:
    """Files of accepted types. What is hidden is left out, so are links, and the locks that office programs leave."""
    for where, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            path = Path(where, name)
            if extension(name) and not name.startswith((".", "~$")) and path.is_file() and not path.is_symlink():
                yield path


def _new(folder: Path, path: Path, stat: os.stat_result) -> NewFile:
    return NewFile(
        file_name=path.name,
        path=path,
        size=stat.st_size,
        folder_path=(folder.name, *path.relative_to(folder).parent.parts),
        provider=PROVIDER,
        in_place=True,
        changed_ns=stat.st_mtime_ns,
    )
