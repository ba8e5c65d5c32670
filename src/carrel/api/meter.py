"""Progress of a transfer in bytes, told seldom enough that a window can paint it."""

from __future__ import annotations

import time
from collections.abc import Callable

from carrel.api.listening import tell

Progress = Callable[[int, int | None], None]
"""Called with bytes so far and bytes in all (None where nobody knows), at most 20 times a second and at the end."""


class Meter:
    """Counts bytes and tells them at most once in `apart` seconds."""

    def __init__(self, progress: Progress | None, total: int | None, apart: float, done: int = 0) -> None:
        """Begin at `done` bytes of `total`."""
        self._progress, self._total, self.apart = progress, total, apart
        self.done = done
        self._told = 0.0

    def add(self, count: int) -> None:
        """So many bytes more."""
        self.done += count
        if time.monotonic() - self._told >= self.apart:
            self.tell()

    def tell(self) -> None:
        """Tell it now."""
        self._told = time.monotonic()
        tell(self._progress, self.done, self._total)
