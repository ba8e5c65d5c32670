"""Reads .doc, Word 97 to 2003: the piece table says where the text lies, in what order, and how it is encoded."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

from .text import Failed

_IDENT, _OLDER_IDENT = 0xA5EC, 0xA5DC
_FLAGS, _ENCRYPTED, _SECOND_TABLE = 0x0A, 0x0100, 0x0200
_CLX_OFFSET, _CLX_SIZE = 0x01A2, 0x01A6
_FORMATTING, _PIECES = 1, 2
_COMPRESSED = 0x40000000
"""Where the file information block ([MS-DOC] 2.5) keeps what is needed, and the marks in the piece table."""

_SIGNS = str.maketrans(
    {
        "\x07": "\t",  # a table cell's end
        "\x0b": "\n",  # a line break
        "\x0c": "\n",  # a page or section break
        "\x0d": "\n",
        "\x1e": "-",  # a hyphen that does not break
        "\x1f": None,  # a hyphen that shows only at a line's end
        **{chr(sign): None for sign in (1, 2, 3, 4, 5, 6, 8, 0x0E)},  # pictures, notes' marks, drawings
    }
)


def read(path: Path, _name: str) -> str:
    """The body, then notes, headers, comments and text boxes, as Word stores them: one after the other."""
    import olefile

    with olefile.OleFileIO(path) as container:
        if not container.exists("WordDocument"):
            raise Failed("it is not a Word document")
        main: bytes = container.openstream("WordDocument").read()
        ident, flags = struct.unpack_from("<H", main, 0)[0], struct.unpack_from("<H", main, _FLAGS)[0]
        if ident == _OLDER_IDENT:
            raise Failed("it is older than Word 97")
        if ident != _IDENT:
            raise Failed("it is broken: no Word document begins like this")
        if flags & _ENCRYPTED:
            raise Failed("it is password-protected")
        table: bytes = container.openstream("1Table" if flags & _SECOND_TABLE else "0Table").read()
    return _shown("".join(_pieces(main, _piece_table(main, table))))


def _piece_table(main: bytes, table: bytes) -> bytes:
    """The part of the CLX ([MS-DOC] 2.9.38) after its formatting exceptions."""
    offset, size = struct.unpack_from("<II", main, _CLX_OFFSET)
    clx = table[offset : offset + size]
    place = 0
    while place < len(clx) and clx[place] == _FORMATTING:
        place += 3 + struct.unpack_from("<H", clx, place + 1)[0]
    if place >= len(clx) or clx[place] != _PIECES:
        raise Failed("it is broken: its piece table is missing")
    length = struct.unpack_from("<I", clx, place + 1)[0]
    return clx[place + 5 : place + 5 + length]


def _pieces(main: bytes, plc: bytes) -> Iterator[str]:
    """Character positions (n + 1), then n descriptors of 8 bytes, each with the place of its text."""
    count = (len(plc) - 4) // 12
    positions = struct.unpack_from(f"<{count + 1}I", plc, 0)
    for number in range(count):
        characters = positions[number + 1] - positions[number]
        place = struct.unpack_from("<I", plc, 4 * (count + 1) + 8 * number + 2)[0]
        if place & _COMPRESSED:
            start = (place & ~_COMPRESSED) // 2
            yield main[start : start + characters].decode("cp1252", "replace")
        else:
            yield main[place : place + 2 * characters].decode("utf-16-le", "replace")


def _shown(text: str) -> str:
    """Fields by their result alone, and signs that mean something to Word only taken out."""
    innermost = re.compile("\x13[^\x13\x14\x15]*(?:\x14([^\x13\x15]*))?\x15")
    while True:
        text, found = innermost.subn(lambda field: field[1] or "", text)
        if not found:
            break
    text = re.sub("\x07\x07", "\n", text)  # the last cell's end and the row's
    return re.sub("[\x13\x14\x15]", "", text).translate(_SIGNS)
