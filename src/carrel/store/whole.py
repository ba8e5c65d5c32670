"""A file that is written whole or not at all: what stood at its place stays until the new one is on the disk.

All of this is for a thread: a disk may take its time.
"""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(place: Path, text: str) -> None:
    """Write `text` as UTF-8 to a place, over what is there; OSError."""
    part = part_of(place)
    try:
        part.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        put_whole(part, place)
    finally:
        part.unlink(missing_ok=True)


def part_of(place: Path) -> Path:
    """Where a file lies until it is whole."""
    return place.with_name(f"{place.name}.part")


def put_whole(part: Path, place: Path) -> None:
    """Have the disk keep a part that is whole, and only then give it its place; OSError."""
    with part.open("rb+") as held:
        os.fsync(held.fileno())
    part.replace(place)
