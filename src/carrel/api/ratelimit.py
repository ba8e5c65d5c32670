"""What an answer's headers say of the request budget; a value that cannot be true is None (document: Limits)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

WINDOW = 60.0
"""Seconds; the document counts requests by the minute."""


@dataclass(frozen=True, slots=True)
class Told:
    """`X-RateLimit-*`: requests a window, requests left in it, its end as the service writes it and in seconds."""

    limit: int | None
    left: int | None
    reset: int | None
    resets_in: float | None

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Told:
        """Read them."""
        limit = _whole(headers.get("x-ratelimit-limit"), 1, 1_000_000)
        left = _whole(headers.get("x-ratelimit-remaining"), 0, 1_000_000)
        resets_in = resets_after(headers)
        reset = _whole(headers.get("x-ratelimit-reset"), 0, 1 << 40) if resets_in is not None else None
        return cls(limit, left, reset, resets_in)


def resets_after(headers: Mapping[str, str]) -> float | None:
    """Seconds until `X-RateLimit-Reset`, measured against the reply's own `Date`, so that a wrong clock does no harm.

    None where the header is missing or cannot be true: the window is a minute, so more than two is not believed.
    """
    reset = _whole(headers.get("x-ratelimit-reset"), 0, 1 << 40)
    if reset is None:
        return None
    away = reset - (_moment(headers.get("date")) or time.time())
    return max(0.0, away) if -WINDOW <= away <= 2 * WINDOW else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `Retry-After` asks for, in either of its two forms; None where it is missing or cannot be read."""
    text = headers.get("retry-after", "").strip()
    seconds = _whole(text, 0, 86_400)
    if seconds is not None:
        return float(seconds)
    moment = _moment(text)
    return max(0.0, moment - (_moment(headers.get("date")) or time.time())) if moment is not None else None


def _whole(text: str | None, least: int, most: int) -> int | None:
    text = (text or "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        return None
    return int(text) if least <= int(text) <= most else None


def _moment(text: str | None) -> float | None:
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
