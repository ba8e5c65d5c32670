"""Reads zips: each member of an accepted type, one level deep, named by its path and never written by it."""

import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from carrel_service.filetypes import extension

from .text import Failed, Text

MOST_ENTRIES = 10_000
MOST_BYTES = 2_000_000_000
"""Bytes really unpacked, all members together; what the directory claims is not believed."""

_ENCRYPTED = 0x1
_CHUNK = 2**20


def members(path: Path, read_one: Callable[[Path, str], str]) -> Iterator[Text]:
    """The members' texts; a member that cannot be read is left out. Raises Failed when none can."""
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise Failed("it is broken: its container cannot be read") from error
    with archive, tempfile.TemporaryDirectory() as scratch:
        wanted = _wanted(archive)
        unpacker = _Unpacker(archive, Path(scratch))
        found, reason = 0, "there is nothing in it that can be read"
        for entry in wanted:
            try:
                text = read_one(unpacker.unpack(entry), Path(entry.filename).name)
            except _TooMuch:
                raise
            except (MemoryError, OSError):
                raise
            except Exception as error:  # noqa: BLE001  # a seam: readers of broken members raise anything
                reason = str(error) if isinstance(error, Failed) else "its members are broken"
                continue
            found += 1
            yield Text(text, entry.filename)
        if not found:
            raise Failed(reason)


def _wanted(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise Failed(f"it holds more than {MOST_ENTRIES} files")
    return [entry for entry in entries if not entry.is_dir() and _is_wanted(entry.filename)]


def _is_wanted(name: str) -> bool:
    """Accepted types, but no zip in a zip, and none of the doubles that a Mac adds."""
    kind = extension(name)
    return bool(kind) and kind != "zip" and not name.startswith("__MACOSX/")


class _TooMuch(Failed):
    """The archive as a whole is refused, not one member."""


class _Unpacker:
    """One member at a time into a file whose name is ours."""

    def __init__(self, archive: zipfile.ZipFile, scratch: Path) -> None:
        self._archive = archive
        self._scratch = scratch
        self._left = MOST_BYTES

    def unpack(self, entry: zipfile.ZipInfo) -> Path:
        """Write the member out. Raises Failed for an encrypted or empty one, or when all are too large together."""
        if entry.flag_bits & _ENCRYPTED:
            raise Failed("it is password-protected")
        target = self._scratch / f"member.{extension(entry.filename)}"
        with self._archive.open(entry) as source, target.open("wb") as out:
            self._copy(source, out)
        return target

    def _copy(self, source: IO[bytes], out: IO[bytes]) -> None:
        while chunk := source.read(_CHUNK):
            self._left -= len(chunk)
            if self._left < 0:
                raise _TooMuch(f"it unpacks to more than {MOST_BYTES // 1_000_000_000} GB")
            out.write(chunk)
