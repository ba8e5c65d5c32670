"""Looks at what a person dropped, before anything is sent: which files there are, where they go, and what is wrong."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from carrel.model.library import ACCEPTED, MOST_SIZE, WARN_SIZE

BLOCK = 1 << 20
"""Bytes hashed at once."""

FLAT = "This account keeps no folders, so the file goes to the top of the library."

_NOT_HERE = 0x00400000 | 0x00001000 | 0x00040000
"""Windows' marks of a file whose content lies in a cloud: recall on data access, offline, recall on open."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One file: its place here, its folder there, its size in bytes; `refused` says why it cannot be sent."""

    path: Path
    folder: str
    size: int
    refused: str = ""
    warning: str = ""


@dataclass(slots=True)
class LeftOut:
    """How many were not even listed."""

    hidden: int = 0
    links: int = 0
    """Links that lead out of the dropped folder, or nowhere."""
    repeats: int = 0
    """Folders that are sent anyway."""
    seen: set[tuple[int, int]] = field(default_factory=set)
    """Folders that were walked, by device and number: a link to one of them gives nothing new."""


def look(paths: Sequence[Path], folder: str, left_out: LeftOut, *, keeps_folders: bool = True) -> Iterator[Looked]:
    """Each file below `paths`, in the order of names; a dropped folder keeps its structure under `folder`.

    Where the service keeps no folders, every file goes to the top, and says so. Hidden files, and links that lead out
    of the dropped folder, are left out and counted. Reads the disk: call it in a thread.
    """
    for path in paths:
        is_folder = os.path.isdir(path)  # Path.is_dir raises where a folder above may not be entered
        found = _walk_all(path, folder, left_out) if is_folder else iter((_judged(path, folder),))
        yield from found if keeps_folders else map(_at_the_top, found)


def size_of(path: Path) -> int | None:
    """Bytes of a file as it is now; None where it cannot be read."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def digest(path: Path) -> str:
    """The SHA-256 of a file's content; OSError where it cannot be read. Reads it all: call it in a thread."""
    found = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while block := file.read(BLOCK):
            found.update(block)
    return found.hexdigest()


def _walk_all(path: Path, folder: str, left_out: LeftOut) -> Iterator[Looked]:
    """A dropped folder: links within it come last, so that each folder goes under its own name."""
    try:
        top = path.resolve()
    except (OSError, RuntimeError) as error:
        yield _unreadable(path, folder, error)
        return
    links: list[tuple[Path, str]] = []
    yield from _walk(path, folder, top, left_out, links)
    for link, where in links:  # walking one may find more
        yield from _walk(link, where, top, left_out, links)


def _walk(
    directory: Path, parent: str, top: Path, left_out: LeftOut, links: list[tuple[Path, str]]
) -> Iterator[Looked]:
    if not _has_readable_name(directory):
        yield _nameless(directory, parent)
        return
    try:
        inside = _inside(directory, left_out)
    except OSError as error:
        yield _unreadable(directory, parent, error)
        return
    folder = _below(parent, directory.name)
    for entry in inside:
        path = Path(entry.path)
        try:
            kind = _kind(entry, top)
        except OSError as error:
            yield Looked(path, folder, 0, refused=f"It cannot be read ({_why(error)}).")
            continue
        match kind:
            case "hidden":
                left_out.hidden += 1
            case "away":
                left_out.links += 1
            case "link":
                links.append((path, folder))
            case "folder":
                yield from _walk(path, folder, top, left_out, links)
            case "file":
                yield _judged(path, folder)


def _inside(directory: Path, left_out: LeftOut) -> list[os.DirEntry[str]]:
    """What a folder holds, in the order of names; nothing where it was walked before."""
    status = directory.stat()
    inside = sorted(os.scandir(directory), key=lambda entry: entry.name.casefold())
    if (status.st_dev, status.st_ino) in left_out.seen:
        left_out.repeats += 1
        return []
    left_out.seen.add((status.st_dev, status.st_ino))
    return inside


def _kind(entry: os.DirEntry[str], top: Path) -> Literal["hidden", "away", "link", "folder", "file"]:
    """What an entry of a folder is; OSError where that cannot be told."""
    if entry.name.startswith("."):
        return "hidden"
    try:
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(top):
            return "away"
        if not entry.is_dir():
            return "file"
    except (OSError, RuntimeError) as error:  # until Python 3.13 a link to itself is a RuntimeError
        if isinstance(error, RuntimeError) or error.errno == errno.ELOOP:
            return "away"
        raise
    return "link" if entry.is_symlink() else "folder"


def _at_the_top(file: Looked) -> Looked:
    if not file.folder:
        return file
    words = f"{FLAT} {file.warning}".strip() if not file.refused else file.warning
    return replace(file, folder="", warning=words)


def _judged(path: Path, folder: str) -> Looked:
    if not _has_readable_name(path):
        return _nameless(path, folder)
    try:
        status = path.stat()
    except OSError as error:
        return Looked(path, folder, 0, refused=f"It cannot be read ({_why(error)}).")
    return Looked(path, folder, status.st_size, _refusal(path, status), _warning(status.st_size))


def _unreadable(directory: Path, parent: str, error: Exception) -> Looked:
    return Looked(directory, parent, 0, refused=f"The folder cannot be read ({_why(error)}).")


def _has_readable_name(path: Path) -> bool:
    """Whether a path is text: a name may be bytes that are none, which can be neither kept nor sent."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _nameless(path: Path, folder: str) -> Looked:
    """Refused, under a name that can be shown."""
    shown = Path(os.fsencode(path).decode("utf-8", "replace"))
    return Looked(shown, folder, 0, refused="Its name, or that of a folder above, cannot be read here: rename it.")


def _refusal(path: Path, status: os.stat_result) -> str:
    extension = path.suffix.lower()
    if not stat.S_ISREG(status.st_mode):
        return "It is no ordinary file."
    if extension.lstrip(".") not in ACCEPTED:
        what = f"{extension} is" if extension else "a name without an extension is"
        return f"Not accepted: {what} not one of the {len(ACCEPTED)} file types the service takes."
    if status.st_size == 0:
        return "The file is empty."
    if status.st_size > MOST_SIZE:
        return "The file is larger than 1 GB, the most that the service takes."
    if getattr(status, "st_file_attributes", 0) & _NOT_HERE:
        return "The file is only a placeholder: its content is still in the cloud. Make it available here first."
    if not os.access(path, os.R_OK):
        return "You are not allowed to read the file."
    return ""


def _warning(size: int) -> str:
    return "Close to the limit: the service may refuse files over 1 GB." if size > WARN_SIZE else ""


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", "") or "unknown reason").lower()
