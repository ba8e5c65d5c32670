"""What a person reads on the row of a transfer, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from carrel.model.transfers import Transfer
from carrel.ui.amounts import file_size, took

_tr = QCoreApplication.translate

TROUBLE = frozenset({"failed", "refused", "duplicate", "interrupted"})

_ACTIONS = {
    "waiting": ("cancel",),
    "moving": ("pause", "cancel"),
    "paused": ("resume", "cancel"),
    "indexing": (),
    "failed": ("retry", "dismiss"),
    "interrupted": ("retry", "dismiss"),
    "cancelled": ("retry", "dismiss"),
    "refused": ("dismiss",),
    "duplicate": ("retry", "dismiss"),
}


def actions(row: Transfer) -> tuple[str, ...]:
    """The keys of what can be done with a row, what is wanted most first."""
    if row.state == "done":
        return ("open", "dismiss") if row.direction == "down" else ("check", "dismiss")
    return _ACTIONS[row.state]


def action_words(key: str, row: Transfer) -> str:
    """The word on an action."""
    if key == "retry":
        if row.state == "duplicate":
            return _tr("transfers", "Upload anyway")
        if row.state == "interrupted" and row.direction == "down":
            return _tr("transfers", "Go on")
        return _tr("transfers", "Try again")
    return {
        "cancel": _tr("transfers", "Cancel"),
        "pause": _tr("transfers", "Pause"),
        "resume": _tr("transfers", "Resume"),
        "dismiss": _tr("transfers", "Dismiss"),
        "open": _tr("transfers", "Open"),
        "check": _tr("transfers", "Check"),
    }[key]


def title(row: Transfer) -> str:
    """The file, with the folder that it goes to."""
    return f"{row.folder.replace('/', ' / ')} / {row.name}" if row.folder else row.name


def amount(row: Transfer) -> str:
    """How far it is."""
    match row.state:
        case "moving":
            size = file_size(row.size) if row.size else ""
            moved = file_size(row.moved)
            return _tr("transfers", "{moved} of {size}").format(moved=moved, size=size) if size else moved
        case "waiting":
            return _tr("transfers", "waiting")
        case "paused":
            return _tr("transfers", "paused")
        case "indexing":
            return _tr("transfers", "indexing")
        case "done":
            return _tr("transfers", "ready") if row.direction == "up" else file_size(row.size)
        case "cancelled":
            return _tr("transfers", "cancelled")
        case _:
            return ""


def summary(rows: tuple[Transfer, ...], rate: float) -> str:
    """One line for a queue: how many are done, how fast it goes, how long it still takes."""
    counted = [row for row in rows if row.state not in {"cancelled", "refused", "duplicate"}]
    done = sum(row.state == "done" for row in counted)
    parts = [_tr("transfers", "{done} of {all} done").format(done=done, all=len(counted))] if counted else []
    indexing = sum(row.state == "indexing" for row in counted)
    if indexing:
        parts.append(_tr("transfers", "{n} indexing").format(n=indexing))
    left = sum((row.size or 0) - row.moved for row in counted if row.state in {"waiting", "moving"})
    if rate and left > 0:
        parts.append(_tr("transfers", "{size}/s").format(size=file_size(round(rate))))
        parts.append(_tr("transfers", "{time} left").format(time=took(max(1.0, left / rate))))
    return " · ".join(parts)
