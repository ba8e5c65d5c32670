"""Reads plain text of any kind (txt, md, csv, json, sql, yaml), whatever its encoding."""

from pathlib import Path

from .text import MOST_TEXT

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def read(path: Path, _name: str) -> str:
    """The file's text, as far as the limit goes."""
    with path.open("rb") as file:
        return decoded(file.read(4 * MOST_TEXT))


def decoded(content: bytes) -> str:
    """By its byte order mark, else UTF-8 where that fits, else what its letters look most like."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start > len(content) - 4 and error.reason == "unexpected end of data":
            return content.decode("utf-8", "ignore")
    from charset_normalizer import from_bytes

    best = from_bytes(content[:200_000]).best()
    return content.decode(best.encoding if best else "cp1252", "replace")
