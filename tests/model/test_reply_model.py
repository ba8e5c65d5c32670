"""The fold: from a stream's events to a reply, with its times and how it ended."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

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
    event_of,
    fold,
    fold_all,
)
from carrel.model.reply import end

WHOLE: list[Event] = [
    StreamMeta("r", "c", at=1),
    ConversationCreated("c", at=1.5),
    MessageStart("m", "u", at=2),
    Thinking("Let me ", at=3),
    Thinking("see.", at=4),
    Content("The rent ", at=5),
    Unknown("weather", at=5.5),
    Content("is due.", at=6),
    Done("c", "m", raw={"conversation_id": "c", "message_id": "m", "tokens": 7}, at=7),
]


def _one_by_one(events: Iterable[Event]) -> Reply:
    reply = Reply()
    for event in events:
        reply = fold(reply, event)
    return reply


def test_a_whole_stream() -> None:
    reply = _one_by_one(WHOLE)
    assert (reply.text, reply.thinking, reply.state) == ("The rent is due.", "Let me see.", "complete")
    assert (reply.run_id, reply.conversation_id, reply.message_id, reply.user_message_id) == ("r", "c", "m", "u")
    assert (reply.first_event_at, reply.thinking_at, reply.first_token_at, reply.ended_at) == (1, 3, 5, 7)
    assert reply.thought_for(99) == 2
    assert reply.extra == {"tokens": 7}
    assert not reply.is_open


def test_folding_all_at_once_is_folding_one_by_one() -> None:
    for count in range(len(WHOLE) + 1):
        assert fold_all(Reply(), WHOLE[:count]) == _one_by_one(WHOLE[:count])


def test_states_on_the_way() -> None:
    assert Reply().state == "waiting"
    assert fold_all(Reply(), WHOLE[:4]).state == "thinking"
    assert fold_all(Reply(), WHOLE[:6]).state == "writing"
    assert fold_all(Reply(), WHOLE[:4]).thought_for(10) == 7


@pytest.mark.parametrize("state", ["stopped", "interrupted", "failed"])
def test_an_end_from_outside_keeps_what_came(state: str) -> None:
    reply = end(fold_all(Reply(), WHOLE[:6]), state, 9)  # type: ignore[arg-type]
    assert (reply.state, reply.text, reply.ended_at) == (state, "The rent ", 9)
    assert end(reply, "complete", 10) == reply


def test_an_error_event_fails_the_reply_with_its_words() -> None:
    error = StreamError("stream_error", "e-1", raw={"message": "No more."}, at=8)
    reply = fold(fold_all(Reply(), WHOLE[:6]), error)
    assert (reply.state, reply.error, reply.error_code, reply.error_id) == ("failed", "No more.", "stream_error", "e-1")
    assert reply.text == "The rent "


def test_nothing_after_the_end_changes_a_reply() -> None:
    reply = fold_all(Reply(), WHOLE)
    for event in WHOLE:
        assert fold(reply, event) == reply


def test_a_fold_never_changes_what_it_was_given() -> None:
    before = fold_all(Reply(), WHOLE[:5])
    kept = replace(before)
    fold_all(before, WHOLE[5:])
    assert before == kept


def test_a_done_without_ids_keeps_those_that_came_before() -> None:
    reply = fold_all(Reply(), [*WHOLE[:3], Done(at=4)])
    assert (reply.conversation_id, reply.message_id) == ("c", "m")


@pytest.mark.parametrize("event", WHOLE)
def test_events_are_made_by_their_names(event: Event) -> None:
    fields = {name: getattr(event, name) for name in event.__slots__ if name not in {"raw", "at", "name"}}
    made = event_of(event.name, fields, event.at)
    assert type(made) is type(event)
    assert made.raw == fields
    assert made.at == event.at
