"""How fast bytes have moved over the last seconds."""

from __future__ import annotations

import time
from collections import deque

RATE_OVER = 5.0
"""Seconds over which a rate is taken."""


class Pace:
    """How fast bytes have moved lately."""

    def __init__(self) -> None:
        """Nothing has moved."""
        self._steps: deque[tuple[float, int]] = deque()

    def add(self, count: int) -> None:
        """So many bytes more, now."""
        self._steps.append((time.monotonic(), max(0, count)))

    def rate(self) -> float:
        """Bytes a second; 0.0 where nothing moved lately."""
        now = time.monotonic()
        while self._steps and now - self._steps[0][0] > RATE_OVER:
            self._steps.popleft()
        if not self._steps:
            return 0.0
        return sum(count for _, count in self._steps) / max(0.5, now - self._steps[0][0])
