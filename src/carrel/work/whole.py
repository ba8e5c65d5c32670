"""A text file that is written whole or not at all: what stood there stays until the new one is on the disk."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(place: Path, text: str) -> None:
    """Write `text` as UTF-8 to a place, over what is there; OSError. Call it in a thread."""
    part = place.with_name(f"{place.name}.part")
    try:
        with part.open("w", encoding="utf-8", errors="replace", newline="\n") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
