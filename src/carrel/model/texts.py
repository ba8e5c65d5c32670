"""Texts out of JSON: what a value says as words, and halves of characters, which no disk, page or address can hold."""

from __future__ import annotations

import re
from typing import Any

HALF = re.compile("[\ud800-\udfff]")
"""Half of a character, as JSON can say it with one `\\ud83d` alone."""

INSTEAD = "\ufffd"


def text_of(value: Any) -> str:
    """A value as words; None is none."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def mended(text: str) -> str:
    """The text with a sign in place of each half."""
    return HALF.sub(INSTEAD, text)


def mended_all(value: Any) -> Any:
    """A JSON value with all its texts mended, the names of its fields too."""
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, dict):
        return {mended_all(name): mended_all(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(mended_all, value))
    return value
