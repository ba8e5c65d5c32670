"""Further questions that the documents could answer, made of the words of the passages that were found."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from .search import Passage
from .sentences import stems, words
from .stop_words import IDLE_WORDS

_MOST = 3


def related_questions(question: str, passages: Sequence[Passage]) -> list[str]:
    """At most three, each on another file: what it says about the pair of words it uses most, and nobody asked for."""
    asked = stems(question)
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    for passage in passages:
        pairs[passage.file_name].update(_pairs(passage.text, asked))
    questions = []
    for file_name, counted in pairs.items():
        often = counted.most_common(1)
        if often and often[0][1] > 1:
            questions.append(f"What does {file_name} say about “{often[0][0]}”?")
    return questions[:_MOST]


def _pairs(text: str, asked: set[str]) -> list[str]:
    """Neighbouring words of some length that are no stop words, nor numbers, nor asked for already."""
    return [
        f"{one} {other}"
        for one, other in pairwise(words(text))
        if all(len(word) > 3 and word.isalpha() and word not in IDLE_WORDS for word in (one, other))
        and not stems(f"{one} {other}") & asked
    ]
