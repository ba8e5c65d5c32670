"""Where a passage holds the words of a query, in any of their forms, and which part of it is worth showing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

WORD = re.compile(r"\w+(?:['’]\w+)?")

HEADING = re.compile(r"(?m)^#{1,6}\s")
"""Marks of Markdown that a folded passage does without."""

ENDINGS = (
    "ational", "ization", "fulness", "iveness",
    "ations", "ements", "ingly", "ation", "ement", "ments", "ables", "ibles", "ances", "ences",
    "ating", "ated", "ates", "ment", "ness", "able", "ible", "ance", "ence", "ings", "edly", "ions",
    "ate", "ing", "ied", "ies", "als", "ers", "ion", "ely", "'s", "’s",
    "ed", "es", "er", "al", "ly", "s", "e", "y",
)  # fmt: skip
"""Endings of English words that a search by stems passes over, the longest first."""

SHORTEST = 3
"""Letters that a stem keeps at least."""

MOST_READ = 20_000
"""Characters of a passage that are looked at for the best part of it."""

LITTLE = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "do",
        "for",
        "from",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "me",
        "my",
        "not",
        "of",
        "on",
        "or",
        "our",
        "so",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "you",
        "your",
    ]
)
"""Words that say nothing about a passage; they are marked only where a query has no others."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a passage, and the marks in it as (start, length)."""

    text: str
    marks: tuple[tuple[int, int], ...]
    is_whole: bool


def stem(word: str) -> str:
    """A word without its ending: renewal, renews and renewed meet at renew."""
    word = word.lower()
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            left = word[: -len(ending)]
            return left[:-1] if left[-1] == left[-2] and left[-1] not in "aeiouls" else left
    return word


def stems(query: str) -> frozenset[str]:
    """The stems of a query's telling words."""
    words = [w.lower() for w in WORD.findall(query)]
    return frozenset(stem(w) for w in words if w not in LITTLE) or frozenset(map(stem, words))


def marks(text: str, wanted: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Start, length and stem of each word that the query asks for."""
    for found in WORD.finditer(text):
        root = stem(found.group())
        if root in wanted:
            yield found.start(), len(found.group()), root


def excerpt(passage: str, query: str, most: int) -> Excerpt:
    """Up to `most` characters around the place that holds the most of the query's words."""
    text = " ".join(HEADING.sub(" ", passage[:MOST_READ]).split())
    found = list(marks(text, stems(query)))
    if len(text) <= most:
        return Excerpt(text, tuple((start, length) for start, length, _ in found), True)
    start = _best_start(found, most)
    return _cut(text, found, start, min(len(text), start + most))


def whole(passage: str, query: str) -> Excerpt:
    """The passage as it is, marked."""
    return Excerpt(passage, tuple((start, length) for start, length, _ in marks(passage, stems(query))), True)


def _best_start(found: list[tuple[int, int, str]], most: int) -> int:
    """Where a window of `most` characters sees the most different stems, then the most words; a little before it."""
    best, begin = (0, 0), 0
    seen: Counter[str] = Counter()
    end = 0
    for number, (start, _, root) in enumerate(found):
        while end < len(found) and found[end][0] + found[end][1] <= start + most - 40:
            seen[found[end][2]] += 1
            end += 1
        worth = (len(seen), end - number)
        if worth > best:
            best, begin = worth, start
        if end == number:  # a word that is wider than the window
            end += 1
        elif seen[root] == 1:
            del seen[root]
        else:
            seen[root] -= 1
    return max(0, begin - 40)


def _cut(text: str, found: list[tuple[int, int, str]], start: int, end: int) -> Excerpt:
    """Cut at spaces, with … where something is left out."""
    if start:
        start = text.find(" ", start, start + 30) + 1 or start
    if end < len(text):
        end = max(text.rfind(" ", end - 30, end), start + 1)
    before, after = ("… " if start else ""), (" …" if end < len(text) else "")
    moved = len(before) - start
    kept = tuple((at + moved, length) for at, length, _ in found if start <= at and at + length <= end)
    return Excerpt(before + text[start:end] + after, kept, False)
