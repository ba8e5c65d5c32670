"""How a request reads: its row, whether a filter takes it, and the details beside the list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QLocale

from carrel.model import Exchange
from carrel.ui.amounts import file_size, took
from carrel.ui.widgets.table import Cell, Line

_tr = QCoreApplication.translate

SLOW = 2.0
"""Seconds from which a request that is no stream and no agent run counts as slow."""

SEARCHED = 2000
"""Characters of a body that the filter looks at: 2,000 requests are filtered at each letter."""

LONG = ("/external/agents/run", "/external/upload", "/external/conversations")
"""Calls that take long by their nature."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What to show: `kind` is all, failed or slow; `text` is looked for in request line, status and bodies' begin."""

    text: str = ""
    kind: str = "all"

    def takes(self, exchange: Exchange) -> bool:
        """Whether a request is to be shown."""
        if self.kind == "failed" and not is_failed(exchange):
            return False
        if self.kind == "slow" and not is_slow(exchange):
            return False
        return all(word in _haystack(exchange) for word in self.text.lower().split())


def is_failed(exchange: Exchange) -> bool:
    """Whether it did not come to a good answer, or not at the first try."""
    return bool(exchange.error) or exchange.status is None or any(status >= 400 for status in exchange.statuses)


def is_slow(exchange: Exchange) -> bool:
    """Whether it took longer than such a request should."""
    return exchange.took >= SLOW and not exchange.stream and not exchange.path.startswith(LONG)


def line(key: str, exchange: Exchange) -> Line:
    """A request's row: time, request, status, took, left."""
    return key, (
        Cell(clock_time(exchange.started), role="muted"),
        Cell(f"{exchange.method} {exchange.path}"),
        Cell(_status(exchange), _tone(exchange), tip=exchange.error),
        Cell(took(exchange.took), role="muted"),
        Cell("" if exchange.left is None else str(exchange.left), role="muted"),
    )


def clock_time(at: float) -> str:
    """The time of day with seconds."""
    when = datetime.fromtimestamp(at)  # noqa: DTZ006  # the reader's own zone
    return QLocale().toString(when.time(), "HH:mm:ss")


def facts(exchange: Exchange) -> str:
    """What is worth knowing beside the bodies."""
    found = [clock_time(exchange.started), took(exchange.took)]
    if exchange.error:
        found.insert(0, exchange.error)
    if exchange.sent:
        found.append(_tr("activity", "{size} sent").format(size=file_size(exchange.sent)))
    if exchange.received:
        found.append(_tr("activity", "{size} received").format(size=file_size(exchange.received)))
    if len(exchange.statuses) > 1:
        found.append(_tr("activity", "{n} tries").format(n=len(exchange.statuses)))
    if exchange.left is not None:
        found.append(_tr("activity", "{n} requests left then").format(n=exchange.left))
    return " · ".join(found)


def headers(exchange: Exchange) -> str:
    """The request's headers, one a line; the secrets in them are hidden already."""
    return "\n".join(f"{name}: {value}" for name, value in exchange.headers.items())


def _haystack(exchange: Exchange) -> str:
    parts = (exchange.method, exchange.path, str(exchange.status or ""), exchange.error)
    return " ".join((*parts, exchange.request[:SEARCHED], exchange.response[:SEARCHED])).lower()


def _status(exchange: Exchange) -> str:
    if not exchange.statuses:
        return exchange.error or _tr("activity", "no answer")
    statuses = " → ".join(map(str, exchange.statuses))
    return _tr("activity", "{status} · stream").format(status=statuses) if exchange.stream else statuses


def _tone(exchange: Exchange) -> str:
    if exchange.status is None or exchange.status >= 400:
        return "danger"
    return "warn" if exchange.error or len(exchange.statuses) > 1 else "ok"
