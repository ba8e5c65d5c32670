"""Characters that a stream says in two halves are made whole, and a half that stays alone can still be kept."""

from __future__ import annotations

import pytest

from carrel.model import Content, Event, Reply, Thinking, event_of, fold, fold_all
from carrel.model.reply import end


def told(kind: str, *texts: str) -> list[Event]:
    return [event_of(kind, {"content": text}, 1.0) for text in texts]


@pytest.mark.parametrize("kind", ["content", "thinking"])
def test_two_halves_become_one_character_however_they_are_folded(kind: str) -> None:
    events = told(kind, "a \ud83d", "\ude00 b")
    at_once = fold_all(Reply(), events)
    one_by_one = fold(fold(Reply(), events[0]), events[1])
    assert at_once == one_by_one
    assert (at_once.text or at_once.thinking) == "a 😀 b"


def test_a_half_that_stays_alone_is_replaced_at_the_end() -> None:
    reply = end(fold_all(Reply(), [*told("thinking", "\ude00"), *told("content", "a \ud83d")]), "stopped", 2.0)
    assert (reply.text, reply.thinking) == ("a \ufffd", "\ufffd")
    assert reply.text.encode()


def test_other_texts_are_left_as_they_are() -> None:
    reply = fold_all(Reply(), [Thinking("e\u0301", at=1.0), Content("👩‍👩‍👧\u2028", at=2.0)])
    assert (reply.thinking, reply.text) == ("e\u0301", "👩‍👩‍👧\u2028")
