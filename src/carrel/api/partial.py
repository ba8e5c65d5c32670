"""The file of a download that is not whole yet: `NAME.part`, and beside it what makes it resumable."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from carrel.api.files import numbered, put

SPARE = 16 << 20
"""Bytes that a download leaves free on the disk."""


class NoSpace(OSError):
    """The disk has no room for the file."""


class Partial:
    """Its methods touch the disk, so they run in the download's own thread."""

    def __init__(self, destination: Path, link: str) -> None:
        """Nothing is touched yet. `link` without its query tells one source from another."""
        self.link = link
        self._wanted = destination
        self._source = hashlib.sha256(link.partition("?")[0].encode()).hexdigest()
        self._place = destination
        self._file: BinaryIO | None = None
        self._validator = ""
        self._unseen = 0
        self._done = False

    @property
    def _part(self) -> Path:
        return self._place.with_name(f"{self._place.name}.part")

    @property
    def _note(self) -> Path:
        return self._place.with_name(f"{self._place.name}.part.json")

    def begin(self) -> tuple[int, Mapping[str, str]]:
        """Where the file stands in bytes, and the request headers that ask for the rest of it."""
        if self._file is None:
            self._wanted.parent.mkdir(parents=True, exist_ok=True)
            self._place = _claim(self._wanted)
            try:
                self._file = self._part.open("ab")
            except OSError:
                _release(self._place)
                raise
            self._validator = self._remembered()
        at = self._file.seek(0, os.SEEK_END) if self._validator else 0
        if not at:
            return 0, {}
        return at, {"Range": f"bytes={at}-", "If-Range": self._validator}

    def accept(self, at: int, length: int | None, validator: str) -> None:
        """An answer begins at byte `at` and has `length` more; an empty `validator` means it cannot be resumed."""
        assert self._file is not None
        self._file.truncate(at)
        free = shutil.disk_usage(self._part.parent).free
        if length is not None and length + SPARE > free:
            raise NoSpace
        self._validator = validator
        if validator:
            self._note.write_text(json.dumps({"source": self._source, "validator": validator}))
        else:
            self._note.unlink(missing_ok=True)

    def write(self, pieces: Sequence[bytes]) -> None:
        """Append each."""
        for piece in pieces:
            self.append(piece)

    def append(self, piece: bytes | memoryview) -> None:
        """Append; a disk that is full keeps nothing of the file."""
        assert self._file is not None
        try:
            self._file.write(piece)
            self._roomy(len(piece))
        except OSError:
            self.forget()
            raise

    def _roomy(self, written: int) -> None:
        """Look at the disk now and then: a file whose length nobody told may be endless."""
        self._unseen += written
        if self._unseen >= SPARE:
            self._unseen = 0
            if shutil.disk_usage(self._part.parent).free < SPARE:
                raise NoSpace

    def forget(self) -> None:
        """The next try begins at the first byte."""
        self._validator = ""

    def finish(self) -> Path:
        """The file is whole: on the disk for certain, then under its name."""
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        place = put(self._part, self._place)
        self._note.unlink(missing_ok=True)
        self._done = True
        return place

    def leave(self) -> None:
        """No more will come: what can be resumed stays, anything else goes, and what is gone already is no fault."""
        if self._file is None:
            return
        _release(self._place)
        with suppress(OSError):  # what the disk did not take is missing at the end, and asked for again
            self._file.close()
        if not self._done and not self._can_go_on():
            with suppress(OSError):  # a place that may not be changed any more keeps what it has
                self._part.unlink(missing_ok=True)
                self._note.unlink(missing_ok=True)

    def _can_go_on(self) -> bool:
        """Whether a later try has something to go on from."""
        try:
            return bool(self._validator and self._part.stat().st_size)
        except OSError:
            return False

    def _remembered(self) -> str:
        try:
            note = json.loads(self._note.read_text())
            same = note["source"] == self._source
            return str(note["validator"]) if same else ""
        except (OSError, ValueError, TypeError, KeyError):
            return ""


_lock = threading.Lock()
_claimed: set[Path] = set()


def _claim(wanted: Path) -> Path:
    """A place that no other download of this process is filling."""
    with _lock:
        place = next(place for place in numbered(wanted) if place not in _claimed)
        _claimed.add(place)
        return place


def _release(place: Path) -> None:
    with _lock:
        _claimed.discard(place)
