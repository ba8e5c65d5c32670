"""Names and places for files that a service names: never outside the folder, never over another file."""

from __future__ import annotations

import itertools
import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 180
"""Of a file name in UTF-8: file systems take 255, and `.part` or a number may follow."""

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"|?*]')


def safe_name(text: str, instead: str = "download") -> str:
    """A file name that any system can keep, out of whatever a service calls a file.

    The last component only, without controls, direction marks and characters that a system forbids, no reserved,
    hidden or empty name, shortened with its extension kept.
    """
    last = re.split(r"[/\\]", text.strip().rstrip("/\\"))[-1]
    kept = "".join(char for char in unicodedata.normalize("NFC", last) if not _unseen(char))
    name = _FORBIDDEN.sub("_", kept).strip(" .")
    if not name:
        name = instead
    if _RESERVED.fullmatch(name):
        name = f"_{name}"
    return _shortened(name)


def _unseen(char: str) -> bool:
    """Controls, direction marks, lone surrogates, private and unassigned characters, line and paragraph ends."""
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _shortened(name: str) -> str:
    if len(name.encode()) <= MOST_BYTES:
        return name
    stem, dot, extension = name.rpartition(".")
    if not dot or len(extension.encode()) > 20:
        stem, extension = name, ""
    tail = f".{extension}" if extension else ""
    room = MOST_BYTES - len(tail.encode())
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip(" .") + tail


def numbered(destination: Path) -> Iterator[Path]:
    """A place, and then that place with (2), (3) … before the extension."""
    yield destination
    for number in itertools.count(2):
        yield destination.with_stem(f"{destination.stem} ({number})")


def put(part: Path, destination: Path) -> Path:
    """Give a whole file its name, or that name with a number where another file has it; what it is then."""
    for place in numbered(destination):
        try:
            _move_to_free(part, place)
        except FileExistsError:
            continue
        _sync_folder(place.parent)
        break
    return place


def _move_to_free(part: Path, place: Path) -> None:
    """Rename without ever replacing a file: by a hard link where the file system has them."""
    if os.name == "nt":
        part.rename(place)  # refuses an existing name by itself
        return
    try:
        os.link(part, place)
    except FileExistsError:
        raise
    except OSError:
        if place.exists():
            raise FileExistsError(str(place)) from None
        part.rename(place)
    else:
        part.unlink()


def _sync_folder(folder: Path) -> None:
    """Have the disk keep the name too, where it lets us: a folder that may not be read cannot be synced."""
    if os.name == "nt":
        return
    with suppress(OSError):  # the file has its place and is whole, whatever becomes of this
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
