"""Reads .ppt, PowerPoint 97 to 2003: the text atoms of those records that the last save left alive."""

import struct
from collections.abc import Iterator
from pathlib import Path

from .text import Failed

_DOCUMENT, _SLIDE, _NOTES = 0x03E8, 0x03EE, 0x03F0
_OUTLINE = 0x0FF0
_CHARACTERS, _BYTES = 0x0FA0, 0x0FA8
_USER_EDIT, _DIRECTORY = 0x0FF5, 0x1772
"""Record types of [MS-PPT] 2.13.24."""

_PLAIN_TOKEN = 0xE391C05F
_HEADER = struct.Struct("<HHI")
_MOST_EDITS = 10_000
_PLACEHOLDERS = ("", "*")
"""What stands where PowerPoint fills in a number or a date."""


def read(path: Path, _name: str) -> str:
    """Titles and outline, then what else stands on slides and in notes; a text found twice is given once."""
    import olefile

    with olefile.OleFileIO(path) as container:
        if not container.exists("PowerPoint Document"):
            raise Failed("it is not a PowerPoint presentation")
        stream: bytes = container.openstream("PowerPoint Document").read()
        user: bytes = container.openstream("Current User").read()
    token, last_edit = struct.unpack_from("<II", user, 12)
    if token != _PLAIN_TOKEN:
        raise Failed("it is password-protected")
    texts = dict.fromkeys(text for place in _living(stream, last_edit) for text in _record_texts(stream, place))
    return "\n\n".join(text for text in texts if text not in _PLACEHOLDERS)


def _living(stream: bytes, last_edit: int) -> list[int]:
    """Where the current version of each object lies: the newest save's directory wins over those before it."""
    places: dict[int, int] = {}
    for _ in range(_MOST_EDITS):
        _, kind, size = _HEADER.unpack_from(stream, last_edit)
        if kind != _USER_EDIT:
            raise Failed("it is broken: its list of saves is damaged")
        if size >= 32:  # only an encrypted file's record has a further field
            raise Failed("it is password-protected")
        earlier, directory = struct.unpack_from("<II", stream, last_edit + 16)
        for number, place in _directory(stream, directory):
            places.setdefault(number, place)
        if earlier == 0:
            break
        last_edit = earlier
    return [place for _, place in sorted(places.items())]


def _directory(stream: bytes, place: int) -> Iterator[tuple[int, int]]:
    """(object, place in the stream): runs of consecutive objects, 20 bits the first, 12 bits how many."""
    _, kind, size = _HEADER.unpack_from(stream, place)
    if kind != _DIRECTORY:
        raise Failed("it is broken: its directory is damaged")
    place, end = place + 8, place + 8 + size
    while place + 4 <= end:
        run = struct.unpack_from("<I", stream, place)[0]
        first, count = run & 0xFFFFF, run >> 20
        for number, at in enumerate(struct.unpack_from(f"<{count}I", stream, place + 4)):
            yield first + number, at
        place += 4 + 4 * count


def _record_texts(stream: bytes, place: int) -> Iterator[str]:
    """The texts of one living object; of the document record only the outline, the rest is furniture."""
    if place + 8 > len(stream):
        return
    _, kind, size = _HEADER.unpack_from(stream, place)
    if kind == _DOCUMENT:
        for _, inner, start, end in _children(stream, place + 8, place + 8 + size):
            if inner == _OUTLINE:
                yield from _texts(stream, start, end)
    elif kind in (_SLIDE, _NOTES):
        yield from _texts(stream, place + 8, place + 8 + size)


def _texts(stream: bytes, start: int, end: int) -> Iterator[str]:
    for is_container, kind, first, last in _children(stream, start, end):
        if is_container:
            yield from _texts(stream, first, last)
        elif kind == _CHARACTERS:
            yield _shown(stream[first:last].decode("utf-16-le", "replace"))
        elif kind == _BYTES:
            yield _shown(stream[first:last].decode("latin-1"))


def _children(stream: bytes, place: int, end: int) -> Iterator[tuple[bool, int, int, int]]:
    """(is a container, type, start and end of its content) of the records between two places."""
    end = min(end, len(stream))
    while place + 8 <= end:
        version, kind, size = _HEADER.unpack_from(stream, place)
        yield version & 0xF == 0xF, kind, place + 8, min(place + 8 + size, end)
        place += 8 + size


def _shown(text: str) -> str:
    return text.replace("\r", "\n").replace("\x0b", "\n").strip()
