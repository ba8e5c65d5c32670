"""What a person reads on the row of a transfer, and what can be done with it."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication

from carrel.model.transfers import Transfer
from carrel.ui.amounts import day, file_size, took

_tr = QCoreApplication.translate

TROUBLE = frozenset({"failed", "refused", "duplicate", "interrupted"})

_ACTIONS = {
    "waiting": ("cancel",),
    "moving": ("pause", "cancel"),
    "paused": ("resume", "cancel"),
    "indexing": ("dismiss",),
    "failed": ("retry", "dismiss"),
    "interrupted": ("retry", "dismiss"),
    "cancelled": ("retry", "dismiss"),
    "refused": ("dismiss",),
    "duplicate": ("retry", "dismiss"),
}
_MORE = {"waiting": ("pause",)}


def actions(row: Transfer) -> tuple[str, ...]:
    """The keys of what can be done with a row, what is wanted most first."""
    if row.state == "done":
        return ("open", "dismiss") if row.direction == "down" else ("check", "dismiss")
    return ("cancel",) if row.is_handed_over else _ACTIONS[row.state]


def allowed(row: Transfer) -> tuple[str, ...]:
    """What keys and the menu can do with a row: also what has no word on it."""
    return (*_MORE.get(row.state, ()), *actions(row))


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
        "check": _tr("transfers", "Find it"),
    }[key]


def menu_words(key: str, row: Transfer) -> str:
    """The same in a menu, where there is room for more of it."""
    return _tr("transfers", "Check that it can be found") if key == "check" else action_words(key, row)


def title(row: Transfer) -> str:
    """The file, with the folder that it goes to."""
    return f"{row.folder.replace('/', ' / ')} / {row.name}" if row.folder else row.name


def reason(row: Transfer) -> str:
    """What stands in the place of bar and amount: why a row stopped, or what is to say of one that is over."""
    if row.state == "duplicate" and row.ended_at:
        when = day(datetime.fromtimestamp(row.ended_at, UTC).astimezone().isoformat())
        return f"{row.error} " + _tr("transfers", "That was uploaded on {day}.").format(day=when)
    if row.state in TROUBLE:
        return row.error or row.note
    if row.state == "done" and row.note and _is_only_sent(row):
        return _tr("transfers", "Sent. {note}").format(note=row.note)
    return row.note if row.state in {"indexing", "done"} else ""


def explained(row: Transfer) -> list[str]:
    """All about a row, line by line; also what has no room on it, such as a warning of its size, or its place."""
    begins_anew, is_ready = _begins_anew(row), row.direction == "up" and row.state == "done"
    sent = _tr("transfers", "All of it has left; the service has not answered yet.") if row.is_handed_over else ""
    lines = [
        title(row),
        reason(row) or amount(row),
        row.note,
        sent,
        _tr("transfers", "The service keeps no part of a file. It is sent from its beginning.") if begins_anew else "",
        _tr("transfers", "“Find it” searches for it, to check that it can be found.") if is_ready else "",
        row.path if row.direction == "down" and row.state == "done" else "",
    ]
    return [line for line in dict.fromkeys(lines) if line]


def part(row: Transfer) -> float:
    """How much of its bar is filled, from 0 to 1: what an upload that begins anew has sent counts for nothing."""
    if row.state in {"indexing", "done"}:
        return 1.0
    return min(1.0, row.moved / row.size) if row.size and not _begins_anew(row) else 0.0


def amount(row: Transfer) -> str:
    """How far it is."""
    match row.state:
        case "moving" if row.is_handed_over:
            return _tr("transfers", "sent, no answer yet")
        case "moving":
            size = file_size(row.size) if row.size else ""
            moved = file_size(row.moved)
            return _tr("transfers", "{moved} of {size}").format(moved=moved, size=size) if size else moved
        case "waiting":
            return _tr("transfers", "waiting")
        case "paused":
            return _tr("transfers", "paused, starts again") if _begins_anew(row) else _tr("transfers", "paused")
        case "indexing":
            return _tr("transfers", "indexing")
        case "done" if _is_only_sent(row):
            return _tr("transfers", "sent")
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


def _is_only_sent(row: Transfer) -> bool:
    """Whether nobody knows what became of an upload: the service told no id to look for."""
    return row.direction == "up" and row.state == "done" and not row.file_id


def _begins_anew(row: Transfer) -> bool:
    """Whether something was sent in vain: an upload cannot go on in the middle of a file."""
    return row.direction == "up" and row.state == "paused" and row.moved > 0
