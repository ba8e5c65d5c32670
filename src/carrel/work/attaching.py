"""Files for a message: they go through the upload queue as all files do, and are attached by the ids they get."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from pathlib import Path

from carrel.model.transfers import UNDER_WAY, Transfer
from carrel.work.uploads import Uploads


async def attach(uploads: Uploads, paths: Sequence[Path]) -> tuple[Transfer, ...]:
    """Upload, and give the rows once each has an id (`file_id`) or an `error`."""
    origin = f"chat:{uuid.uuid4().hex}"
    moved = asyncio.Event()

    def wake(_: str) -> None:
        moved.set()

    uploads.changed.connect(wake)
    try:
        await uploads.add(paths, origin=origin)
        while any(row.state in UNDER_WAY for row in uploads.rows(origin)):
            moved.clear()
            await moved.wait()
    finally:
        uploads.changed.disconnect(wake)
    return uploads.rows(origin)
