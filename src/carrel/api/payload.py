"""The service's JSON as values, all of which can be kept: this is where halves of characters end."""

from __future__ import annotations

import json
import re
from typing import Any

from carrel.model.texts import mended_all

_SAYS_HALF = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""Also finds the two halves of a whole character: a walk through the value in vain does no harm."""


def value_of(body: bytes) -> Any:
    """What a body says; ValueError or RecursionError where it is no JSON that can be read."""
    return value_in(body.decode(json.detect_encoding(body), "surrogatepass"))


def value_in(text: str) -> Any:
    """As `value_of`, of a text."""
    value = json.loads(text)
    return mended_all(value) if _SAYS_HALF.search(text) else value
