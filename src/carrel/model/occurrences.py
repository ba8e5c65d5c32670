"""Where words stand in a text: one way to look, for what the store counts and for what the window marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

from carrel.model.formulas import readable
from carrel.model.references import without_references
from carrel.model.segments import Segment, Segmenter, chunks

Pattern = re.Pattern[str]

_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_TABLE = (
    (re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.M), ""),
    (re.compile(r"(?<!\\)\|"), "\n"),
)
"""What of a table is not shown: the line under its head, the lines between its cells."""

_PROSE = (
    (re.compile(r"^[ \t]*(?:=+|-+|[-*_][-*_ \t]{2,})$|\\$", re.M), ""),
    (re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S+.*$", re.M), ""),
    (re.compile(r"^[ \t>]*(?:#{1,6}[ \t]+|>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)", re.M), ""),
    (re.compile(r"!\[[^\]]*\]\(\s*<?([^\s>)]*)[^)]*\)"), r"[picture: \1]"),
    (re.compile(r"\[([^\[\]]*)\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+[\"'(][^\n]*?)?\)"), r"\1"),
    (re.compile(r"<(https?:[^>\s]+)>"), r"\1"),
    (re.compile(r"(?<=[^\s\\])[*~]+|(?<!\\)[*~]+(?=\S)|(?<![\w\\])_+(?=\S)|(?<=[^\s\\])_+(?!\w)"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
"""Marks of Markdown, and what stands in their place on the screen."""


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
    codes: list[str] = []

    def hold(found: re.Match[str]) -> str:
        codes.append(found[2])
        return f"\x00{len(codes) - 1}\x00"

    text = readable(_CODE.sub(hold, piece.text.replace("\x00", "")))
    text = without_references(text, labels)
    for mark, instead in (*_TABLE, *_PROSE) if piece.kind == "table" else _PROSE:
        text = mark.sub(instead, text)
    text = unescape(text) if "&" in text else text
    return re.sub("\x00(\\d+)\x00", lambda found: codes[int(found[1])], text)
