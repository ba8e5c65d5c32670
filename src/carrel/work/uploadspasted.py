"""What was pasted goes to the library as a file: it lies in the cache until the service has it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from carrel.model.transfers import UNDER_WAY
from carrel.work.attaching import set_down, take_up
from carrel.work.uploads import Uploads


async def upload_pasted(
    uploads: Uploads, cache: Path, name: str, write: Callable[[Path], object], folder: str = ""
) -> None:
    """Write a file of that name and upload it; one that could not be sent stays, so that it can be tried again.

    `write` gets its place, on another thread. OSError where the disk refuses.
    """
    file = await set_down(cache, name, write)
    origin, moved = f"pasted:{file.parent.name}", asyncio.Event()

    def wake(*_: object) -> None:
        moved.set()

    uploads.changed.connect(wake)
    uploads.removed.connect(wake)
    try:
        await uploads.add([file], folder, origin)
        while any(row.state in UNDER_WAY | {"indexing"} for row in uploads.rows(origin)):
            moved.clear()
            await moved.wait()
    finally:
        uploads.changed.disconnect(wake)
        uploads.removed.disconnect(wake)
    if all(row.state == "done" for row in uploads.rows(origin)):
        await take_up(file)
