"""Folding at once gives what folding one by one gives, whatever comes after what."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

from carrel.model import (
    Content,
    ConversationCreated,
    Done,
    Event,
    MessageStart,
    Reply,
    StreamError,
    StreamMeta,
    Thinking,
    Unknown,
    fold,
    fold_all,
)


def told() -> list[Event]:
    """Events of each kind; of those that name something, one that names nothing too."""
    return [
        StreamMeta("r1", "c1"),
        StreamMeta("", ""),
        ConversationCreated("c2"),
        ConversationCreated(""),
        MessageStart("m1", "u1"),
        MessageStart("m2", ""),
        Content("a"),
        Content(""),
        Content("\ud83d"),
        Content("\ude00"),
        Thinking("hm"),
        Thinking(""),
        Done("c3", "m3", raw={"credits": 1}),
        Done("c4", "m4", raw={"credits": 2}),
        StreamError("gone"),
        Unknown("new"),
    ]


def timed(events: tuple[Event, ...]) -> list[Event]:
    """Copies that came a second apart."""
    return [replace(event, at=at) for at, event in enumerate(events, 1)]


def one_by_one(events: list[Event]) -> Reply:
    reply = Reply()
    for event in events:
        reply = fold(reply, event)
    return reply


def test_at_once_is_as_one_by_one() -> None:
    pairs = [*product(told(), repeat=2)]
    longer = [(first, *pair) for first in (Content("b"), Thinking("oh"), Thinking("")) for pair in pairs]
    texts = permutations([e for e in told() if isinstance(e, Content | Thinking)], 4)
    for events in map(timed, [*pairs, *longer, *texts]):
        assert fold_all(Reply(), events) == one_by_one(events), events


def test_the_first_of_two_ends_counts_and_an_empty_id_wipes_none() -> None:
    assert fold_all(Reply(), [Done("c", "m1", at=1), Done("c", "m2", at=2)]).message_id == "m1"
    assert fold_all(Reply(), [ConversationCreated("c"), ConversationCreated("")]).conversation_id == "c"
