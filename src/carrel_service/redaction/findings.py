"""Tells of a text what was found in it, with its redacted and its synthetic form, as the earlier interface does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .redactor import Redactor, Token, replaced
from .synthetic import StandIns


@dataclass(frozen=True)
class Told:
    """Each item has `text`, `label`, `token`, and `start` and `end` in characters."""

    redacted: str
    synthetic: str
    items: list[dict[str, Any]]


def told_of(text: str, token: Token, patterns: Mapping[str, str]) -> Told:
    """All three of one text; the tokens are those of its conversation."""
    spans = Redactor(patterns).find(text)
    items = [
        {
            "text": span.text,
            "label": span.kind,
            "token": token(span.kind, span.text),
            "start": span.start,
            "end": span.end,
        }
        for span in spans
    ]
    return Told(replaced(text, spans, token), replaced(text, spans, StandIns()), items)
