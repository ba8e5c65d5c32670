"""The form of a workflow: what it comes to as a request, what it refuses, and the way back from edited JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from carrel.model import WorkflowRunRequest
from carrel.model.form_reading import form_of
from carrel.model.forms import Form, FormField, FormFile, FormRefused, FormStep, offset_of, request_of, value_of

SUMMER = datetime(2026, 7, 1, 12, tzinfo=UTC)
WINTER = datetime(2026, 1, 1, 12, tzinfo=UTC)

FULL = Form(
    steps=(
        FormStep(
            id="intake_form",
            fields=(
                FormField(name="counterparty", text="Acme Ltd"),
                FormField(name="value_eur", kind="number", text="48000"),
                FormField(name="share", kind="number", text="0,5"),
                FormField(name="needs_review", kind="yes-no", text="true"),
                FormField(name="starts", kind="date", text="2026-11-21"),
                FormField(name="tags", kind="list", text="one\n\n two \n"),
                FormField(name="more", kind="json", text='{"a": [1, null]}'),
                FormField(),
            ),
            shape="named",
            files=(FormFile(name="contract", url="https://files.example.com/acme.pdf"), FormFile()),
        ),
        FormStep(id="second", shape="several", files=(FormFile(url="https://x.example/1"),)),
        FormStep(id="third", shape="one", files=(FormFile(url="https://x.example/2"),)),
    ),
    run_id=" nightly-0412 ",
    zone="Europe/Berlin",
    user_id="u-118",
    user_email="kim@example.com",
)


def test_a_form_becomes_the_documented_request() -> None:
    assert request_of(FULL, SUMMER).body() == {
        "run_id": "nightly-0412",
        "executor_timezone": 120,
        "external_user": {"id": "u-118", "email": "kim@example.com"},
        "inputs": {
            "form_inputs": {
                "intake_form": {
                    "counterparty": "Acme Ltd",
                    "value_eur": 48000,
                    "share": 0.5,
                    "needs_review": True,
                    "starts": "2026-11-21",
                    "tags": ["one", "two"],
                    "more": {"a": [1, None]},
                }
            },
            "file_urls": {
                "intake_form": {"contract": "https://files.example.com/acme.pdf"},
                "second": ["https://x.example/1"],
                "third": "https://x.example/2",
            },
        },
    }


def test_what_is_left_empty_is_not_sent() -> None:
    form = Form(steps=(FormStep(id="first", fields=(FormField(),), files=(FormFile(),)),))
    assert request_of(form, SUMMER).body() == {"executor_timezone": 0}


@pytest.mark.parametrize(
    ("zone", "winter", "summer"), [("Europe/Berlin", 60, 120), ("Asia/Kolkata", 330, 330), ("-90", -90, -90)]
)
def test_a_zone_becomes_minutes_as_they_are_then(zone: str, winter: int, summer: int) -> None:
    assert (offset_of(zone, WINTER), offset_of(zone, SUMMER)) == (winter, summer)


@pytest.mark.parametrize(
    "zone", ["Nowhere/City", "../../etc/passwd", "+x", "\0", "+9999", "-721", "+²", "+" + "9" * 5000]
)
def test_an_unknown_zone_is_refused(zone: str) -> None:
    with pytest.raises(FormRefused, match="time zone"):
        request_of(Form(zone=zone), SUMMER)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("number", "many"),
        ("number", ""),
        ("number", "inf"),
        ("number", "nan"),
        ("date", "21.11.2026"),
        ("json", "{"),
        ("json", "[" * 100_000),
    ],
)
def test_a_text_that_does_not_fit_its_type_is_refused(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        value_of(FormField(name="x", kind=kind, text=text))


def test_every_wrong_place_is_named_at_once() -> None:
    form = Form(
        steps=(
            FormStep(
                id="a",
                fields=(
                    FormField(name="x", kind="number", text="many"),
                    FormField(text="no name"),
                    FormField(name="twice", text="1"),
                    FormField(name="twice", text="2"),
                ),
                files=(FormFile(url="https://x/1"), FormFile(url="https://x/2")),
            ),
            FormStep(id=" ", fields=(FormField(name="y", text="1"),)),
        )
    )
    with pytest.raises(FormRefused) as refused:
        request_of(form, SUMMER)
    places = {(p.step, p.field) for p in refused.value.problems}
    assert places == {(0, 0), (0, 1), (0, 3), (0, -1), (1, -1)}


def test_named_files_need_names_of_their_own() -> None:
    files = (FormFile(name="a", url="https://x/1"), FormFile(name="a", url="https://x/2"))
    with pytest.raises(FormRefused, match="name of its own"):
        request_of(Form(steps=(FormStep(id="s", shape="named", files=files),)), SUMMER)


def test_a_request_can_be_read_back_into_its_form() -> None:
    request = request_of(FULL, SUMMER)
    again = form_of(request, FULL, SUMMER)
    assert again.zone == "Europe/Berlin"
    assert [f.kind for f in again.steps[0].fields] == ["text", "number", "number", "yes-no", "date", "list", "json"]
    assert request_of(again, SUMMER) == request


def test_edited_json_decides_over_the_former_types() -> None:
    body = {
        "executor_timezone": 90,
        "inputs": {"form_inputs": {"intake_form": {"value_eur": "as agreed", "starts": "soon", "tags": [1]}}},
    }
    form = form_of(WorkflowRunRequest.model_validate(body), FULL, SUMMER)
    assert [f.kind for f in form.steps[0].fields] == ["text", "text", "json"]
    assert form.zone == "+90"
    assert request_of(form, SUMMER).body() == body


def test_texts_that_look_like_something_else_stay_texts() -> None:
    values = {"a": "true", "b": "12", "c": "2026-11-21", "d": "two\nlines", "e": "", "f": ["with\nbreak"], "g": [" x "]}
    body = {"executor_timezone": 0, "inputs": {"form_inputs": {"s": values}}}
    form = form_of(WorkflowRunRequest.model_validate(body), Form(), SUMMER)
    assert request_of(form, SUMMER).body() == body
    assert json.loads(form.model_dump_json()) == json.loads(
        Form.model_validate_json(form.model_dump_json()).model_dump_json()
    )
