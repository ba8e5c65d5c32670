"""Two models in one stream: which of two replies an event belongs to, as a pure function."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from carrel.model.events import Content, Done, Event, MessageStart, StreamError, Thinking, event_of

APART = "not_told_apart"
"""The key in a reply's `extra` that says that its words stand in the other column: the stream did not tell whose."""

Dealt = tuple[tuple[int, Event], ...]
"""Events with the column, 0 or 1, that each belongs to."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What is known so far of two replies in one stream.

    `ids` are the message ids as they were told, `written` which columns have words, `ended` which are over.
    """

    models: tuple[str, str]
    ids: tuple[str, str] = ("", "")
    written: frozenset[int] = frozenset()
    ended: frozenset[int] = frozenset()
    last: Event | None = None
    """The latest `done`: it ends what no event of its own has ended."""


def route(columns: Columns, event: Event) -> tuple[Columns, Dealt]:
    """What is known after one more event, and what each column gets of it.

    An event goes by its `message_id`, then by its `model`. Words that carry neither go to the first column; what else
    carries neither is about both.
    """
    match event:
        case MessageStart():
            return _start(columns, event)
        case Content() | Thinking():
            columns, number = _number(columns, event)
            number = number or 0
            return replace(columns, written=columns.written | {number}), ((number, event),)
        case Done():
            return _done(columns, event)
        case StreamError():
            number = _known(columns, event)
            return columns, _both(event) if number is None else ((number, event),)
    return columns, _both(event)


def close(columns: Columns) -> Dealt:
    """What ends the columns that are open when the stream has said `done` and then ended."""
    if columns.last is None:
        return ()
    return tuple((n, _last(columns, n)) for n in (0, 1) if n not in columns.ended)


def _both(event: Event) -> Dealt:
    return (0, event), (1, event)


def _known(columns: Columns, event: Event) -> int | None:
    """The column of an event by what was learned before; None where the event does not say."""
    message_id, model = str(event.raw.get("message_id") or ""), str(event.raw.get("model") or "")
    if message_id and message_id in columns.ids:
        return columns.ids.index(message_id)
    if model in columns.models and columns.models[0] != columns.models[1]:
        return columns.models.index(model)
    return None


def _number(columns: Columns, event: Event) -> tuple[Columns, int | None]:
    """The column of an event; an id that was not told before is that of the column that has none yet."""
    number = _known(columns, event)
    message_id = str(event.raw.get("message_id") or "")
    if number is None and message_id:
        number = next((n for n in (0, 1) if not columns.ids[n]), None)
    if number is not None and message_id and not columns.ids[number]:
        ids = (message_id, columns.ids[1]) if number == 0 else (columns.ids[0], message_id)
        columns = replace(columns, ids=ids)
    return columns, number


def _start(columns: Columns, event: MessageStart) -> tuple[Columns, Dealt]:
    columns, number = _number(columns, event)
    return columns, ((number or 0, event),)


def _done(columns: Columns, event: Done) -> tuple[Columns, Dealt]:
    """`done` for both with `messages[]`, or for the one that it names; what names none ends both at the close."""
    columns = replace(columns, last=event)
    told = event.raw.get("messages")
    parts = [part for part in told if isinstance(part, dict)] if isinstance(told, list) else []
    if parts:
        dealt = tuple(_part(columns, number, event, part) for number, part in enumerate(parts[:2]))
        return replace(columns, ended=columns.ended | {number for number, _ in dealt}), dealt
    number = _known(columns, event)
    if number is None:
        return columns, ()
    return replace(columns, ended=columns.ended | {number}), ((number, event),)


def _part(columns: Columns, place: int, done: Done, part: dict[str, Any]) -> tuple[int, Event]:
    """One entry of `messages[]` as the event that ends its column."""
    known = _known(columns, Event(raw=part))
    raw = {k: v for k, v in done.raw.items() if k != "messages"} | part
    name, fields = ("error", {"content": "stream_error"}) if part.get("error_id") else ("done", {})
    return place if known is None else known, event_of(name, raw | fields, done.at)


def _last(columns: Columns, number: int) -> Event:
    """The `done` of the other column, or of both, for a column that got none of its own."""
    assert columns.last is not None, "close() looked"
    raw = dict(columns.last.raw)
    raw["message_id"], raw["model"] = columns.ids[number], columns.models[number]
    if number not in columns.written:
        raw[APART] = True
    return event_of("done", raw, columns.last.at)
