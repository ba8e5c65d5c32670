"""Cuts the text of documents into sentences, and sentences into the words that matter."""

import re
from collections import Counter
from collections.abc import Iterator

from .stop_words import IDLE_WORDS

_WORD = re.compile(r"[^\W_]+(?:[.,'’-][^\W_]+)*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nos|vs|etc|approx|cl|art|sec|fig|inc|ltd|co|jan|feb|mar|apr|jun|jul|aug"
    r"|sep|sept|oct|nov|dec|e\.g|i\.e|[a-z]|\d{1,2})\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION = 8
"""Characters of the longest one, with the sign before it and its stop."""

_END = re.compile(r"[.!?…][\"'’”)\]]*\s+(?=[\"'“‘(]?[\w§£$€])")
_LEAD = re.compile(r"^(?:[#>\s]+|[-*+•·▪]\s+|\(?[a-z]\)\s+)+", re.IGNORECASE)
_SEPARATED = re.compile(r"\t|\s\|\s|^\||,\S|;\S")
_CODE = re.compile(r"[{}\[\]<>=;\\]|::|->|\"[,:\]}]")
_SUFFIXES = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "er",
    "ed",
    "es",
    "al",
    "ly",
    "s",
    "e",
    "y",
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, in order, numbers and hyphenated words whole."""
    return [found.group().casefold() for found in _WORD.finditer(text)]


def stem(word: str) -> str:
    """A word without its commonest English endings, so that `renewals` meets `renew` and `renewal`."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return stem(word[: -len(suffix)])
    return word


def stems(text: str) -> set[str]:
    """The stems of a text's words that are not idle."""
    return {stem(word) for word in words(text) if word not in IDLE_WORDS}


def key_words(text: str) -> list[str]:
    """The words of a question that are worth looking for, each once, in the order they stand."""
    return list(dict.fromkeys(word for word in words(text) if word not in IDLE_WORDS))


def sentences(text: str) -> list[str]:
    """The sentences of a text that a person could be shown: three to sixty words, no code, no table rows."""
    found = (_tidy(sentence) for paragraph in _paragraphs(text) for sentence in _cut(paragraph))
    return [sentence for sentence in found if _is_prose(sentence)]


def _paragraphs(text: str) -> Iterator[str]:
    """Joins lines that were only wrapped; a list item, a heading or a short line stands by itself."""
    kept = ""
    for raw in text.splitlines():
        line = raw.strip()
        if kept and not _goes_on(kept, line):
            yield kept
            kept = ""
        kept = f"{kept} {line}".strip()
    if kept:
        yield kept


def _goes_on(before: str, line: str) -> bool:
    if not line or _LEAD.match(line) or _SEPARATED.search(line) or re.match(r"\d+(\.\d+)*[.)]?\s+[A-Z]", line):
        return False
    return line[0].islower() or (len(before) >= 50 and before[-1] not in ".:;!?")


def _cut(paragraph: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(paragraph):
        stop = end.start() + 1
        if _ABBREVIATION.search(paragraph[max(start, stop - _LONGEST_ABBREVIATION) : stop]):
            continue
        yield paragraph[start : end.end()]
        start = end.end()
    yield paragraph[start:]


def _tidy(sentence: str) -> str:
    bare = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", _LEAD.sub("", sentence.strip()))
    return " ".join(bare.replace("**", "").replace("`", "").split())


def _is_prose(sentence: str) -> bool:
    count = len(sentence.split())
    if not 3 <= count <= 60 or sentence.endswith(":"):
        return False
    if len(_CODE.findall(sentence)) > max(1, len(sentence) // 40):
        return False
    return len(_SEPARATED.findall(sentence)) < max(2, count // 4)


def central(text: str, count: int) -> list[str]:
    """The `count` sentences that hold most of what a text speaks of, in the order they stand."""
    found = list(dict.fromkeys(sentences(text)))
    frequency = Counter(word for sentence in found for word in stems(sentence))
    weight = {
        sentence: sum(frequency[word] for word in bag) / (len(bag) + 4)
        for sentence in found
        if (bag := stems(sentence))
    }
    best = set(sorted(weight, key=weight.__getitem__, reverse=True)[:count])
    return [sentence for sentence in found if sentence in best]
