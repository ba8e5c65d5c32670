"""Cuts a text into the overlapping passages that are indexed, ranked and quoted."""

import re
from array import array
from collections.abc import Iterator

LEAST, MOST, OVERLAP = 150, 180, 30
"""Words: a passage ends at the best place between LEAST and MOST, the next begins at most OVERLAP before that."""

_MOST_CHARACTERS = 1600
"""A passage of long or unspaced words (tables of codes, Chinese) ends here, whatever its count of words."""

_WORD = re.compile(r"\S{1,200}")
_SENTENCE_END = (".", "!", "?", ":", "。", "！", "？")


def cut(text: str) -> Iterator[str]:
    """The passages of `text` in order, as they stand in it; a short text is one passage, a blank one none."""
    starts, ends = array("L"), array("L")
    for word in _WORD.finditer(text):
        starts.append(word.start())
        ends.append(word.end())
    first, count = 0, len(starts)
    while first < count:
        last = _end(text, starts, ends, first)
        yield text[starts[first] : ends[last - 1]]
        if last == count:
            return
        first = _next_start(text, starts, ends, first, last)


def _end(text: str, starts: "array[int]", ends: "array[int]", first: int) -> int:
    """One past the last word: everything if it fits, else after a paragraph, a sentence or a line."""
    limit = min(first + MOST, len(starts))
    while limit > first + 1 and ends[limit - 1] - starts[first] > _MOST_CHARACTERS:
        limit -= 1
    if limit == len(starts):
        return limit
    earliest = max(first + 1, limit - (MOST - LEAST))
    for is_break in (_ends_paragraph, _ends_sentence, _ends_line):
        for last in range(limit, earliest, -1):
            if is_break(text, starts, ends, last):
                return last
    return limit


def _next_start(text: str, starts: "array[int]", ends: "array[int]", first: int, last: int) -> int:
    """The first word of the next passage: a sentence's or line's beginning within the overlap."""
    earliest = last - min(OVERLAP, (last - first) // 5)
    for start in range(earliest, last):
        if _ends_sentence(text, starts, ends, start) or _ends_line(text, starts, ends, start):
            return start
    return earliest


def _ends_paragraph(text: str, starts: "array[int]", ends: "array[int]", last: int) -> bool:
    return text.count("\n", ends[last - 1], starts[last]) > 1


def _ends_sentence(text: str, _starts: "array[int]", ends: "array[int]", last: int) -> bool:
    return text[ends[last - 1] - 1] in _SENTENCE_END


def _ends_line(text: str, starts: "array[int]", ends: "array[int]", last: int) -> bool:
    return "\n" in text[ends[last - 1] : starts[last]]
