"""Chooses, out of passages, the few sentences that answer a question: by relevance, then by variety."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from .search import Passage
from .sentences import key_words, sentences, stem, stems

if TYPE_CHECKING:  # numpy is imported with the first search, not with the routes
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32] | None"
Embed: TypeAlias = Callable[[Sequence[str]], Vectors]

# Weights and bounds from the prototype: 4 of 6 questions right, 1 usable; an unanswerable one scored 0.28,
# the others 0.69 to 0.88.
COSINE, OVERLAP, PASSAGE = 0.5, 0.3, 0.2
_VARIETY = 0.75
_CANDIDATES = 48  # sentences that are embedded: about half a second
_BEFORE = 0.35  # weight of a word that only the question before, or a quotation, holds
_AMOUNT = re.compile(r"\bhow (?:much|many|long|often|old)\b|\bwhat (?:is|are) the (?:price|cost|rent|total)", re.I)
_TIME = re.compile(r"\bwhen\b|\bby what\b|\bwhat (?:date|day|time|year)\b|\bdeadline\b|\bexpir", re.I)
_SAYS = re.compile(r"[.!?…;]$|:\s.*\d")  # an end, or a named figure
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}\b|\bdays?\b|\bweeks?\b|\bmonths?\b|\byears?\b", re.I)


@dataclass(frozen=True)
class Query:
    """A question, and what it is read together with (the question before it, a quotation)."""

    text: str
    before: str = ""

    @property
    def whole(self) -> str:
        """Both as one text, the earlier one first."""
        return f"{self.before} {self.text}".strip()


@dataclass(frozen=True)
class Measure:
    """What is near enough: `floor` as a fraction of the best sentence's score, `least` as a score.

    Without a search model, other words for the same thing count for nothing, so `words_alone` is the least score.
    `missing` is what the question's words that no candidate holds take away, in proportion to their weight.
    """

    floor: float = 0.7
    least: float = 0.4
    words_alone: float = 0.35
    missing: float = 0.5


ANSWER = Measure()
REPORT = Measure(floor=0.5)  # it may go further from the question than an answer
WITHIN = Measure(least=0.25, words_alone=0.15, missing=0.0)  # a general question about files known to hold its answer


@dataclass(frozen=True)
class Scored:
    """One sentence, where it stands, and how well it answers, 0 to about 1."""

    text: str
    passage: Passage
    score: float


@dataclass(frozen=True)
class Selection:
    """The sentences kept, best first, and the figures behind the choice."""

    kept: tuple[Scored, ...]
    read: int
    best: float
    needed: float

    @property
    def answers(self) -> bool:
        """Whether anything was near enough to count as an answer."""
        return bool(self.kept)


def select(query: Query, passages: Sequence[Passage], embed: Embed, limit: int, measure: Measure = ANSWER) -> Selection:
    """At most `limit` sentences of the passages that answer the query; none when nothing is near enough."""
    candidates = _candidates(passages)
    if not candidates:
        return Selection((), 0, 0.0, measure.least)
    overlaps = _overlaps(query, candidates, measure.missing)
    order = sorted(range(len(candidates)), key=lambda i: -(overlaps[i] + 0.5 * candidates[i][1].score))
    order = order[:_CANDIDATES]
    texts = [candidates[i][0] for i in order]
    vectors = embed([query.whole, query.text, *texts])
    scored = [
        Scored(candidates[i][0], candidates[i][1], score)
        for i, score in zip(order, _scores(query, candidates, overlaps, order, vectors), strict=True)
    ]
    best = max(sentence.score for sentence in scored)
    least = measure.words_alone if vectors is None else measure.least
    near = [i for i, sentence in enumerate(scored) if sentence.score >= max(least, measure.floor * best)]
    chosen = _varied(scored, near, None if vectors is None else vectors[2:], limit)
    return Selection(tuple(chosen), len(candidates), best, least)


def _candidates(passages: Sequence[Passage]) -> list[tuple[str, Passage]]:
    """Each sentence once, with the best passage that holds it: neighbouring passages overlap."""
    found: dict[tuple[str, str], tuple[str, Passage]] = {}
    for passage in passages:
        for sentence in _whole(passage):
            found.setdefault((passage.file_id, sentence.casefold()), (sentence, passage))
    return list(found.values())


def _whole(passage: Passage) -> list[str]:
    """The passage's sentences without those that its edges cut in two: the neighbour holds them whole."""
    cut = sentences(passage.text)
    if cut and passage.number > 0 and cut[0][0].islower():
        cut = cut[1:]
    if len(cut) > 1 and passage.text.rstrip()[-1:].isalnum() and not cut[-1].endswith((".", "!", "?")):
        cut = cut[:-1]
    return cut


