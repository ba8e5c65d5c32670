"""Models of the person's own over a real socket: listed, streamed, told what was found, failing in the open."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from fake_models import FakeModels, fake_models, said
from running import RunningService, built_in_service, wait_until
from streamed import chat, events


def test_own_models_are_listed_first_by_their_server(client: httpx.Client, models: FakeModels) -> None:
    listed = client.get("/external/models").json()["data"]
    assert [model["id"] for model in listed] == ["small", "large", "reader", "reader-brief"]
    assert listed[0]["group_name"] == models.url.split("/")[2]
    assert all(model["is_available"] for model in listed)


def test_the_default_is_the_first_own_model(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = said("The rent ", "is 84,000 ", "pounds.")
    told = chat(client, "What is the annual rent?")
    assert told.text() == "The rent is 84,000 pounds."
    assert told.payload("done")["model"] == "small"
    assert told.count("content") == 3


def test_passages_conversation_and_circumstances_are_told_to_the_model(
    client: httpx.Client, models: FakeModels
) -> None:
    models.script["large"] = said("It is 84,000.")
    metadata = {"preferences": {"language": "Portuguese", "tones": ["dry", "short"]}, "temperature": 0.1}
    body = {"model": "large", "user_timezone": "Asia/Tokyo", "additional_metadata": metadata}
    first = chat(client, "What is the annual rent?", **body)
    chat(client, "And the deposit?", first.conversation_id, **body, quoted_text="84,000 pounds")
    system, *said_before, question = models.requests[-1]["messages"]
    assert "84,000 pounds" in system["content"]
    assert "harbour-lease.md" in system["content"]
    assert "Asia/Tokyo" in system["content"]
    assert "Portuguese" in system["content"]
    assert "dry, short" in system["content"]
    assert [message["content"] for message in said_before] == ["What is the annual rent?", "It is 84,000."]
    assert question == {"role": "user", "content": "> 84,000 pounds\n\nAnd the deposit?"}
    assert models.requests[-1]["temperature"] == 0.1
    assert models.requests[-1]["model"] == "large"


def test_any_character_may_stand_in_an_answer(client: httpx.Client, models: FakeModels) -> None:
    text = "one\u2028two\u0085three \U0001f40c\n\nfour"
    raw = json.dumps({"choices": [{"delta": {"content": text}}]}, ensure_ascii=False)
    models.script["small"] = [{"raw": f"data: {raw}\r\n\r\n"}]
    assert chat(client, "Odd?").text() == text


@pytest.mark.parametrize(
    "deltas",
    [
        said("Answer.", reasoning_content="Because."),
        said("Answer.", reasoning="Because."),
        said(*"<think>Because.</think>Answer."),
    ],
)
def test_reasoning_is_sent_as_thinking_when_asked_for(
    client: httpx.Client, models: FakeModels, deltas: list[dict[str, Any]]
) -> None:
    models.script["small"] = deltas
    told = chat(client, "Why?", additional_metadata={"think": True})
    assert (told.text("thinking"), told.text()) == ("Because.", "Answer.")
    quiet = chat(client, "Why?")
    assert (quiet.text("thinking"), quiet.text()) == ("", "Answer.")


def test_side_by_side_streams_two_models_at_once(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = [*said("first "), {"hold": True}, *said("second")]
    models.script["large"] = said("other")
    metadata = {"side_by_side": True, "models": ["small", "large"]}
    body = {"content": "Compare.", "additional_metadata": metadata}
    texts: dict[str, str] = {}
    with client.stream("POST", "/external/conversations", json=body) as response:
        for name, payload in events(response):
            if name == "content":
                texts[payload["model"]] = texts.get(payload["model"], "") + payload["content"]
            if texts == {"small": "first ", "large": "other"}:
                models.hold.set()  # the large one was done while the small one still thought
    assert texts == {"small": "first second", "large": "other"}
    assert name == "done"


def test_one_of_two_may_fail_and_the_other_is_heard(
    client: httpx.Client, models: FakeModels, service: RunningService
) -> None:
    service.expected.append("failed, error")
    models.script["small"] = [{"raw": "data: {broken\n\n"}]
    models.script["large"] = said("still here")
    metadata = {"side_by_side": True, "models": ["small", "large"]}
    told = chat(client, "Compare.", additional_metadata=metadata)
    assert told.text() == "still here"
    messages = {message["model"]: message for message in told.payload("done")["messages"]}
    assert messages["small"]["error_id"]
    assert messages["large"]["error_id"] is None


@pytest.mark.parametrize("fault", ["refused", "broken chunk", "error chunk"])
def test_a_model_that_fails_ends_the_stream_with_an_error_event(
    client: httpx.Client, models: FakeModels, service: RunningService, fault: str
) -> None:
    service.expected.append("failed, error")
    models.script["small"] = [
        *said("So far. "),
        {"raw": "data: {broken\n\n" if fault == "broken chunk" else 'data: {"error": {"message": "no memory"}}\n\n'},
    ]
    if fault == "refused":
        models.refuse = (500, "out of memory")
    told = chat(client, "What is the rent?")
    name, payload = told.events[-1]
    assert (name, payload["content"]) == ("error", "stream_error")
    assert payload["error_id"] in service.log()
    assert told.text() == ("" if fault == "refused" else "So far. ")


def test_closing_the_stream_ends_the_models_work(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = [*said("Slowly "), {"hold": True}, *said("on.")]
    with client.stream("POST", "/external/conversations", json={"content": "Tell me."}) as response:
        for name, payload in events(response):
            if name == "stream_meta":
                conversation_id = payload["conversation_id"]
            if name == "content":
                break
    assert models.broken_off.wait(20)
    models.hold.set()
    models.script["small"] = said("Again.")
    chat(client, "Go on.", conversation_id)
    assert {"role": "assistant", "content": "Slowly "} in models.requests[-1]["messages"]


def test_redaction_reaches_the_model_before_anything_sensitive_does(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = said("Anna Be", "rg uses 4111 1111 ", "1111 1111 for Bluebell.")
    told = chat(client, "Which card has Anna Berg of Bluebell?", additional_metadata={"redact_pii": True})
    sent = models.prompts()
    assert "[PERSON_1]" in sent
    assert "[PROJECT_1]" in sent
    for secret in ("Anna", "4111 1111", "Bluebell", "anna.berg@example.org", "7946 0018"):
        assert secret not in sent
        assert secret not in str(told.events)
    assert told.text() == "[PERSON_1] uses [CARD_1] for [PROJECT_1]."
    assert told.payload("done")["title"] == "Which card has [PERSON_1] of [PROJECT_1]?"


def test_a_server_that_is_gone_leaves_its_models_listed_and_the_reader_answers(tmp_path: Path) -> None:
    with fake_models() as server:
        url = server.url
        with built_in_service(tmp_path, "--models-url", url) as running, running.client() as client:
            assert client.get("/external/models").json()["data"][0]["id"] == "small"
    with built_in_service(tmp_path, "--models-url", url) as running, running.client() as client:
        listed = client.get("/external/models").json()["data"]
        assert [(model["id"], model["is_available"]) for model in listed] == [
            ("small", False),
            ("large", False),
            ("reader", True),
            ("reader-brief", True),
        ]
        assert chat(client, "Anything?").payload("done")["model"] == "reader"
        running.expected.append("failed, error")
        assert chat(client, "Anything?", model="small").events[-1][0] == "error"


def test_a_broken_off_answer_is_not_taken_for_a_whole_one(
    client: httpx.Client, models: FakeModels, service: RunningService
) -> None:
    service.expected.append("failed, error")
    models.script["small"] = said("Only half of")
    models.ends_early = True
    told = chat(client, "What is the rent?")
    assert told.events[-1][0] == "error"


def test_answers_do_not_wait_for_each_other(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = [*said("a "), {"hold": True}, *said("b")]
    models.script["large"] = said("quick")
    with client.stream("POST", "/external/conversations", json={"content": "Slow?", "model": "small"}) as response:
        slow = events(response)
        wait_until(lambda: next(slow)[0] == "content", "the slow answer's first word")
        assert chat(client, "Quick?", model="large").text() == "quick"
        models.hold.set()
        assert list(slow)[-1][0] == "done"
