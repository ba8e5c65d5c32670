"""Redacts a text that is still arriving: what might be the beginning of something is held back."""

import re
from bisect import bisect_right
from collections import deque

from .redactor import Redactor, Token, replaced
from .spans import Span, disjoint

_BORDER = re.compile(r"\n|(?<=[.?!]) ")
_WORD = re.compile(r"(?<!\w)\w")
_AHEAD = 16
"""Words that must stand after a border before it is looked at: no rule needs more to tell what begins before it."""


class StreamRedactor:
    """Fed with chunks; gives redacted text. What a rule finds may stand across any border of chunks.

    Text is let out up to the end of a line or of a sentence that lies some words back, and only where nothing
    reaches over it, as `Password:` does to the next line and `Dr. ` to the next word. So a stream is redacted as
    the whole text would be; only a person's own pattern may reach further than those words, and be missed.
    """

    def __init__(self, redactor: Redactor, token: Token) -> None:
        self._redactor = redactor
        self._token = token
        self._held = ""
        self._borders: list[int] = []
        self._words: deque[int] = deque(maxlen=_AHEAD)
        self._enough = 0

    def feed(self, chunk: str) -> str:
        """What can be let out now that this has come."""
        came = len(self._held)
        self._held += chunk
        self._borders += [found.end() for found in _BORDER.finditer(self._held, came)]
        self._words.extend(found.start() for found in _WORD.finditer(self._held, came))
        if len(self._words) < _AHEAD or len(self._held) < self._enough:
            return ""
        settled = bisect_right(self._borders, self._words[0])
        return self._let_out(self._borders[:settled]) if settled else ""

    def end(self) -> str:
        """The rest."""
        held, self._held = self._held, ""
        return self._redactor.redact(held, self._token) if held else ""

    def _let_out(self, borders: list[int]) -> str:
        spans = self._redactor.matches(self._held)
        cut = _uncrossed(borders, spans)
        # Where all is held (a key of many lines), it is read again only when it has grown: else each word reads it all.
        self._enough = 0 if cut else len(self._held) * 5 // 4
        ready, self._held = self._held[:cut], self._held[cut:]
        self._borders = [border - cut for border in self._borders if border > cut]
        self._words = deque((word - cut for word in self._words), _AHEAD)
        return replaced(ready, disjoint([span for span in spans if span.end <= cut]), self._token)


def _uncrossed(borders: list[int], spans: list[Span]) -> int:
    """The last border that no span reaches over, its telling words included; 0 where there is none."""
    while borders:
        crossing = [span.since for span in spans if span.since < borders[-1] < span.end]
        if not crossing:
            return borders[-1]
        borders = borders[: bisect_right(borders, min(crossing))]
    return 0
