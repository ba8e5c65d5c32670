"""Cuts text into the word pieces that the search model was trained on (BERT's uncased tokenizer)."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

UNKNOWN, START, END = 100, 101, 102
"""Ids that the vocabulary gives to an unknown word, and to a text's two ends."""

_LONGEST_WORD = 100
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
)


class WordPiece:
    """A vocabulary: one piece a line, its id the line's number; `##` opens a piece within a word."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._ids = {line.rstrip("\n"): number for number, line in enumerate(vocabulary)}
        self._word = lru_cache(maxsize=100_000)(self._pieces)

    def encode(self, text: str, most: int) -> list[int]:
        """The ids of `text`, at most `most` with its two ends; what is longer is cut off."""
        ids = [START]
        for word in "".join(map(_spelled, text)).split():
            ids += self._word(word)
            if len(ids) >= most:
                break
        return [*ids[: most - 1], END]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The longest known piece first, then the longest that continues it; unknown as a whole if one fails."""
        if len(word) > _LONGEST_WORD:
            return (UNKNOWN,)
        found: list[int] = []
        start = 0
        while start < len(word):
            match = self._longest(word, start)
            if match is None:
                return (UNKNOWN,)
            piece, start = match
            found.append(piece)
        return tuple(found)

    def _longest(self, word: str, start: int) -> tuple[int, int] | None:
        prefix = "##" if start else ""
        for end in range(len(word), start, -1):
            piece = self._ids.get(prefix + word[start:end])
            if piece is not None:
                return piece, end
        return None


@lru_cache(maxsize=70_000)
def _spelled(character: str) -> str:
    """One character as the model reads it: lower case, without accents, punctuation set apart by spaces."""
    if character in "\t\n\r":
        return " "
    category = unicodedata.category(character)
    if character in "\0\ufffd" or category[0] == "C":
        return ""
    if category == "Zs":
        return " "
    if any(low <= ord(character) <= high for low, high in _IDEOGRAPHS):
        return f" {character} "
    bare = "".join(part for part in unicodedata.normalize("NFD", character) if unicodedata.category(part) != "Mn")
    return "".join(f" {part} " if _is_punctuation(part) else part for part in bare.lower())


def _is_punctuation(character: str) -> bool:
    """Unicode's punctuation and, as BERT has it, every printable ASCII sign that is no letter or digit."""
    ascii_sign = character.isascii() and character.isprintable() and not character.isalnum() and character != " "
    return ascii_sign or unicodedata.category(character)[0] == "P"
