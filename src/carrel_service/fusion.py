"""Mixes keyword and vector scores into one, after bringing both to one scale."""

from collections.abc import Mapping


def fuse(
    keyword: Mapping[int, float] | None,
    cosine: Mapping[int, float] | None,
    bm25_weight: float,
    vector_weight: float,
) -> dict[int, float]:
    """One score a candidate, the best 1; a side that is None takes no part.

    Each side is scaled from its least to its greatest over the *union* of both sides' candidates, so a
    candidate must come with its exact score on either side (no match by keyword is 0). Scaling each side over
    its own best alone would push nearly all but the first below any relative threshold.
    """
    candidates = set(keyword or ()) | set(cosine or ())
    mixed = dict.fromkeys(candidates, 0.0)
    for side, weight in ((keyword, bm25_weight), (cosine, vector_weight)):
        if side is not None:
            for candidate, share in _scaled(side, candidates).items():
                mixed[candidate] += weight * share
    best = max(mixed.values(), default=0.0)
    if best > 0:
        mixed = {candidate: score / best for candidate, score in mixed.items()}
    return dict(sorted(mixed.items(), key=lambda item: (-item[1], item[0])))


def _scaled(side: Mapping[int, float], candidates: set[int]) -> dict[int, float]:
    scores = {candidate: side.get(candidate, 0.0) for candidate in candidates}
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    if high == low:
        return dict.fromkeys(scores, 1.0 if high > 0 else 0.0)
    return {candidate: (score - low) / (high - low) for candidate, score in scores.items()}
