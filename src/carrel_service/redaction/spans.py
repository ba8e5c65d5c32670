"""A place in a text that holds something sensitive, and what becomes of places that overlap."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """`text[start:end]`, of a kind such as EMAIL; where two overlap, the lower `rank` wins."""

    kind: str
    start: int
    end: int
    text: str
    rank: int = 2


def disjoint(spans: Iterable[Span]) -> list[Span]:
    """The spans in the order they stand; of those that overlap, the surest, then the longest."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.rank, span.start - span.end, span.start)):
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)
