"""Chooses the reader, by extension and by how the file really begins, and bounds what every reader gives."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from carrel_service.filetypes import extension

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

_OLD_OFFICE = bytes.fromhex("d0cf11e0a1b11ae1")
_ZIP = b"PK\x03\x04"
_OLD = {"docx": "word97", "pptx": "powerpoint97"}
_NEW = {"doc": "openxml", "ppt": "openxml"}


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
    module = import_module(f"{__package__}.{_reader(path, extension(name))}")
    reader: Callable[[Path, str], str] = module.read
    return cleaned(reader(path, name))


def _reader(path: Path, kind: str) -> str:
    """By extension; an office document that was saved under another generation's name, by its content."""
    usual = _READERS.get(kind, "plain")
    if kind not in ("doc", "docx", "xls", "xlsx", "ppt", "pptx"):
        return usual
    with path.open("rb") as file:
        head = file.read(512)
    if head.startswith(_OLD_OFFICE):
        _check_encryption(path)
        return _OLD.get(kind, usual)
    if head.startswith(_ZIP):
        return _NEW.get(kind, usual)
    if head.lstrip().startswith(b"<"):
        return "markup"
    if b"\0" not in head:
        return "plain"
    return usual


def _check_encryption(path: Path) -> None:
    """A new document with a password lies, encrypted, in an old document's container."""
    import olefile

    with olefile.OleFileIO(path) as container:
        if container.exists("EncryptedPackage"):
            raise Failed("it is password-protected")


def _bounded(texts: Iterator[Text]) -> Iterator[Text]:
    left = MOST_TEXT
    for each in texts:
        yield Text(each.text[:left], each.member)
        left -= len(each.text)
        if left <= 0:
            return
