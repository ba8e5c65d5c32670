"""Turns what was found, of every kind, into the results of one search."""

from collections.abc import Iterable, Sequence

from .models import SearchRequest
from .search import Passage, Result, Search

_MOST_MERGED = 5
"""Passages of one file that are merged into its result: enough to judge it by, short enough to read."""

_MORE = 100
"""Passages looked at when they are grouped, since several may be of one file."""


def results(search: Search, request: SearchRequest) -> list[Result]:
    """The best of all kinds asked for, best first, none below the threshold."""
    kinds: Sequence[str] = request.types or ["file", *search.kinds]
    found: list[Result] = []
    if "file" in kinds:
        found += _of_files(search, request)
    for kind in dict.fromkeys(kinds):
        if kind in search.kinds:
            found += search.kinds[kind](request.text, request.most)
    found.sort(key=lambda result: -result["score"])
    least = request.relative_threshold * found[0]["score"] if found else 0.0
    return [result for result in found if result["score"] >= least][: request.most]


def _of_files(search: Search, request: SearchRequest) -> list[Result]:
    passages = search.passages(
        request.text,
        limit=_MORE if request.group_by_file else request.most,
        use_bm25=request.use_bm25,
        use_vector=request.use_vector,
        bm25_weight=request.bm25_weight,
        vector_weight=request.vector_weight,
        relative_threshold=request.relative_threshold,
    )
    groups: dict[object, list[Passage]] = {}
    for passage in passages:
        key = passage.file_id if request.group_by_file else (passage.file_id, passage.number)
        groups.setdefault(key, []).append(passage)
    return [_result(group) for group in groups.values()]


def _result(group: list[Passage]) -> Result:
    best = group[0]
    return {
        "id": best.file_id,
        "title": best.file_name,
        "content": _content(group[:_MOST_MERGED]),
        "type": "library",
        "provider": best.provider,
        "score": round(best.score, 6),
    }


def _content(passages: Iterable[Passage]) -> str:
    """In reading order; a passage out of a zip is headed by its path."""
    ordered = sorted(passages, key=lambda passage: passage.number)
    return "\n\n".join(f"{each.member}\n{each.text}" if each.member else each.text for each in ordered)
