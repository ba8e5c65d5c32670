"""Runs a person's own patterns, each with a limit on its time: a bad one must not stop the service."""

import logging
import re
from collections.abc import Iterator, Mapping

import regex

from .spans import Span

log = logging.getLogger(__name__)
_LIMIT = 0.5  # seconds for one pattern over one text


def custom(text: str, patterns: Mapping[str, str]) -> Iterator[Span]:
    """What the patterns find; one that cannot be read, or takes too long, is left out and said in the log."""
    for name, pattern in patterns.items():
        kind = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_") or "CUSTOM"
        try:
            found = [match.span() for match in regex.finditer(pattern, text, timeout=_LIMIT)]
        except regex.error as error:
            log.warning("The redaction pattern %s cannot be read: %s", name, error)
        except TimeoutError:
            log.warning("The redaction pattern %s took more than %s s and was left out", name, _LIMIT)
        else:
            yield from (Span(kind, start, end, text[start:end], start, 0) for start, end in found if end > start)
