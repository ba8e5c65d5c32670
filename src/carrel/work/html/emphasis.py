"""Emphasis and strike by CommonMark's rules of flanking, where the `markdown` package has patterns of its own."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import deque
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from markdown.inlinepatterns import InlineProcessor
from markdown.util import ETX, STX


@dataclass(slots=True)
class _Run:
    """Equal marks in a row; `start` to `end` are those that no emphasis has taken yet."""

    mark: str
    start: int
    end: int
    opens: bool
    closes: bool
    length: int


@dataclass(slots=True)
class Span:
    """An emphasis from `start` to `end`, its words from `inner_start` to `inner_end`."""

    tag: str
    start: int
    inner_start: int
    inner_end: int
    end: int
    inner: list[Span] = field(default_factory=list)


class EmphasisProcessor(InlineProcessor):
    """Gives one outermost emphasis after the other; what a text holds is worked out once."""

    _text = ""
    _taken = 0
    _spans: deque[Span] = deque()  # noqa: RUF012  # replaced whole, never shared

    def handleMatch(  # type: ignore[override]  # noqa: N802  # the package's name
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int] | tuple[None, None, None]:
        """The next emphasis at or after a mark. What was taken of the text before now stands as placeholders."""
        moved = len(data) - len(self._text)
        if m.start(0) < self._taken + moved or not data.endswith(self._text[self._taken :]):
            self._text, self._taken, self._spans, moved = data, 0, deque(spans_of(data)), 0
        if not self._spans:
            return None, None, None
        span = self._spans.popleft()
        self._taken = span.end
        return _element(span, self._text), span.start + moved, span.end + moved


def spans_of(text: str) -> list[Span]:
    """All emphases, nested as they stand."""
    runs = [_run(text, found) for found in re.finditer(r"\*+|_+|~+", text)]
    found: list[Span] = []
    lowest: dict[tuple[str, bool, int], int] = {}
    for place, closer in enumerate(runs):
        while closer.closes and closer.start < closer.end:
            key = (closer.mark, closer.opens, closer.length % 3)
            opener = _opener(runs, place, lowest.get(key, -1))
            if opener is None:
                lowest[key] = place - 1
                break
            found.append(_joined(runs, opener, place))
    return _nested(found)


def _opener(runs: list[_Run], place: int, lowest: int) -> int | None:
    closer = runs[place]
    for number in range(place - 1, lowest, -1):
        run = runs[number]
        if run.mark == closer.mark and run.opens and run.start < run.end and _fit(run, closer):
            return number
    return None


def _fit(opener: _Run, closer: _Run) -> bool:
    if opener.mark == "~":
        return opener.length == closer.length
    is_odd = (opener.length + closer.length) % 3 == 0 and (opener.length % 3 or closer.length % 3)
    return not ((opener.closes or closer.opens) and is_odd)


def _joined(runs: list[_Run], number: int, place: int) -> Span:
    """The emphasis between two runs; both are shorter then, and what stands between them opens nothing any more."""
    opener, closer = runs[number], runs[place]
    both = min(opener.end - opener.start, closer.end - closer.start)
    size = both if opener.mark == "~" else min(2, both)
    tag = "del" if opener.mark == "~" else "strong" if size == 2 else "em"
    made = Span(tag, opener.end - size, opener.end, closer.start, closer.start + size)
    opener.end -= size
    closer.start += size
    for run in runs[number + 1 : place]:
        run.opens = False
    return made


def _nested(found: list[Span]) -> list[Span]:
    top: list[Span] = []
    path: list[Span] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        while path and path[-1].end <= span.start:
            path.pop()
        (path[-1].inner if path else top).append(span)
        path.append(span)
    return top


def _run(text: str, found: re.Match[str]) -> _Run:
    mark, length = found[0][0], len(found[0])
    before, after = text[found.start() - 1 : found.start()] or " ", text[found.end() : found.end() + 1] or " "
    left = not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))
    right = not before.isspace() and (not _is_punctuation(before) or after.isspace() or _is_punctuation(after))
    opens, closes = left, right
    if mark == "_":
        opens = left and (not right or _is_punctuation(before))
        closes = right and (not left or _is_punctuation(after))
    elif mark == "~" and length > 2:
        opens = closes = False
    return _Run(mark, found.start(), found.end(), opens, closes, length)


def _is_punctuation(c: str) -> bool:
    """Also for what stands in place of code, links and escapes, since those begin and end with punctuation."""
    return c in string.punctuation or c in {STX, ETX} or unicodedata.category(c).startswith("P")


def _element(span: Span, text: str) -> Element:
    made = Element(span.tag)
    last: Element | None = None
    at = span.inner_start
    for inner in [*span.inner, None]:
        words = text[at : inner.start if inner else span.inner_end]
        if last is None:
            made.text = words
        else:
            last.tail = words
        if inner:
            last = _element(inner, text)
            made.append(last)
            at = inner.end
    return made
