"""Chooses the reader by extension, and keeps what every reader gives within the limits."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from ..filetypes import extension
from .text import MOST_TEXT, Failed, Text, cleaned

_READERS = {
    "pdf": "pdf",
    "doc": "word97",
    "docx": "openxml",
    "xls": "sheets",
    "xlsx": "sheets",
    "ppt": "powerpoint97",
    "pptx": "openxml",
    "html": "markup",
    "png": "images",
    "jpg": "images",
    "jpeg": "images",
    "gif": "images",
    "webp": "images",
}
"""The module that reads a type; the rest is plain text. Each is imported when its first file comes."""


def read(path: Path, name: str) -> Iterator[Text]:
    """The texts of the file at `path`, whose type `name` tells. Raises Failed, and whatever a broken file causes."""
    if path.stat().st_size == 0:
        raise Failed("it is empty")
    if extension(name) == "zip":
        from .archive import members

        yield from _bounded(members(path, read_one))
    else:
        yield Text(read_one(path, name))


def read_one(path: Path, name: str) -> str:
    """The text of one file that is no archive."""
    module = import_module(f"{__package__}.{_READERS.get(extension(name), 'plain')}")
    reader: Callable[[Path, str], str] = module.read
    return cleaned(reader(path, name))


def _bounded(texts: Iterator[Text]) -> Iterator[Text]:
    left = MOST_TEXT
    for each in texts:
        yield Text(each.text[:left], each.member)
        left -= len(each.text)
        if left <= 0:
            return
