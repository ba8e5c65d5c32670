"""The fidelity table of chat, agents and workflows: a row for each rule of the document, as (request, answer)."""

from typing import Any, NamedTuple

import httpx
import pytest

CHAT, AGENT, WORKFLOWS = "/external/conversations", "/external/agents/run", "/external/workflows"
RUNS = f"{WORKFLOWS}/folder-digest/runs"


class Rule(NamedTuple):
    """What is sent, and the status (and code) that the document's rule asks for."""

    words: str
    method: str
    path: str
    body: Any
    status: int
    error: str | None = None


def _chat(words: str, body: dict[str, Any], status: int = 200, error: str | None = None) -> Rule:
    return Rule(f"chat: {words}", "POST", CHAT, {"content": "Rent?", **body}, status, error)


def _agent(words: str, body: dict[str, Any], status: int = 200, error: str | None = None) -> Rule:
    return Rule(f"agent: {words}", "POST", AGENT, {"prompt": "Rent?", **body}, status, error)


def _run(words: str, body: Any, status: int = 200, error: str | None = None) -> Rule:
    return Rule(f"run: {words}", "POST", RUNS, body, status, error)


def _list(words: str, query: str, status: int = 200, error: str | None = None) -> Rule:
    return Rule(f"workflow list: {words}", "GET", f"{WORKFLOWS}?{query}", None, status, error)


BAD = "invalid_request"
RULES = [
    Rule("chat: content is required", "POST", CHAT, {}, 400, BAD),
    _chat("content is a string", {"content": 7}, 400, BAD),
    _chat("content says something", {"content": " \n"}, 400, BAD),
    _chat("model is an id of the list", {"model": "reader-brief"}),
    _chat("another model is invalid_model", {"model": "nobody"}, 400, "invalid_model"),
    _chat("an empty model is no model", {"model": ""}, 400, "invalid_model"),
    _chat("null is as absent", {"model": None, "document_ids": None, "additional_metadata": None}),
    _chat("document_ids is a list", {"document_ids": "x"}, 400, BAD),
    _chat("an unknown document is not found", {"document_ids": ["x"]}, 404, "not_found"),
    _chat("an unknown file is not found", {"file_ids": ["x"]}, 404, "not_found"),
    _chat("an empty list names nothing", {"document_ids": [], "file_ids": []}),
    _chat("user_timezone is an IANA name", {"user_timezone": "Europe/Lisbon"}),
    _chat("another zone is refused", {"user_timezone": "Mars/Olympus"}, 400, BAD),
    _chat("a path is no zone", {"user_timezone": "../etc/passwd"}, 400, BAD),
    _chat("quoted_text is a string", {"quoted_text": ["x"]}, 400, BAD),
    _chat("additional_metadata is an object", {"additional_metadata": []}, 400, BAD),
    _chat("web_search, think, agentic_mode", {"additional_metadata": {"web_search": True, "think": False}}),
    _chat("think is a boolean", {"additional_metadata": {"think": "yes"}}, 400, BAD),
    _chat("an agent may be named", {"additional_metadata": {"agent_id": "any", "agentic_mode": True}}),
    _chat("preferences is an object", {"additional_metadata": {"preferences": "short"}}, 400, BAD),
    _chat(
        "its four keys",
        {
            "additional_metadata": {
                "preferences": {"language": "en", "output_style": "brief", "tones": ["dry"], "character": "calm"}
            }
        },
    ),
    _chat("side_by_side needs models", {"additional_metadata": {"side_by_side": True}}, 400, BAD),
    _chat("two of them", {"additional_metadata": {"side_by_side": True, "models": ["reader"]}}, 400, BAD),
    _chat(
        "that exist",
        {"additional_metadata": {"side_by_side": True, "models": ["reader", "nobody"]}},
        400,
        "invalid_model",
    ),
    _chat("redact_pii is a boolean", {"additional_metadata": {"redact_pii": True}}),
    _chat("further metadata passes", {"additional_metadata": {"anything": {"else": 1}}}),
    _chat("a field nobody knows is left alone", {"colour": "green"}),
    Rule("continue: an unknown conversation", "POST", f"{CHAT}/nowhere", {"content": "x"}, 404, "not_found"),
    Rule("continue: content is required", "POST", f"{CHAT}/nowhere", {"model": "reader"}, 400, BAD),
    Rule("agent: prompt is required", "POST", AGENT, {}, 400, BAD),
    _agent("prompt says something", {"prompt": ""}, 400, BAD),
    _agent("all its fields", {"agent_id": "a", "model": "reader", "user_timezone": "UTC", "timeout_seconds": 1800}),
    _agent("timeout_seconds up to 1800", {"timeout_seconds": 1801}, 400, BAD),
    _agent("and at least 1", {"timeout_seconds": 0}, 400, BAD),
    _agent("timeout_seconds is an integer", {"timeout_seconds": 1.5}, 400, BAD),
    _agent("another model is invalid_model", {"model": "nobody"}, 400, "invalid_model"),
    _agent("an unknown file is not found", {"file_ids": ["x"]}, 404, "not_found"),
    _agent("additional_metadata is passed through", {"additional_metadata": {"temperature": 0.2}}),
    _list("page at least 1", "page=0", 400, BAD),
    _list("page_size at least 1", "page_size=0", 400, BAD),
    _list("page_size up to 100", "page_size=100"),
    _list("and no more", "page_size=101", 400, BAD),
    _list("page is an integer", "page=one", 400, BAD),
    _list("search over title and description", "search=digest"),
    Rule("run: the body is required", "POST", RUNS, None, 400, BAD),
    _run("an empty object will do", {}),
    _run("executor_timezone in minutes", {"executor_timezone": -720}),
    _run("executor_timezone is an integer", {"executor_timezone": "60"}, 400, BAD),
    _run("of a zone on earth", {"executor_timezone": 10_000}, 400, BAD),
    _run("external_user has strings", {"external_user": {"id": 7}}, 400, BAD),
    _run("external_user may be partial", {"external_user": {"name": "X"}}),
    _run("inputs is an object", {"inputs": []}, 400, BAD),
    _run("form_inputs of any values", {"inputs": {"form_inputs": {"s": {"a": 1}, "t": "x", "u": None}}}),
    _run("file_urls: one, several, named", {"inputs": {"file_urls": {"a": "u", "b": ["u"], "c": {"f": "u"}}}}),
    _run("file_urls are strings", {"inputs": {"file_urls": {"a": 7}}}, 400, BAD),
    _run("run_id is a string", {"run_id": 7}, 400, BAD),
    Rule("run: no such group", "POST", f"{WORKFLOWS}/nothing/runs", {}, 404, "not_found"),
    Rule("run: no such run", "GET", f"{RUNS}/nothing", None, 404, "not_found"),
]


