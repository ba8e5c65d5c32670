"""Reads docx and pptx: every part that holds words, in reading order, notes and comments with it."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, iterparse

from .text import MOST_TEXT, Failed

_PARTS = (
    r"word/document\d*\.xml",
    r"word/(header|footer)\d*\.xml",
    r"word/(footnotes|endnotes|comments)\.xml",
    r"word/diagrams/data\d*\.xml",
    r"ppt/slides/slide\d+\.xml",
    r"ppt/diagrams/data\d*\.xml",
    r"ppt/notesSlides/notesSlide\d+\.xml",
    r"ppt/comments/.+\.xml",
)
"""The parts with words, in the order in which they are read."""

_MOST_XML = 200_000_000
"""Bytes of one part: a zip bomb unpacks to far more."""

_CELL = "\x1f"
"""Stands for a table cell's end until the paragraph ends before it are known."""

_AFTER = {"p": "\n", "br": "\n", "cr": "\n", "tab": "\t", "tc": _CELL, "tr": "\n"}
"""What stands after these elements, in the namespaces of both Word and drawings."""


def read(path: Path, _name: str) -> str:
    """The document's text."""
    try:
        with zipfile.ZipFile(path) as archive:
            texts = [_part(archive, name) for name in _parts(archive)]
    except zipfile.BadZipFile as error:
        raise Failed("it is broken: its container cannot be read") from error
    if not texts:
        raise Failed("it is not a document of the kind its name says")
    return "\n\n".join(filter(None, texts))


def _parts(archive: zipfile.ZipFile) -> list[str]:
    ranked = []
    for name in archive.namelist():
        for rank, pattern in enumerate(_PARTS):
            if re.fullmatch(pattern, name):
                ranked.append((rank, [int(number) for number in re.findall(r"\d+", name)], name))
    return [name for *_, name in sorted(ranked)]


def _part(archive: zipfile.ZipFile, name: str) -> str:
    pieces: list[str] = []
    length = 0
    with archive.open(name) as raw:
        for piece in _pieces(_Bounded(raw)):
            pieces.append(piece)
            length += len(piece)
            if length > MOST_TEXT:
                break
    text = re.sub(f"\n*{_CELL}(\n?)", r"\t\1", "".join(pieces))
    return re.sub(r"\s*\n\s*\n", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).strip()


def _pieces(source: "_Bounded") -> Iterator[str]:
    """Text and breaks in order. A text box is stored twice, the second time as a fallback: that one is skipped."""
    skipping = 0
    for event, element in iterparse(source, events=("start", "end")):
        name = element.tag.rpartition("}")[2]
        if name == "Fallback":
            skipping += 1 if event == "start" else -1
        if event == "end":
            if not skipping:
                yield from _ended(name, element)
            element.clear()


def _ended(name: str, element: Element) -> Iterator[str]:
    if name in ("t", "text") and element.text:
        yield element.text
    if after := _AFTER.get(name):
        yield after


class _Bounded:
    """A part's bytes, refused from a size on that no document has."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._left = _MOST_XML

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises Failed past the bound."""
        content = self._raw.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise Failed(f"a part of it unpacks to more than {_MOST_XML // 1_000_000} MB")
        return content
