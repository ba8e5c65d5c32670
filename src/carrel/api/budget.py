"""The request budget of an API key: a place for every call, a person's before background work (document: Limits)."""

from __future__ import annotations

import asyncio
import hashlib
import heapq
import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from carrel.api.listening import tell
from carrel.api.ratelimit import WINDOW, Told
from carrel.model import Account, Budget

MARGIN = 1.0
"""Seconds added to a reset: it and `Date` are whole seconds, so their difference may be one too small."""

KEPT = 10
"""Places that background work leaves free for what a person does by hand."""

_in_background: ContextVar[bool] = ContextVar("carrel_background", default=False)


@contextmanager
def background() -> Iterator[None]:
    """Mark the calls made in this block as background work, which waits while a person's calls need the places."""
    token = _in_background.set(True)
    try:
        yield
    finally:
        _in_background.reset(token)


class Limiter:
    """The places of one API key, for all services of this process that use it.

    `_known` is what the service last said is left; calls that have not been answered yet are counted off it.
    """

    def __init__(self) -> None:
        """Begin with the document's 100 a minute, until a reply says otherwise."""
        self._limit = 100
        self._known = 100
        self._in_flight = 0
        self._ends_at: float | None = None
        self._reset: int | None = None
        self._told = False
        self._queue: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._timer: asyncio.TimerHandle | None = None
        self._listeners: list[Callable[[Budget], None]] = []

    def listen(self, listener: Callable[[Budget], None]) -> Callable[[], None]:
        """Tell `listener` each change; what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def now(self) -> Budget:
        """The budget as it is known."""
        self._roll()
        left = max(0, self._known - self._in_flight)
        resets_in = max(0.0, self._ends_at - time.monotonic()) if self._ends_at is not None else 0.0
        return Budget(limit=self._limit, left=left, resets_in=resets_in, waiting=self._waiting())

    async def take(self) -> None:
        """Wait for a place; `answered` must follow, whatever becomes of the call."""
        behind = _in_background.get()
        self._roll()
        first = self._first()
        if self._room(behind) and (first is None or first > behind):
            self._hold()
            return
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (behind, next(self._order), future))
        self._pump()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._in_flight -= 1
            future.cancel()
            self._pump()
            raise

    def answered(self, headers: Mapping[str, str] | None) -> None:
        """Count a call as answered; `headers` None means that no answer came, which may have cost a place too."""
        self._in_flight -= 1
        told = Told.of(headers) if headers is not None else None
        if told is None or told.left is None:
            self._known = max(0, self._known - 1)
        else:
            self._learn(told, told.left)
        self._pump()

    def refused(self, seconds: float) -> None:
        """Nothing goes for so long: the service answered 429."""
        self._known = 0
        self._ends_at = time.monotonic() + seconds
        self._pump()

    def _learn(self, told: Told, left: int) -> None:
        self._limit = told.limit or self._limit
        if told.reset is not None and self._reset is not None and told.reset < self._reset:
            return  # a late answer of the window before
        same = self._told and (told.reset is None or told.reset == self._reset)
        self._known = min(self._known, left) if same else left
        self._told = True
        if told.resets_in is not None:
            self._reset = told.reset
            self._ends_at = time.monotonic() + told.resets_in + MARGIN

    def _roll(self) -> None:
        if self._ends_at is not None and time.monotonic() >= self._ends_at:
            self._ends_at = self._reset = None
            self._known = self._limit
            self._told = False

    def _room(self, behind: bool) -> bool:
        kept = min(KEPT, self._limit // 4) if behind else 0
        return self._known - self._in_flight > kept

    def _hold(self) -> None:
        self._in_flight += 1
        if self._ends_at is None:
            self._ends_at = time.monotonic() + WINDOW
        self._tell()

    def _first(self) -> bool | None:
        """Whose turn it is: False a person's, True background's, None nobody's."""
        while self._queue and self._queue[0][2].done():
            heapq.heappop(self._queue)
        return self._queue[0][0] if self._queue else None

    def _waiting(self) -> int:
        return sum(not future.done() for _, _, future in self._queue)

    def _pump(self) -> None:
        self._roll()
        while (behind := self._first()) is not None and self._room(behind):
            heapq.heappop(self._queue)[2].set_result(None)
            self._hold()
        self._arm()
        self._tell()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._queue and self._ends_at is not None:
            wait = max(0.01, self._ends_at - time.monotonic())
            self._timer = self._queue[0][2].get_loop().call_later(wait, self._pump)

    def _tell(self) -> None:
        if self._listeners:
            budget = self.now()
            for listener in tuple(self._listeners):
                tell(listener, budget)


def limiter_of(account: Account) -> Limiter:
    """The one limiter of the account's API key; tenants and accounts that share a key share it."""
    key = hashlib.sha256(account.api_key.get_secret_value().encode()).hexdigest()
    return _LIMITERS.setdefault(key, Limiter())


_LIMITERS: dict[str, Limiter] = {}
