"""Finds passages: keyword and vector candidates together, exactly scored on both sides, mixed and cut."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from .db import Database
from .fusion import fuse
from .index import Index
from .keywords import PASSAGES_OF_FILES, Keywords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CANDIDATES = 100
"""Passages that each side brings into the mix, unless more results are asked for."""


@dataclass(frozen=True)
class Passage:
    """A ranked passage; `score` is 1 for the best, `cosine` is raw and None where no model compared it."""

    file_id: str
    file_name: str
    folder_path: tuple[str, ...]
    provider: str
    member: str
    """The path inside a zip, or nothing."""
    number: int
    """Its place in the file, from 0."""
    text: str
    score: float
    cosine: float | None


class Result(TypedDict):
    """An item of POST /external/search."""

    id: str
    title: str
    content: str
    type: str
    provider: str
    score: float


class Search:
    """Passages for whoever asks; `kinds` are further sources, each (query, limit) to results, best first."""

    def __init__(self, db: Database, index: Index) -> None:
        self._db = db
        self._index = index
        self._keywords = Keywords(db)
        self.kinds: dict[str, Callable[[str, int], list[Result]]] = {}

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32] | None":
        """Unit vectors, float32 [n, 384], or None when this computer has no search model."""
        embedder = self._index.embedder()
        return None if embedder is None else embedder.embed(texts)

    def passages(
        self,
        query: str,
        *,
        limit: int = 20,
        document_ids: Sequence[str] | None = None,
        use_bm25: bool = True,
        use_vector: bool = True,
        bm25_weight: float = 0.7,
        vector_weight: float = 0.3,
        relative_threshold: float = 0.0,
    ) -> list[Passage]:
        """The best `limit` passages at or above `relative_threshold` times the best's score.

        `document_ids` keeps to these files. Without a search model the keywords decide alone.
        """
        most = max(CANDIDATES, limit)
        cosines = self._cosines(query, document_ids) if use_vector else None
        nearest = cosines.nearest(most) if cosines else []
        keyword = None
        if use_bm25 or cosines is None:
            keyword = self._keywords.scores(query, most, nearest, document_ids)
        near = cosines.of({*nearest, *(keyword or ())}) if cosines else None
        scores = fuse(keyword, near, bm25_weight, vector_weight)
        kept = [passage for passage, score in scores.items() if score >= relative_threshold]
        return self._read(kept[:limit], scores, near or {})

    def _cosines(self, query: str, document_ids: Sequence[str] | None) -> "_Cosines | None":
        vector = self.embed([query])
        if vector is None:
            return None
        ids, values = self._index.vectors().cosines(vector[0])
        if document_ids is not None:
            import numpy as np

            wanted = np.isin(ids, self._passages_of(document_ids))
            ids, values = ids[wanted], values[wanted]
        return _Cosines(ids, values)

    def _passages_of(self, document_ids: Sequence[str]) -> list[int]:
        with self._db.read() as db:
            rows = db.execute(PASSAGES_OF_FILES, {"files": json.dumps(list(document_ids))}).fetchall()
        return [row["id"] for row in rows]

    def _read(self, ids: list[int], scores: dict[int, float], cosines: dict[int, float]) -> list[Passage]:
        with self._db.read() as db:
            rows = db.execute(
                "SELECT passages.id AS passage, files.id, file_name, folder, provider, member, passages.number, text"
                " FROM passages JOIN files ON files.number = passages.file"
                " WHERE passages.id IN (SELECT value FROM json_each(?))",
                (json.dumps(ids),),
            ).fetchall()
        found = {
            row["passage"]: Passage(
                file_id=row["id"],
                file_name=row["file_name"],
                folder_path=tuple(filter(None, row["folder"].split("/"))),
                provider=row["provider"],
                member=row["member"],
                number=row["number"],
                text=row["text"],
                score=scores[row["passage"]],
                cosine=cosines.get(row["passage"]),
            )
            for row in rows
        }
        return [found[passage] for passage in ids if passage in found]


@dataclass(frozen=True)
class _Cosines:
    """Every comparable passage's cosine with one query."""

    ids: "NDArray[np.int64]"
    values: "NDArray[np.float32]"

    def nearest(self, most: int) -> list[int]:
        import numpy as np

        if len(self.ids) > most:
            return [int(number) for number in self.ids[np.argpartition(self.values, -most)[-most:]]]
        return [int(number) for number in self.ids]

    def of(self, wanted: set[int]) -> dict[int, float]:
        import numpy as np

        places = np.flatnonzero(np.isin(self.ids, list(wanted)))
        return {int(self.ids[place]): float(self.values[place]) for place in places}
