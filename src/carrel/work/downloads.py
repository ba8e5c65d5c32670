"""Downloads: library files and generated files in one queue, each a row before its first byte, resumable by range."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from carrel.api import numbered, safe_name
from carrel.model import NotFound, ServiceError
from carrel.model.transfers import TRY_AGAIN, UNDER_WAY, Direction, Transfer
from carrel.store.transfers import Fetched
from carrel.work.addresses import present
from carrel.work.context import Context
from carrel.work.parts import can_take, discard, free_names, names_in, resumable
from carrel.work.relinking import asked_anew, file_of
from carrel.work.transfers import Transfers, Work, sentence

STOPPED = frozenset({"paused", "interrupted", "failed"})
"""States in which a part of a file waits on the disk."""

ANEW = "Carrel ended before the file was whole. “Go on” fetches it from its beginning."
"""What an interrupted row says of which nothing is here that it could go on from."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file to fetch; its fields are those of `Transfer`."""

    url: str
    name: str
    origin: str = ""


def local_name(name: str) -> str:
    """A file's name as a system can keep it, and nothing but a name, whatever a service calls the file."""
    return safe_name(name)


class Downloads(Transfers):
    """What was fetched, is being fetched, or shall be."""

    direction: ClassVar[Direction] = "down"
    keeps_part: ClassVar[bool] = True
    interrupted: ClassVar[str] = "Carrel ended before the file was whole. “Go on” takes it up from there."

    def __init__(self, context: Context) -> None:
        """As every queue."""
        super().__init__(context)
        self._fetched = Fetched(context.db, context.account_id)

    async def recover(self) -> None:
        """As every queue; then say of rows that stopped how much of their files is really here."""
        await super().recover()
        await self._look_at_parts([row for row in self._rows.values() if row.state in STOPPED])

    async def fetch(
        self, url: str, name: str, *, size: int | None = None, folder: Path | None = None, origin: str = ""
    ) -> str:
        """Queue a download and give its row's id; `size` is in bytes, where it was told.

        `folder` is that of the settings unless given. The file never takes the place of another: where one of that
        name is there, it gets a number.
        """
        place = self._free_place(folder or self.folder, safe_name(name))
        return await self._fetch(url, place, size, origin)

    async def fetch_all(self, wanted: Sequence[Wanted]) -> None:
        """As `fetch`, for many files at once: their rows are written together, or not at all."""
        folder = self.folder
        used, names = await asyncio.to_thread(lambda: (names_in(folder), [safe_name(one.name) for one in wanted]))
        used |= {place.name.casefold() for place in map(Path, self._taken()) if place.parent == folder}
        pairs = zip(wanted, free_names(names, used), strict=True)
        top = os.path.join(folder, "")  # thousands of paths, each made anew, would hold the window up
        await self._add([self._new(name, top + name, url=one.url, origin=one.origin) for one, name in pairs])

    async def fetch_as(self, url: str, place: Path, *, size: int | None = None, origin: str = "") -> str:
        """As `fetch`, at a place that a person chose in a dialog: a file that is there was agreed to be replaced."""
        replaces = await asyncio.to_thread(place.exists)
        if str(place) in self._taken():
            place, replaces = self._free_place(place.parent, place.name), False
        return await self._fetch(url, place, size, origin, replaces=replaces)

    @property
    def folder(self) -> Path:
        """Where files go that nobody chose a place for."""
        chosen = self._context.settings().downloads
        return Path(chosen) if chosen else self._context.paths.downloads

    async def retry(self, *ids: str) -> None:
        """As every queue; where a folder cannot be written to, in that of the settings."""
        for row in [row for i in ids if (row := self.row(i)) and row.state == "failed"]:
            folder = self.folder
            if Path(row.path).parent != folder and not await asyncio.to_thread(can_take, Path(row.path).parent):
                place = self._free_place(folder, row.name)
                self._change(row.id, path=str(place), name=place.name, moved=0, replaces=False)
        await super().retry(*ids)

    async def retry_as(self, row_id: str, place: Path) -> None:
        """As `retry`, at a place that a person chose in a dialog (see `fetch_as`)."""
        replaces = await asyncio.to_thread(place.exists)
        if not self._is_in(row_id, TRY_AGAIN):
            return
        former = self._rows[row_id].path
        if str(place) in self._taken() - {former}:
            place, replaces = self._free_place(place.parent, place.name), False
        if str(place) != former:
            self._change(row_id, path=str(place), name=place.name, moved=0, replaces=replaces)
            await self._discard([former])
        await super().retry(row_id)

    async def clear(self, ids: Iterable[str] | None = None) -> None:
        """As every queue; what had come of files that are not whole is removed."""
        await self._context.tasks.to_the_end(self._clear(None if ids is None else list(ids)))

    async def _clear(self, ids: Sequence[str] | None) -> None:
        before = self._rows.copy()
        await super().clear(ids)
        await self._discard([row.path for i, row in before.items() if i not in self._rows and row.state != "done"])

    async def cancel(self, *ids: str) -> None:
        """Stop for good, and remove what had come."""
        await self._context.tasks.to_the_end(self._cancel(ids))

    async def _cancel(self, ids: Sequence[str]) -> None:
        await super().cancel(*ids)
        await self._discard([row.path for i in ids if (row := self.row(i)) and row.state == "cancelled"])

    def whole(self, origin: str) -> Transfer | None:
        """The last download of that origin that is whole, and whose file is still there, also where it was cleared."""
        return self.whole_of([origin]).get(origin)

    def whole_of(self, origins: Iterable[str]) -> Mapping[str, Transfer]:
        """The same for many, by origin."""
        wanted = set(origins)
        done = [row for row in self._rows.values() if row.origin in wanted and row.state == "done"]
        found = {row.origin: row for row in done if Path(row.path).exists()}
        for origin in wanted - found.keys():
            place = self._fetched.find(origin)
            if place and Path(place).exists():
                found[origin] = Transfer("", "down", Path(place).name, place, 0.0, 0.0, state="done", origin=origin)
        return found

    def begun(self, origins: Iterable[str]) -> Mapping[str, Transfer]:
        """The last download of each origin that is under way, or has stopped and can go on."""
        wanted = set(origins)
        states = UNDER_WAY | {"interrupted", "failed"}
        return {row.origin: row for row in self._rows.values() if row.origin in wanted and row.state in states}

    async def wait(self, row_id: str) -> Transfer | None:
        """The row once its file is whole; None where it will not be, or was never there."""
        ended = asyncio.Event()

        def wake(*_: object) -> None:
            ended.set()

        self.changed.connect(wake)
        self.removed.connect(wake)
        try:
            while (row := self.row(row_id)) is not None and row.state in UNDER_WAY:
                ended.clear()
                await ended.wait()
        finally:
            self.changed.disconnect(wake)
            self.removed.disconnect(wake)
        return row if row is not None and row.state == "done" else None

    async def _fetch(self, url: str, place: Path, size: int | None, origin: str, *, replaces: bool = False) -> str:
        row = self._new(place.name, str(place), url=url, size=size, origin=origin, replaces=replaces)
        await self._add([row])
        return row.id

    def _next(self) -> tuple[list[Transfer], Work] | None:
        row = next(self._waiting(), None)
        return None if row is None else ([row], partial(self._download, row))

    async def _download(self, row: Transfer) -> None:
        try:
            place = await self._bring(row)
        except asyncio.CancelledError:
            self._say_resumable(row.id, resumable(Path(row.path)))
            raise
        except ServiceError as error:
            await self._settle([row.id], state="failed", error=sentence(error), ended_at=time.time())
        else:
            await self._put_in_place(row, place)

    async def _bring(self, row: Transfer) -> Path:
        """Fetch a row's file; a library's file whose link works no longer is asked for once more."""
        file = file_of(row, self._context)
        try:
            return await self._follow(row, (file.download_link if file else "") or row.url)
        except NotFound:
            now = await asked_anew(file, self._context) if file else None
            if now is None:
                raise
        return await self._follow(row, now.download_link)

    async def _follow(self, row: Transfer, url: str) -> Path:
        def told(moved: int, total: int | None) -> None:
            self._moved(row.id, moved, total)

        size = None if row.moved else row.size  # later it is what an answer said, which binds no other answer
        return await self._context.service.download(present(url, self._context), Path(row.path), told, size=size)

    async def _look_at_parts(self, rows: Sequence[Transfer]) -> None:
        sizes = await asyncio.to_thread(lambda: [resumable(Path(row.path)) for row in rows])
        for row, size in zip(rows, sizes, strict=True):
            if self._is_in(row.id, STOPPED):
                self._say_resumable(row.id, size)
                if row.state == "interrupted" and not size:
                    self._change(row.id, error=ANEW)

    def _say_resumable(self, row_id: str, size: int) -> None:
        """So much is here to go on from: what a service without ranges has sent counts for nothing any more."""
        row = self._rows.get(row_id)
        if row is not None and row.moved != size:
            self._change(row_id, moved=size, size=row.size if size else None)

    async def _discard(self, paths: Iterable[str]) -> None:
        """Remove what had come, except where another row goes to the same place by now."""
        left = [Path(path) for path in set(paths) - self._taken()]
        await asyncio.to_thread(discard, left)

    async def _put_in_place(self, row: Transfer, place: Path) -> None:
        """Let a whole file take the place of the one that was agreed to be replaced, and say where it is."""
        note = ""
        if row.replaces:
            try:
                place = await asyncio.to_thread(place.replace, row.path)
            except OSError as error:
                note = f"It is here as “{place.name}”: “{row.name}” could not be replaced ({error.strerror})."
        values = {"path": str(place), "name": place.name, "size": self._rows[row.id].moved, "note": note}
        self._change(row.id, state="done", ended_at=time.time(), **values)  # also where it cannot be written down
        if row.origin:
            await self._fetched.put(row.origin, str(place))
        await self._write([row.id], durable=True)

    def _free_place(self, folder: Path, name: str) -> Path:
        """A path that neither a file nor another row under way has."""
        taken = self._taken()
        return next(place for place in numbered(folder / name) if str(place) not in taken and not place.exists())

    def _taken(self) -> set[str]:
        return {row.path for row in self._rows.values() if row.state in UNDER_WAY | {"interrupted", "failed"}}
