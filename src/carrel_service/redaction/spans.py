"""A place in a text that holds something sensitive, and what becomes of places that overlap."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """`text[start:end]`, of a kind such as EMAIL; where two overlap, the lower `rank` wins.

    `since` is where the words begin that tell it: of `Password: hunter2` the span is the last word, told by the first.
    """

    kind: str
    start: int
    end: int
    text: str
    since: int
    rank: int = 2


def matched(kind: str, found: re.Match[str], rank: int = 2, group: int | str = 0) -> Span:
    """The span of a group of a match."""
    return Span(kind, *found.span(group), found[group], found.start(), rank)


def disjoint(spans: Sequence[Span]) -> list[Span]:
    """The spans in the order they stand; of those that overlap, the surest, then the longest."""
    kept: list[Span] = []
    taken = bytearray(max((span.end for span in spans), default=0))
    for span in sorted(spans, key=lambda span: (span.rank, span.start - span.end, span.start)):
        if taken.find(1, span.start, span.end) < 0:
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)
