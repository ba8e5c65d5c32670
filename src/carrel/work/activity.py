"""What went over the wire in this session: the last requests, and the request budget."""

from __future__ import annotations

from collections import deque

from psygnal import Signal

from carrel.model import Budget, Exchange

KEPT = 2000
"""Requests that are remembered."""

MOST = 24_000_000
"""Characters of all their bodies: a listing of the library has tens of thousands."""


class Activity:
    """Filled by the wire's observer. `added` tells of one more request, `budget_changed` of another count."""

    added = Signal(Exchange)
    cleared = Signal()
    budget_changed = Signal(Budget)

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self._exchanges: deque[Exchange] = deque()
        self._size = 0
        self.budget = Budget()

    @property
    def count(self) -> int:
        """How many requests are remembered."""
        return len(self._exchanges)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The requests, oldest first."""
        return tuple(self._exchanges)

    def note(self, exchange: Exchange) -> None:
        """Remember a request that has ended."""
        self._exchanges.append(exchange)
        self._size += _size(exchange)
        while len(self._exchanges) > KEPT or (self._size > MOST and len(self._exchanges) > 1):
            self._size -= _size(self._exchanges.popleft())
        self.added.emit(exchange)

    def note_budget(self, budget: Budget) -> None:
        """Remember what is left of this minute."""
        self.budget = budget
        self.budget_changed.emit(budget)

    def clear(self) -> None:
        """Forget the requests."""
        self._exchanges.clear()
        self._size = 0
        self.cleared.emit()


def _size(exchange: Exchange) -> int:
    return len(exchange.request) + len(exchange.response)