def _overlaps(query: Query, candidates: Sequence[tuple[str, Passage]], missing: float) -> list[float]:
    """The share, to 1, of the query's words that a sentence holds, rare words weighing more.

    Words that nothing here holds are likely to be what the question is about, so they count against all.
    """
    bags = [stems(sentence) for sentence, _ in candidates]
    frequency = Counter(stem_ for bag in bags for stem_ in bag)
    weights = _weights(query, frequency, len(bags))
    total = sum(weights.values()) or 1.0
    # A sentence of `harbour-lease.pdf` is half about the harbour even where it does not say so.
    around = {passage.file_name: stems(re.sub(r"[-_.]", " ", passage.file_name)) for _, passage in candidates}
    asked = set(map(stem, key_words(query.text)))
    unheld = missing * sum(weights[word] for word in asked if not frequency[word]) / total
    return [
        sum(
            weight * (1.0 if word in bag else 0.5 if word in around[passage.file_name] else 0.0)
            for word, weight in weights.items()
        )
        / total
        - unheld
        for bag, (_, passage) in zip(bags, candidates, strict=True)
    ]


def _weights(query: Query, frequency: Counter[str], count: int) -> dict[str, float]:
    def rarity(word: str) -> float:
        return math.log(1 + count / (1 + frequency[word]))

    weights = {word: _BEFORE * rarity(word) for word in map(stem, key_words(query.before))}
    return weights | {word: rarity(word) for word in map(stem, key_words(query.text))}


def _scores(
    query: Query,
    candidates: Sequence[tuple[str, Passage]],
    overlaps: Sequence[float],
    order: Sequence[int],
    vectors: Vectors,
) -> list[float]:
    if vectors is None:
        near = [0.0] * len(order)
        overlap = COSINE + OVERLAP
    else:
        # The question alone or with the one before it, whichever a sentence is nearer to.
        near = (vectors[2:] @ vectors[:2].T).max(axis=1).tolist()
        overlap = OVERLAP
    return [
        COSINE * near[place]
        + overlap * overlaps[i]
        + PASSAGE * candidates[i][1].score
        + _bonus(query, candidates[i][0])
        for place, i in enumerate(order)
    ]


def _bonus(query: Query, sentence: str) -> float:
    """A lead for a number where an amount is asked for, or a date where a time is; a heading falls behind."""
    amount = bool(_AMOUNT.search(query.text)) and any(letter.isdigit() for letter in sentence)
    time = bool(_TIME.search(query.text)) and bool(_DATE.search(sentence))
    heading = not _SAYS.search(sentence) or stems(sentence) <= stems(query.text)
    return 0.05 * (amount + time) - 0.2 * heading


def _varied(scored: Sequence[Scored], left: list[int], vectors: Vectors, limit: int) -> list[Scored]:
    """Maximal marginal relevance: each next sentence is near the question and far from those before it."""
    chosen: list[int] = []
    while left and len(chosen) < limit:
        gain = {
            i: _VARIETY * scored[i].score
            - (1 - _VARIETY) * max((_likeness(scored, vectors, i, j) for j in chosen), default=0.0)
            for i in left
        }
        following = max(left, key=gain.__getitem__)
        left.remove(following)
        if all(_likeness(scored, vectors, following, j) < 0.95 for j in chosen):
            chosen.append(following)
    return [scored[i] for i in chosen]


def _likeness(scored: Sequence[Scored], vectors: Vectors, i: int, j: int) -> float:
    if vectors is not None:
        return float(vectors[i] @ vectors[j])
    one, other = stems(scored[i].text), stems(scored[j].text)
    return len(one & other) / (len(one | other) or 1)
