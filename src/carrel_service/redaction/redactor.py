"""Puts all rules together: finds what is sensitive in a text, and replaces it with tokens or stand-ins."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .credentials import credentials
from .custom import custom
from .identifiers import identifiers
from .names import names
from .spans import Span, disjoint

Token = Callable[[str, str], str]
"""(kind, text found) to the token that stands for it."""


@dataclass(frozen=True)
class Redactor:
    """The rules with a person's own patterns, by name, added to them."""

    patterns: Mapping[str, str] = field(default_factory=dict)

    def find(self, text: str) -> list[Span]:
        """Everything sensitive, in order, without overlaps."""
        return disjoint(self.matches(text))

    def matches(self, text: str) -> list[Span]:
        """All that any rule finds, which may overlap."""
        return [*custom(text, self.patterns), *credentials(text), *identifiers(text), *names(text)]

    def redact(self, text: str, token: Token) -> str:
        """The text with each finding replaced by its token."""
        return replaced(text, self.find(text), token)


def replaced(text: str, spans: list[Span], token: Token) -> str:
    """The text with each of the spans replaced."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], token(span.kind, span.text)]
        at = span.end
    return "".join([*parts, text[at:]])


class Numbered:
    """Tokens such as [EMAIL_1]: the same text always has the same one, in order of first sight."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}
        self._counts: Counter[str] = Counter()

    def __call__(self, kind: str, text: str) -> str:
        """The token of this text."""
        key = (kind, same(text))
        if key not in self._known:
            self._counts[kind] += 1
            self._known[key] = f"[{kind}_{self._counts[kind]}]"
        return self._known[key]


def same(text: str) -> str:
    """What two spellings of one value share: case, spaces and dashes make no difference."""
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter in "@.+_")
