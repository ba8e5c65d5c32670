"""The disk beside the queue of downloads: parts of files that are not whole yet, folders, and names that are free."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from carrel.api import numbered


def resumable(place: Path) -> int:
    """Bytes of a file that its download can go on from."""
    part, note = _beside(place)
    try:
        return part.stat().st_size if note.exists() else 0
    except OSError:
        return 0


def discard(places: Iterable[Path]) -> None:
    """Remove what had come of files; what lies where nothing can be removed stays."""
    for place in places:
        for one in _beside(place):
            with suppress(OSError):
                one.unlink()


def can_take(folder: Path) -> bool:
    """Whether files can be put into a folder; it is made where it is not there."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def names_in(folder: Path) -> set[str]:
    """What lies in a folder, as `free_names` takes it."""
    try:
        return {name.casefold() for name in os.listdir(folder)}
    except OSError:
        return set()


def free_names(wanted: Iterable[str], used: set[str]) -> list[str]:
    """A name for each, with a number where it is among `used` (without case), which grows by them."""
    given, places = [], dict[str, Iterator[Path]]()
    for name in wanted:
        others = places.setdefault(name, numbered(Path(name)))
        free = next(place.name for place in others if place.name.casefold() not in used)
        used.add(free.casefold())
        given.append(free)
    return given


def _beside(place: Path) -> tuple[Path, Path]:
    """The part of a file, and the note that makes it resumable."""
    return place.with_name(f"{place.name}.part"), place.with_name(f"{place.name}.part.json")
