"""Holds every passage's vector in memory, as small integers, and compares a query with all of them."""

import os
import threading

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two threads make these small products six times slower

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Ids = NDArray[np.int64]

_BLOCK = 2048
"""Rows turned into floats at a time: 3 MB, so that they are still in the processor's cache for the product."""


def packed(vectors: Vectors) -> list[bytes]:
    """Each vector as 384 signed bytes, its largest part at 127; its length no longer matters."""
    largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
    whole = np.rint(vectors * (127 / largest)).astype(np.int8)
    return [row.tobytes() for row in whole]


class VectorMatrix:
    """Rows by passage id. Readers take a view of what is there and never wait for the one who adds."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        """Forget all rows."""
        with self._lock:
            self._rows = np.empty((0, self._dimension), np.int8)
            self._scale = np.empty(0, np.float32)
            self._ids = np.empty(0, np.int64)
            self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, ids: list[int], packed_rows: list[bytes]) -> None:
        """Append rows as `packed` made them."""
        if not ids:
            return
        rows = np.frombuffer(b"".join(packed_rows), np.int8).reshape(len(ids), self._dimension)
        scale = 1 / np.maximum(np.linalg.norm(rows.astype(np.float32), axis=1), 1e-9)
        with self._lock:
            end = self._count + len(ids)
            if end > len(self._ids):
                self._grow(max(end, 2 * self._count, 1024))
            self._rows[self._count : end] = rows
            self._scale[self._count : end] = scale
            self._ids[self._count : end] = ids
            self._count = end

    def remove(self, ids: list[int]) -> None:
        """Drop the rows of these ids."""
        with self._lock:
            kept = ~np.isin(self._ids[: self._count], ids)
            self._rows = self._rows[: self._count][kept]
            self._scale = self._scale[: self._count][kept]
            self._ids = self._ids[: self._count][kept]
            self._count = len(self._ids)

    def cosines(self, query: Vectors) -> tuple[Ids, Vectors]:
        """All ids, and for each the cosine with `query`, a unit vector of float32 [dimension]."""
        with self._lock:
            count = self._count
            rows, scale, ids = self._rows[:count], self._scale[:count], self._ids[:count]
        products = np.empty(count, np.float32)
        block = np.empty((min(_BLOCK, count), self._dimension), np.float32)
        for start in range(0, count, _BLOCK):
            end = min(start + _BLOCK, count)
            np.copyto(block[: end - start], rows[start:end])
            np.dot(block[: end - start], query, out=products[start:end])
        return ids, products * scale

    def _grow(self, capacity: int) -> None:
        """Into new arrays: whoever reads the old ones goes on undisturbed."""
        for name in ("_rows", "_scale", "_ids"):
            old = getattr(self, name)
            new = np.empty((capacity, *old.shape[1:]), old.dtype)
            new[: self._count] = old[: self._count]
            setattr(self, name, new)
