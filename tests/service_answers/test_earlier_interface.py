"""The earlier interface: all six endpoints, their bodies, and the shape of its refusals."""

from collections.abc import Iterator

import httpx
import pytest

from running import RunningService, wait_indexed


@pytest.fixture
def earlier(answering: RunningService) -> Iterator[httpx.Client]:
    options = {"base_url": answering.legacy_base_url, "headers": answering.legacy_headers}
    with httpx.Client(**options, timeout=30, trust_env=False) as client:
        yield client


def test_models_have_label_and_value(earlier: httpx.Client) -> None:
    assert {"label": "Reader", "value": "reader"} in earlier.get("/api/external/models").json()


@pytest.mark.parametrize("part", ["files", "file", "document"])
def test_upload_takes_binary_parts_of_any_name(earlier: httpx.Client, client: httpx.Client, part: str) -> None:
    content = f"The {part} upload by PUT is here.".encode()
    answer = earlier.put("/api/external/upload", files=[(part, (f"put-{part}.txt", content))])
    assert answer.status_code == 200
    assert "1 file" in answer.json()["message"]
    assert wait_indexed(client)[f"put-{part}.txt"] == "success"


def test_semantic_search_has_the_documented_shape(earlier: httpx.Client, ids: dict[str, str]) -> None:
    body = {"keyword": "annual rent", "related_context_id": "", "web_search": False}
    found = earlier.post("/api/external/semantic-search", json=body).json()
    first = next(item for item in found["data"] if item["fields"]["title"] == "harbour-lease.md")
    assert set(first) == {"id", "relevance", "source", "fields"}
    fields = first["fields"]
    assert set(fields) == {
        *("matchfeatures", "sddocname", "documentid", "id", "title", "download_link", "page", "type", "user_id"),
        *("text_contents", "meta"),
    }
    assert set(fields["matchfeatures"]) == {"firstPhase", "combined_score", "cos_sim", "max_sim", "max_sim_per_context"}
    assert fields["id"] == ids["harbour-lease.md"]
    assert "84,000 pounds" in fields["text_contents"]
    assert set(fields["meta"]) == {"is_private", "provider"}
    assert sum(entry["count"] for entry in found["meta"]) == len(found["data"])
    narrowed = {**body, "related_context_id": ids["supplier-quotes.txt"]}
    found = earlier.post("/api/external/semantic-search", json=narrowed).json()
    assert {item["fields"]["title"] for item in found["data"]} == {"supplier-quotes.txt"}


def test_a_conversation_is_started_sent_to_and_continued(earlier: httpx.Client) -> None:
    message = "Tell anna@example.org: what is the annual rent?"
    started = earlier.post("/api/external/start-conversation", json={"message": message, "model": "reader"}).json()
    assert set(started) == {"conversation_id", "title", "messages"}
    first = started["messages"]
    assert set(first) == {"id", "text", "redacted", "synthetic", "ner_count", "response", "ner_items", "timestamp"}
    assert first["text"] == message
    assert first["redacted"] == "Tell [EMAIL_1]: what is the annual rent?"
    assert first["synthetic"] == "Tell person1@example.com: what is the annual rent?"
    assert first["ner_count"] == len(first["ner_items"]) == 1
    assert "84,000 pounds" in first["response"]

    body = {"conversation_id": started["conversation_id"], "message": "Who signs for the tenant?"}
    sent = earlier.post("/api/external/send", json=body).json()
    assert set(sent) == {
        *("conversation_id", "sender", "message_text", "redacted_text", "syntactic_text", "model"),
        *("related_questions", "id", "typing_completed", "created_at"),
    }
    assert (sent["sender"], sent["model"], sent["typing_completed"]) == ("ai", "reader", True)
    assert "Anna Berg signs for the tenant." in sent["message_text"]
    assert "[PERSON_1] signs for the tenant." in sent["redacted_text"]
    assert "Anna" not in sent["syntactic_text"]
    assert all(question.endswith("?") for question in sent["related_questions"])

    body |= {"message": "What is the deposit?", "model": "reader-brief"}
    continued = earlier.post("/api/external/continue", json=body).json()
    assert set(continued) == {
        *("conversation_id", "sender", "message_text", "redacted_text", "syntactic_text", "typing_completed"),
        *("created_at", "ner_items", "ner_count", "title", "id"),
    }
    assert "21,000 pounds" in continued["message_text"]
    assert continued["title"] == started["title"]
    assert earlier.post("/api/external/send", json=body).json()["model"] == "reader-brief"


@pytest.mark.parametrize(
    ("path", "body", "loc"),
    [
        ("semantic-search", {}, ["body", "keyword"]),
        ("semantic-search", {"keyword": "  "}, ["body", "keyword"]),
        ("semantic-search", {"keyword": "x", "web_search": "perhaps"}, ["body", "web_search"]),
        ("start-conversation", {"model": "reader"}, ["body", "message"]),
        ("start-conversation", {"message": "x", "model": "nobody"}, ["body", "model"]),
        ("send", {"message": "x"}, ["body", "conversation_id"]),
        ("continue", {"conversation_id": "x"}, ["body", "message"]),
    ],
)
def test_an_invalid_request_is_422_with_detail(
    earlier: httpx.Client, path: str, body: dict[str, object], loc: list[str]
) -> None:
    answer = earlier.post(f"/api/external/{path}", json=body)
    assert answer.status_code == 422
    (entry,) = answer.json()["detail"]
    assert set(entry) == {"loc", "msg", "type"}
    assert entry["loc"] == loc


def test_a_refused_file_is_422_with_detail(earlier: httpx.Client) -> None:
    answer = earlier.put("/api/external/upload", files=[("files", ("virus.exe", b"x"))])
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", "files"]


@pytest.mark.parametrize("path", ["send", "continue"])
def test_an_unknown_conversation_is_404(earlier: httpx.Client, path: str) -> None:
    answer = earlier.post(f"/api/external/{path}", json={"conversation_id": "x", "message": "y"})
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_its_requests_are_not_counted_and_bear_no_rate(earlier: httpx.Client) -> None:
    assert "X-RateLimit-Limit" not in earlier.get("/api/external/models").headers
