"""Files for a message: they go through the upload queue as all files do, and are attached by the ids they get."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from carrel.model.transfers import FOR_MESSAGE, FOR_UNKEPT, UNDER_WAY, Transfer
from carrel.work.uploads import Uploads

Told = Callable[[Sequence[Transfer]], None]


async def attach(
    uploads: Uploads, paths: Sequence[Path], told: Told | None = None, *, kept: bool = True
) -> tuple[Transfer, ...]:
    """Upload, and give the rows once each has an id (`file_id`) or an `error`; `told` gets them at each change.

    For a chat that is not `kept` nothing of it is written down.
    """
    origin = f"{FOR_MESSAGE if kept else FOR_UNKEPT}{uuid.uuid4().hex}"
    moved = asyncio.Event()

    def wake(_: str) -> None:
        moved.set()

    uploads.changed.connect(wake)
    try:
        await uploads.add(paths, origin=origin)
        while any(row.state in UNDER_WAY for row in uploads.rows(origin)):
            if told is not None:
                told(uploads.rows(origin))
            moved.clear()
            await moved.wait()
    finally:
        uploads.changed.disconnect(wake)
    return uploads.rows(origin)


async def set_down(cache: Path, name: str, write: Callable[[Path], object]) -> Path:
    """Write what was pasted to a file of that name, in a folder of its own, so that it can be uploaded.

    `write` gets its place, on another thread. OSError where the disk refuses.
    """
    file = cache / "pasted" / uuid.uuid4().hex / name

    def make() -> None:
        file.parent.mkdir(parents=True)
        write(file)

    await asyncio.to_thread(make)
    return file


async def take_up(file: Path) -> None:
    """Remove what `set_down` wrote."""
    await asyncio.to_thread(shutil.rmtree, file.parent, ignore_errors=True)
