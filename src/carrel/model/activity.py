"""What went over the wire, as a person may see it: requests without their secrets, and the request budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and how it ended; it is told once it has ended, and never holds a secret.

    Times are seconds: `started` since the epoch, `took` on a monotonic clock. Sizes are bytes. `status` is None
    where no answer came; `statuses` are those of all tries, in order. `headers` are the request's, secrets hidden.
    `left` is what the service said of the budget. `error` is the title of what went wrong.
    """

    method: str
    path: str
    started: float
    took: float
    status: int | None = None
    statuses: tuple[int, ...] = ()
    sent: int = 0
    received: int = 0
    left: int | None = None
    stream: bool = False
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    request: str = ""
    response: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """Requests of one API key: how many a window allows, how many are left, seconds until the window ends.

    `waiting` counts the calls that are held back until there is a place for them.
    """

    limit: int = 100
    left: int = 100
    resets_in: float = 0.0
    waiting: int = 0
