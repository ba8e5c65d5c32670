"""What two texts do not share, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

Spans = tuple[tuple[int, int], ...]
"""(from, to) of each stretch, in characters."""

_SENTENCE = re.compile(r"[^\n\u2028\u2029]*?(?:[.!?…][\"”’)\]]*(?=\s|$)|(?=[\n\u2028\u2029]|$))")
"""Up to a full stop before a blank, or the end of a line; a table's cells are lines."""


def differences(left: Sequence[str], right: Sequence[str]) -> tuple[list[Spans], list[Spans]]:
    """What only one side has: for each piece of text on a side, the sentences that the other side lacks.

    Blanks, capitals and the pieces that sentences stand in make no difference; their order does.
    """
    ours, theirs = _sentences(left), _sentences(right)
    matcher = SequenceMatcher(None, [words for *_, words in ours], [words for *_, words in theirs], autojunk=False)
    only_left: set[int] = set()
    only_right: set[int] = set()
    for verb, begin, end, other_begin, other_end in matcher.get_opcodes():
        if verb != "equal":
            only_left.update(range(begin, end))
            only_right.update(range(other_begin, other_end))
    return _spans(ours, only_left, len(left)), _spans(theirs, only_right, len(right))


def _sentences(pieces: Sequence[str]) -> list[tuple[int, int, int, str]]:
    """(piece, from, to, words to compare) of each sentence."""
    found = []
    for number, piece in enumerate(pieces):
        for match in _SENTENCE.finditer(piece):
            text = match.group()
            words = " ".join(text.casefold().split())
            if words:
                start = match.start() + len(text) - len(text.lstrip())
                found.append((number, start, match.start() + len(text.rstrip()), words))
    return found


def _spans(sentences: Sequence[tuple[int, int, int, str]], chosen: set[int], pieces: int) -> list[Spans]:
    held: list[list[tuple[int, int]]] = [[] for _ in range(pieces)]
    for place in sorted(chosen):
        number, start, stop, _ = sentences[place]
        held[number].append((start, stop))
    return [tuple(spans) for spans in held]
