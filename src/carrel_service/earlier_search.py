"""The earlier interface's search by meaning: passages in the shape, and with the figures, of its document."""

from collections import Counter
from typing import Any

from .context import Service
from .search import Passage

_MOST = 20


def semantic(service: Service, keyword: str, context_id: str) -> dict[str, Any]:
    """Results, best first, and their count by provider; `context_id` is a file's id or empty."""
    # By meaning alone where this computer can; else the keywords decide.
    found = service.search.passages(
        keyword, limit=_MOST, document_ids=[context_id] if context_id else None, use_bm25=False, vector_weight=1
    )
    nearest: dict[str, float] = {}
    for passage in found:
        nearest[passage.file_id] = max(nearest.get(passage.file_id, 0.0), _cosine(passage))
    counts = Counter(passage.provider for passage in found)
    return {
        "data": [_item(service, passage, nearest) for passage in found],
        "meta": [{"provider": provider, "id": provider, "count": count} for provider, count in counts.items()],
    }


def _item(service: Service, passage: Passage, nearest: dict[str, float]) -> dict[str, Any]:
    file = service.library.get(passage.file_id)
    document = f"{passage.file_id}-{passage.number}"
    return {
        "id": document,
        "relevance": passage.score,
        "source": "library",
        "fields": {
            "matchfeatures": {
                "firstPhase": passage.score,
                "combined_score": passage.score,
                "cos_sim": _cosine(passage),
                "max_sim": nearest[passage.file_id],
                "max_sim_per_context": {passage.file_id: nearest[passage.file_id]},
            },
            "sddocname": "passage",
            "documentid": document,
            "id": passage.file_id,
            "title": passage.file_name,
            "download_link": service.library.link(service.base_url, file) if file else "",
            "page": passage.number + 1,
            "type": "library",
            "user_id": service.account,
            "text_contents": passage.text,
            "meta": {"is_private": True, "provider": passage.provider},
        },
    }


def _cosine(passage: Passage) -> float:
    return passage.cosine or 0.0
