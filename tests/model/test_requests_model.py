"""Requests are checked before they leave: ranges, lists, time zones; the error names the field."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from carrel.model import (
    AgentRequest,
    ChatMetadata,
    ChatRequest,
    LibraryQuery,
    SearchQuery,
    WorkflowQuery,
    WorkflowRunRequest,
)

REFUSED: list[tuple[type[BaseModel], dict[str, Any], str]] = [
    (LibraryQuery, {"page": 0}, "page"),
    (LibraryQuery, {"page_size": 101}, "page_size"),
    (LibraryQuery, {"page_size": 0}, "page_size"),
    (LibraryQuery, {"sort_order": "up"}, "sort_order"),
    (LibraryQuery, {"colour": "red"}, "colour"),
    (SearchQuery, {"keyword": "  "}, "keyword"),
    (SearchQuery, {}, "keyword"),
    (SearchQuery, {"keyword": "x", "limit": 0}, "limit"),
    (SearchQuery, {"query": "x", "top_k": 101}, "top_k"),
    (SearchQuery, {"keyword": "x", "types": ["library"]}, "types"),
    (SearchQuery, {"keyword": "x", "bm25_weight": 1.01}, "bm25_weight"),
    (SearchQuery, {"keyword": "x", "vector_weight": -0.1}, "vector_weight"),
    (SearchQuery, {"keyword": "x", "relative_threshold": 2}, "relative_threshold"),
    (ChatRequest, {"content": ""}, "content"),
    (ChatRequest, {"content": "x", "user_timezone": "Mars/Olympus"}, "user_timezone"),
    (ChatRequest, {"content": "x", "user_timezone": "../etc/passwd"}, "user_timezone"),
    (ChatMetadata, {"side_by_side": True}, "models"),
    (ChatMetadata, {"models": ["one"]}, "models"),
    (ChatMetadata, {"models": ["one", "two", "three"]}, "models"),
    (AgentRequest, {"prompt": ""}, "prompt"),
    (AgentRequest, {"prompt": "x", "timeout_seconds": 0}, "timeout_seconds"),
    (AgentRequest, {"prompt": "x", "timeout_seconds": 1801}, "timeout_seconds"),
    (WorkflowQuery, {"page_size": 101}, "page_size"),
    (WorkflowQuery, {"page": 0}, "page"),
    (WorkflowRunRequest, {"executor_timezone": 900}, "executor_timezone"),
    (WorkflowRunRequest, {"inputs": {"form_inputs": {}, "more": 1}}, "more"),
    (WorkflowRunRequest, {"inputs": {"file_urls": {"step": 5}}}, "file_urls"),
]


@pytest.mark.parametrize(("kind", "fields", "name"), REFUSED)
def test_what_is_out_of_range_is_refused_by_name(kind: type[BaseModel], fields: dict[str, Any], name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        kind(**fields)
    assert name in str(caught.value)


LIMITS: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (LibraryQuery, {"page": 1, "page_size": 100}),
    (SearchQuery, {"query": "x", "top_k": 100, "bm25_weight": 0, "vector_weight": 1, "relative_threshold": 0}),
    (SearchQuery, {"keyword": "x", "types": ["file", "workflow", "conversation"]}),
    (ChatRequest, {"content": "x", "user_timezone": "America/Argentina/Buenos_Aires"}),
    (AgentRequest, {"prompt": "x", "timeout_seconds": 1800}),
    (WorkflowRunRequest, {"executor_timezone": -720}),
]


@pytest.mark.parametrize(("kind", "fields"), LIMITS)
def test_what_is_just_in_range_is_taken(kind: type[BaseModel], fields: dict[str, Any]) -> None:
    assert kind(**fields).model_fields_set


def test_a_body_holds_what_was_set_and_no_null() -> None:
    request = ChatRequest(content="x", model=None, additional_metadata=ChatMetadata(think=False, agent_id=None))
    assert request.body() == {"content": "x", "additional_metadata": {"think": False}}


def test_a_refused_value_is_not_repeated_in_the_error() -> None:
    with pytest.raises(ValidationError) as caught:
        AgentRequest(prompt="x", timeout_seconds="a-secret-pasted-here")  # type: ignore[arg-type]
    assert "a-secret-pasted-here" not in str(caught.value)
