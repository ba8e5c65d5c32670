"""Which of two replies an event of one stream belongs to."""

from __future__ import annotations

from typing import Any

from carrel.model import Reply, event_of, fold_all
from carrel.model.columns import APART, Columns, close, route
from carrel.model.events import Event

MODELS = ("aster", "birch")


def event(name: str, **raw: Any) -> Event:
    return event_of(name, raw, 1.0)


def replies(*events: Event, models: tuple[str, str] = MODELS) -> tuple[Reply, Reply]:
    """Both replies after a stream that has ended."""
    columns, held = Columns(models), ([], [])
    for one in events:
        columns, dealt = route(columns, one)
        for number, part in dealt:
            held[number].append(part)
    for number, part in close(columns):
        held[number].append(part)
    return fold_all(Reply(), held[0]), fold_all(Reply(), held[1])


def begun() -> list[Event]:
    return [
        event("stream_meta", run_id="r", conversation_id="c"),
        event("message_start", message_id="m1", user_message_id="u", model="aster"),
        event("message_start", message_id="m2", user_message_id="u", model="birch"),
    ]


def test_events_go_by_message_id() -> None:
    left, right = replies(
        *begun(),
        event("content", content="a", message_id="m1"),
        event("content", content="b", message_id="m2"),
        event("thinking", content="t", message_id="m2"),
        event("content", content="c", message_id="m1"),
        event("done", conversation_id="c", message_id="m1"),
    )
    assert (left.text, right.text, right.thinking) == ("ac", "b", "t")
    assert (left.message_id, right.message_id) == ("m1", "m2")
    assert left.conversation_id == right.conversation_id == "c"
    assert (left.state, right.state) == ("complete", "complete")


def test_events_go_by_model_where_no_id_is_told() -> None:
    left, right = replies(
        event("content", content="b", model="birch"), event("content", content="a", model="aster"), event("done")
    )
    assert (left.text, right.text) == ("a", "b")


def test_ids_alone_fill_the_columns_in_their_order() -> None:
    left, right = replies(
        event("content", content="a", message_id="x"), event("content", content="b", message_id="y"), event("done")
    )
    assert (left.text, right.text) == ("a", "b")


def test_the_same_model_twice_is_told_apart_by_id_only() -> None:
    twice = ("aster", "aster")
    left, right = replies(
        event("message_start", message_id="m1", model="aster"),
        event("message_start", message_id="m2", model="aster"),
        event("content", content="b", message_id="m2", model="aster"),
        event("done"),
        models=twice,
    )
    assert (left.text, right.text) == ("", "b")


def test_without_a_mark_all_stands_in_one_column_and_the_other_says_so() -> None:
    left, right = replies(
        event("message_start", message_id="m"), event("content", content="all"), event("done", message_id="m")
    )
    assert (left.text, right.text) == ("all", "")
    assert (left.state, right.state) == ("complete", "complete")
    assert right.extra[APART]
    assert APART not in left.extra


def test_one_done_tells_of_both_and_of_an_error_of_one() -> None:
    left, right = replies(
        *begun(),
        event("content", content="a", message_id="m1"),
        event(
            "done",
            conversation_id="c",
            message_id="m1",
            title="T",
            messages=[
                {"message_id": "m1", "model": "aster", "sources": ["s"], "error_id": None},
                {"message_id": "m2", "model": "birch", "sources": [], "error_id": "e2"},
            ],
        ),
    )
    assert (left.state, left.extra["sources"], left.extra["title"]) == ("complete", ["s"], "T")
    assert (right.state, right.error_id) == ("failed", "e2")


def test_each_may_have_a_done_of_its_own() -> None:
    columns = Columns(MODELS)
    for one in begun():
        columns, _ = route(columns, one)
    columns, dealt = route(columns, event("done", message_id="m2"))
    assert [number for number, _ in dealt] == [1]
    columns, dealt = route(columns, event("content", content="more", message_id="m1"))
    assert [number for number, _ in dealt] == [0]
    assert [number for number, _ in close(columns)] == [0]


def test_an_error_ends_the_one_that_it_names_else_both() -> None:
    left, right = replies(*begun(), event("error", content="stream_error", error_id="e", message_id="m1"))
    assert (left.state, right.state) == ("failed", "waiting")
    left, right = replies(*begun(), event("error", content="stream_error", error_id="e"))
    assert (left.state, right.state) == ("failed", "failed")


def test_a_stream_without_done_ends_nothing() -> None:
    left, right = replies(*begun(), event("content", content="a", message_id="m1"))
    assert (left.state, right.state) == ("writing", "waiting")


def test_payloads_of_any_shape_are_borne() -> None:
    left, right = replies(
        event("content", content="a", message_id=["odd"], model={"odd": 1}),
        event("done", messages=["odd", 3, None]),
        event("done", messages="odd"),
    )
    assert left.text + right.text == "a"
    assert {left.state, right.state} == {"complete"}
