"""Search over what is indexed: the query with its ten fields, and ranked passages (document: POST /external/search)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import AliasChoices, Field

from carrel.model.shapes import Answer, Request, Text

Kind = Literal["file", "workflow", "conversation"]


class SearchQuery(Request):
    """What to look for. `keyword` may also be given as `query`, and `limit` as `top_k`.

    `related_context_id` and `web_search` are of the earlier interface and are sent to no other.
    """

    keyword: Text = Field(validation_alias=AliasChoices("keyword", "query"))
    limit: int = Field(20, ge=1, le=100, validation_alias=AliasChoices("limit", "top_k"))
    group_by_file: bool = False
    types: tuple[Kind, ...] | None = None
    use_bm25: bool = True
    use_vector: bool = True
    bm25_weight: float = Field(0.7, ge=0, le=1)
    vector_weight: float = Field(0.3, ge=0, le=1)
    relative_threshold: float = Field(0.7, ge=0, le=1)
    related_context_id: str | None = None
    web_search: bool | None = None


class SearchHit(Answer):
    """One ranked passage. `fields` holds what the earlier interface says beyond this (match features, page …).

    `score` only puts the hits of one search in order: the document gives it no range.
    """

    id: str = ""
    title: str = ""
    content: str = ""
    type: str = ""
    provider: str = ""
    score: float = 0.0
    page: int | None = None
    download_link: str = ""
    fields: Mapping[str, Any] = Field(default_factory=dict)


class SearchResults(tuple[SearchHit, ...]):
    """Hits, best first, with the earlier interface's `meta` (counts by provider; empty in the current one)."""

    meta: tuple[Mapping[str, Any], ...]

    def __new__(cls, hits: Iterable[SearchHit] = (), meta: Iterable[Mapping[str, Any]] = ()) -> SearchResults:
        """Make the sequence."""
        results = super().__new__(cls, hits)
        results.meta = tuple(meta)
        return results