@pytest.mark.parametrize("rule", RULES, ids=[rule.words for rule in RULES])
def test_each_rule_of_the_document_holds(client: httpx.Client, rule: Rule) -> None:
    answer = client.request(rule.method, rule.path, json=rule.body)
    assert answer.status_code == rule.status, answer.text
    assert answer.headers["X-RateLimit-Limit"]
    if rule.error:
        assert set(answer.json()) == {"error", "message"}
        assert answer.json()["error"] == rule.error
        assert answer.json()["message"]


def test_the_description_names_every_endpoint_and_what_the_document_leaves_open(client: httpx.Client) -> None:
    described = client.get("/external-docs/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    paths = described["paths"]
    for method, path in [
        ("post", "/external/conversations"),
        ("post", "/external/conversations/{conversation_id}"),
        ("post", "/external/agents/run"),
        ("get", "/external/workflows"),
        ("post", "/external/workflows/{group_id}/runs"),
        ("get", "/external/workflows/{group_id}/runs/{run_id}"),
        ("get", "/api/external/models"),
        ("put", "/api/external/upload"),
        ("post", "/api/external/semantic-search"),
        ("post", "/api/external/start-conversation"),
        ("post", "/api/external/send"),
        ("post", "/api/external/continue"),
    ]:
        assert method in paths[path], path
    names = {parameter["name"] for parameter in paths["/external/workflows"]["get"]["parameters"]}
    assert {"page", "page_size", "search"} <= names
    stream = paths["/external/conversations"]["post"]["responses"]["200"]
    assert "text/event-stream" in stream["content"]
    assert "`done`" in stream["description"]
    for path, operations in paths.items():
        for operation in operations.values():
            spoken = [(p["name"], p["in"]) for p in operation.get("parameters", [])]
            assert len(spoken) == len(set(spoken)), path
