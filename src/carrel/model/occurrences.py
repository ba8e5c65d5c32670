"""Where words stand in a text: one way to look, for what the store counts and for what the window marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

from carrel.model.formulas import readable
from carrel.model.references import without_references
from carrel.model.segments import Segment, Segmenter, chunks

Pattern = re.Pattern[str]

_TICKS = re.compile("`+")
_TABLE = (
    (re.compile(r"^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$", re.M), ""),
    (re.compile(r"(?<!\\)\|"), "\n"),
)
"""What of a table is not shown: the line under its head, the lines between its cells."""

_TITLE = r""""[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|\([^()\n]*\)"""
_TARGET = rf"\(\s*(?!\s)(?:<([^<>\n]*)>|([^()\s]*(?:\([^()\s]*\)[^()\s]*)*))(?:\s+(?:{_TITLE})\s*)?\)"
"""The address of a link or a picture in its brackets, bare or pointed, and its title."""

_PROSE = (
    (re.compile(r"^[ \t]*(?:=+|-+|[-*_][-*_ \t]{2,})$|\\$", re.M), ""),
    (re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S+.*$", re.M), ""),
    (re.compile(r"^[ \t>]*(?:#{1,6}[ \t]+|>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)", re.M), ""),
    (re.compile(rf"!\[[^\[\]]*\]{_TARGET}"), r"[picture: \1\2]"),
    (re.compile(rf"\[([^\[\]]*)\]{_TARGET}"), r"\1"),
    (re.compile(r"<(https?:[^<>\s]+)>"), r"\1"),
    (re.compile(r"(?<=[^\s\\])[*~]+|(?<!\\)[*~]+(?=\S)|(?<![\w\\])_+(?=[^\s_])|(?<=[^\s\\_])_+(?!\w)"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
"""Marks of Markdown, and what stands in their place on the screen. None looks past where the next one of its kind
begins: a mark that is left open, however often, takes no more time than the text is long.
"""


def pattern(words: Iterable[str]) -> Pattern | None:
    """Finds any of these, whatever their case, each gap in them any white space; None where there is none."""
    held = [r"\s+".join(map(re.escape, phrase.split())) for phrase in words if phrase.strip()]
    return re.compile("|".join(sorted(held, key=len, reverse=True)), re.IGNORECASE) if held else None


def context(words: str) -> Pattern | None:
    """Finds these words one after another, whatever marks stand between them."""
    held = re.findall(r"\w+", words)
    return re.compile(r"\W+".join(map(re.escape, held)), re.IGNORECASE) if held else None


def count(pieces: Iterable[str], wanted: Pattern) -> int:
    """How often it stands in these pieces; never across two of them."""
    return sum(1 for piece in pieces for _ in wanted.finditer(piece))


def shown_plain(text: str) -> list[str]:
    """Plain text as it is shown: in pieces that are laid out each by itself."""
    return list(chunks(text))


def shown_markdown(text: str) -> list[str]:
    """Markdown as it is shown, nearly: without its marks, in the pieces that are laid out each by itself.

    Only Qt's reader knows exactly; what is counted here is counted again where it is shown.
    """
    segmenter = Segmenter()
    segmenter.feed(text)
    labels = set(segmenter.definitions)
    pieces = (*segmenter.settled, *segmenter.tail)
    return [piece.text if piece.kind == "code" else _without_marks(piece, labels) for piece in pieces]


def _without_marks(piece: Segment, labels: set[str]) -> str:
    text, codes = _without_code(piece.text.replace("\x00", ""))
    text = without_references(readable(text), labels)
    for mark, instead in (*_TABLE, *_PROSE) if piece.kind == "table" else _PROSE:
        text = mark.sub(instead, text)
    text = unescape(text) if "&" in text else text
    return re.sub("\x00(\\d+)\x00", lambda found: codes[int(found[1])], text)


def _without_code(text: str) -> tuple[str, list[str]]:
    """The text with a number in the place of each piece of code in a line, and those pieces.

    Ticks open one where as many close it; the next as many are known beforehand, so that none are looked for twice.
    """
    runs = list(_TICKS.finditer(text))
    nearest: dict[int, int] = {}
    closes: list[int | None] = [None] * len(runs)
    for number in reversed(range(len(runs))):
        length = len(runs[number][0])
        closes[number], nearest[length] = nearest.get(length), number
    kept: list[str] = []
    codes: list[str] = []
    at = number = 0
    while number < len(runs):
        close = closes[number]
        if close is not None:
            codes.append(text[runs[number].end() : runs[close].start()])
            kept.append(f"{text[at : runs[number].start()]}\x00{len(codes) - 1}\x00")
            at, number = runs[close].end(), close
        number += 1
    return "".join([*kept, text[at:]]), codes
