"""What an earlier run left in the cache: files that were pasted, and that no upload waits for any more."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path

from carrel.store.db import Database
from carrel.store.transfers import files_to_send


async def sweep(cache: Path, db: Database) -> None:
    """Remove them; what an upload of any account may still be tried with stays. Before a session is open."""
    await asyncio.to_thread(_sweep, cache / "pasted", {Path(path).parent for path in files_to_send(db)})


def _sweep(pasted: Path, wanted: set[Path]) -> None:
    with suppress(OSError):  # there may be nothing, or nothing that may be read: then it stays
        for folder in pasted.iterdir():
            if folder not in wanted:
                shutil.rmtree(folder, ignore_errors=True)
