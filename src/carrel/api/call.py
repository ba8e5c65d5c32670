"""What is asked of the wire: one call as a value, and how often it may be tried."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from carrel.api.limits import Limits
from carrel.model import RateLimited, ServerFault, ServiceError, TimedOut, Unreachable

JSON = "application/json"
STREAM = "text/event-stream"


class Body(Protocol):
    """A body that is read while it is sent; `chunks` begins anew at each call."""

    length: int
    content_type: str
    summary: str

    def chunks(self) -> AsyncGenerator[bytes, None]:
        """The bytes, `length` of them in all."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `again` says that it only reads, so that it may be repeated; `own` gives it a connection of its own.
    With `bare` a thread may take that connection's socket, where no proxy and no TLS stand between.

    `answer` is the longest silence in seconds, None the limit of short calls. `counted` is False for what costs no
    place in the budget, `known` False for what must not carry credentials. `takes` are statuses that are
    an answer here and no refusal.
    """

    method: str
    url: str
    params: Mapping[str, str] | None = None
    json: Mapping[str, Any] | None = None
    body: Body | None = None
    accept: str = JSON
    again: bool = False
    own: bool = False
    bare: bool = False
    answer: float | None = None
    counted: bool = True
    known: bool = True
    takes: frozenset[int] = frozenset()
    headers: Mapping[str, str] | None = None

    def content(self) -> bytes:
        """The JSON body's bytes, empty where there is none."""
        return b"" if self.json is None else json.dumps(self.json, ensure_ascii=False).encode("utf-8", "replace")


class Tries:
    """How often one call may go: decides after each error, by what may have left and what the call does."""

    def __init__(self, limits: Limits, again: bool, held: bool = True) -> None:
        """None was made. `held` says that the budget holds the next try back after a 429."""
        self._limits, self._held = limits, held
        self._again = limits.again if again else 0
        self._connected_again = False
        self._refusals = limits.refusals
        self._made = 0

    def pause(self, error: ServiceError) -> float:
        """Seconds to wait before the next try; raises `error` where there must be none."""
        self._made += 1
        if isinstance(error, RateLimited):
            if self._refusals <= 0 or (error.retry_after or 0.0) > self._limits.longest_wait:
                raise error
            self._refusals -= 1
            return 0.0 if self._held else error.retry_after or 0.0
        if self._again > 0 and self._passing(error):
            self._again -= 1
            return self._backoff(error)
        if isinstance(error, Unreachable) and error.sent == "no" and not self._connected_again and self._passing(error):
            self._connected_again = True
            return self._backoff(error)
        raise error

    def refused_backoff(self) -> float:
        """Seconds after a 429 that does not say how long: from 1 s, doubling to 30, with jitter."""
        refused = self._limits.refusals - self._refusals
        least = min(self._limits.most_backoff, self._limits.refused_backoff * 2**refused)
        return float(least * random.uniform(1.0, 1.25))

    def _passing(self, error: ServiceError) -> bool:
        if isinstance(error, TimedOut):
            return error.status == 504
        return isinstance(error, Unreachable | ServerFault) and error.code != "certificate"

    def _backoff(self, error: ServiceError) -> float:
        least = self._limits.backoff * 2 ** (self._made - 1)
        asked = error.retry_after or 0.0
        return max(min(asked, self._limits.most_backoff), float(least * random.uniform(0.75, 1.25)))
