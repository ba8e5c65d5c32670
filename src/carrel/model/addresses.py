"""Web addresses that stand bare in a text: where each begins and ends, as GitHub's Markdown has it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ADDRESS = re.compile(r"(?<![\w/@.-])(?:https?://\w|www\.\w+\.\w)[^\s<>\"`\\^{|}]{0,2000}", re.IGNORECASE)
_AFTER = frozenset(".,:;!?*_~'…。，、；：！？”’»")
_PAIRS = {")": "(", "]": "["}


def bare(text: str) -> Iterator[tuple[int, int]]:
    """(from, to) of each address, without the stop or the bracket that a sentence has after it."""
    for found in _ADDRESS.finditer(text):
        yield found.start(), found.start() + _length(found[0])


def _length(address: str) -> int:
    end = len(address)
    while end:
        last = address[end - 1]
        opening = _PAIRS.get(last, "")
        is_open = bool(opening) and address.count(last, 0, end) <= address.count(opening, 0, end)
        if is_open or not (opening or last in _AFTER):
            break
        end -= 1
    return end
