"""Sizes, times and moments in the words and the locale of the person who reads them."""

from __future__ import annotations

import time
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QLocale

_tr = QCoreApplication.translate


def file_size(count: int | None) -> str:
    """Bytes as 184 kB; empty where nobody knows."""
    if count is None:
        return ""
    digits = 0 if count < 10**6 else 1
    return QLocale().formattedDataSize(count, digits, QLocale.DataSizeFormat.DataSizeSIFormat)


def took(seconds: float) -> str:
    """A length of time as 84 ms, 12.4 s or 2 min 08 s."""
    if seconds < 1:
        return _tr("amounts", "{n} ms").format(n=round(seconds * 1000))
    if seconds < 60:
        digits = 0 if seconds >= 20 or seconds == int(seconds) else 1
        return _tr("amounts", "{n} s").format(n=QLocale().toString(float(seconds), "f", digits))
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return _tr("amounts", "{m} min {s:02} s").format(m=minutes, s=rest)
    return _tr("amounts", "{h} h {m:02} min").format(h=minutes // 60, m=minutes % 60)


def clock(seconds: float) -> str:
    """A running clock, as 4:12."""
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes}:{rest:02}"


def moment(at: float, now: float | None = None) -> str:
    """A point in time: just now, the hour of today, or day and hour. Seconds since the epoch."""
    now = time.time() if now is None else now
    if 0 <= now - at < 60:
        return _tr("amounts", "just now")
    when, today = datetime.fromtimestamp(at), datetime.fromtimestamp(now)  # noqa: DTZ006  # the reader's own zone
    if when.date() == today.date():
        return QLocale().toString(when.time(), "HH:mm")
    pattern = "d MMM HH:mm" if when.year == today.year else "d MMM yyyy"
    return QLocale().toString(when, pattern)


def day(text: str) -> str:
    """The day of an ISO 8601 time, as 18 Nov 2026; the text itself where it is none."""
    try:
        return QLocale().toString(datetime.fromisoformat(text).date(), "d MMM yyyy")
    except ValueError:
        return text
