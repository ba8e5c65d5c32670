"""Downloads: library files and generated files in one queue, each a row before its first byte, resumable by range."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from carrel.api import safe_name
from carrel.model import ServiceError
from carrel.model.transfers import UNDER_WAY, Direction, Transfer
from carrel.store.transfers import Fetched
from carrel.work.addresses import present
from carrel.work.context import Context
from carrel.work.transfers import Transfers, Work, sentence


class Downloads(Transfers):
    """What was fetched, is being fetched, or shall be."""

    direction: ClassVar[Direction] = "down"
    keeps_part: ClassVar[bool] = True
    interrupted: ClassVar[str] = "Carrel ended before the file was whole. “Go on” takes it up from there."

    def __init__(self, context: Context) -> None:
        """As every queue."""
        super().__init__(context)
        self._fetched = Fetched(context.db, context.account_id)

    async def fetch(
        self, url: str, name: str, *, size: int | None = None, folder: Path | None = None, origin: str = ""
    ) -> str:
        """Queue a download and give its row's id; `size` is in bytes, where it was told.

        `folder` is that of the settings unless given. The file never takes the place of another: where one of that
        name is there, it gets a number.
        """
        place = self._free_place(folder or self.folder, safe_name(name))
        return await self._fetch(url, place, size, origin)

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

    async def cancel(self, *ids: str) -> None:
        """Stop for good, and remove what had come."""
        await self._context.tasks.to_the_end(self._cancel(ids))

    async def _cancel(self, ids: Sequence[str]) -> None:
        await super().cancel(*ids)
        left = [Path(row.path) for i in ids if (row := self.row(i)) and row.state == "cancelled"]
        await asyncio.to_thread(_discard, left)

    def whole(self, origin: str) -> Transfer | None:
        """The last download of that origin that is whole, and whose file is still there, also where it was cleared."""
        done = [row for row in self.rows(origin) if row.state == "done" and Path(row.path).exists()]
        if done:
            return done[-1]
        place = self._fetched.find(origin)
        cleared = Transfer("", "down", Path(place).name, place, 0.0, 0.0, state="done", origin=origin)
        return cleared if place and Path(place).exists() else None

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
        def told(moved: int, total: int | None) -> None:
            self._moved(row.id, moved, total)

        try:
            link = present(row.url, self._context)
            size = None if row.moved else row.size  # later it is what an answer said, which binds no other answer
            place = await self._context.service.download(link, Path(row.path), told, size=size)
        except ServiceError as error:
            await self._settle([row.id], state="failed", error=sentence(error), ended_at=time.time())
        else:
            await self._put_in_place(row, place)

    async def _put_in_place(self, row: Transfer, place: Path) -> None:
        """Let a whole file take the place of the one that was agreed to be replaced, and say where it is."""
        note = ""
        if row.replaces:
            try:
                place = await asyncio.to_thread(place.replace, row.path)
            except OSError as error:
                note = f"It is here as “{place.name}”: “{row.name}” could not be replaced ({error.strerror})."
        if row.origin:
            await self._fetched.put(row.origin, str(place))
        values = {"path": str(place), "name": place.name, "size": self._rows[row.id].moved, "note": note}
        await self._settle([row.id], state="done", ended_at=time.time(), **values)

    def _free_place(self, folder: Path, name: str) -> Path:
        """A path that neither a file nor another row under way has."""
        taken = self._taken()
        place, number = folder / name, 2
        while str(place) in taken or place.exists():
            place, number = folder / f"{Path(name).stem} ({number}){Path(name).suffix}", number + 1
        return place

    def _taken(self) -> set[str]:
        return {row.path for row in self._rows.values() if row.state in UNDER_WAY | {"interrupted", "failed"}}


def _discard(places: list[Path]) -> None:
    for place in places:
        for ending in (".part", ".part.json"):
            place.with_name(place.name + ending).unlink(missing_ok=True)
