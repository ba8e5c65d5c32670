"""Finds uploads whose content the service has, or which stand in the queue twice: by size first, then by hash."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from carrel.model.transfers import FOR_MESSAGE, UNDER_WAY, Transfer
from carrel.store.contents import Contents
from carrel.work.library import Library
from carrel.work.looking import digest

CANCELLED = ", which was cancelled."


def uploaded(name: str) -> str:
    """The words for a copy of what the service has."""
    return f"It has the same content as “{name}”."


def queued(name: str) -> str:
    """The words for a copy of what is still to go."""
    return f"It has the same content as “{name}” in this queue."


def cancelled(name: str) -> str:
    """The words for a copy of what shall not go."""
    return f"It has the same content as “{name}”{CANCELLED}"


@dataclass(frozen=True, slots=True)
class Copy:
    """What has the same content: `words` say it; id and time (seconds since the epoch) where it was uploaded.

    `original` is the row that is still to go, where it was not.
    """

    words: str
    file_id: str = ""
    uploaded_at: float | None = None
    original: str = ""


@dataclass(frozen=True, slots=True)
class _Hashed:
    """A file's hash, and when the file was written then."""

    digest: str
    written: int


class Copies:
    """Hashes a file only where another one has as many bytes, and once as long as it stays as it is."""

    def __init__(self, contents: Contents, library: Library, row: Callable[[str], Transfer | None]) -> None:
        """`row` gives a row of the queue as it is now."""
        self._contents, self._library, self._row = contents, library, row
        self._by_size: defaultdict[int, list[str]] = defaultdict(list)
        self._hashed: dict[str, _Hashed] = {}
        self._hashing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def note(self, rows: Iterable[Transfer]) -> None:
        """Rows that stand in the queue: later ones may be copies of them."""
        for row in rows:
            self._by_size[row.size or 0].append(row.id)

    async def of(self, row: Transfer) -> Copy | None:
        """The upload of the same content that is still in the library, or the row that came before and still waits."""
        twins = self._twins(row)
        if not twins and not self._contents.knows_size(row.size or 0):
            return None
        found = await self._digest(row)
        if not found:
            return None  # the upload itself will say what is wrong with the file
        former = self._contents.find(found)
        if former and self._has(former.file_id):
            return Copy(uploaded(former.name), former.file_id, former.uploaded_at)
        for twin in twins:
            if (self._hashed[twin.id].digest if twin.id in self._hashed else await self._digest(twin)) == found:
                return Copy(queued(twin.name), original=twin.id)
        return None

    def _has(self, file_id: str) -> bool:
        """Whether the service lists a file, and could index it: else it is worth sending once more."""
        file = self._library.file(file_id)
        return file is not None and file.state_kind != "failed"

    def _twins(self, row: Transfer) -> list[Transfer]:
        """Rows of as many bytes that came before and are still to go; a message needs a file of its own."""
        ids = self._by_size.get(row.size or 0, [])
        if row.origin.startswith(FOR_MESSAGE) or row.id not in ids:
            return []
        before = (self._row(i) for i in ids[: ids.index(row.id)])
        return [twin for twin in before if twin is not None and twin.state in UNDER_WAY]

    async def _digest(self, row: Transfer) -> str:
        """Of the file as it is now; empty where it cannot be read. Who asks meanwhile waits for the same hash."""
        path = Path(row.path)
        async with self._hashing[row.id]:
            held = self._hashed.get(row.id)
            try:
                written = (await asyncio.to_thread(path.stat)).st_mtime_ns
                if held is None or held.written != written:
                    held = self._hashed[row.id] = _Hashed(await asyncio.to_thread(digest, path), written)
            except OSError:
                return ""
            return held.digest
