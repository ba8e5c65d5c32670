"""Faults of texts: half a character, in what the service says and in what a person pasted."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from carrel.api import connect
from carrel.model import (
    AgentRequest,
    ChatRequest,
    LibraryQuery,
    SearchQuery,
    ServiceError,
    StreamError,
    WorkflowQuery,
    WorkflowRunRequest,
)
from fault_calls import QUICK, READS, Verb, attempt, send
from faulty import Handler, Peer, faulty

GROUP = "texts"

HALVES = [b"\\ud83d", b"\\uDE00", b"\xed\xa0\xbd"]
"""An escape of either half, and the bytes that some writers make of one."""


def answering(body: bytes, status: int = 200) -> Handler:
    async def handler(peer: Peer) -> None:
        await peer.answer(body, status)

    return handler


VERBS: dict[str, tuple[Verb, bytes]] = {
    "agent": (
        lambda service: service.run_agent(AgentRequest(prompt="x")),
        b'{"output": "cut %s", "success": true, "%s": "a field of its own"}',
    ),
    "library": (
        lambda service: service.library(LibraryQuery()),
        b'{"total_items": 1, "items": [{"id": "1", "file_name": "cut %s.pdf", "summary": ["%s"]}]}',
    ),
    "search": (
        lambda service: service.search(SearchQuery(keyword="x")),
        b'{"success": true, "results": [{"id": "1", "content": "cut %s", "near": {"%s": 1}}]}',
    ),
    "workflows": (
        lambda service: service.workflows(WorkflowQuery()),
        b'{"data": [{"group_id": "g", "title": "cut %s", "note": "%s"}]}',
    ),
}


@pytest.mark.parametrize("half", HALVES, ids=["first", "second", "bytes"])
@pytest.mark.parametrize("verb", VERBS)
async def test_what_a_service_says_can_be_kept(verb: str, half: bytes) -> None:
    ask, body = VERBS[verb]
    async with faulty(answering(body % (half, half))) as server, connect(server.account(), limits=QUICK) as service:
        said: Any = await ask(service)
    for one in said if isinstance(said, tuple) else (said,):
        assert "cut \\ufffd" in one.model_dump_json().replace("\ufffd", "\\ufffd")


async def test_a_whole_character_in_two_escapes_stays_whole() -> None:
    ask, body = VERBS["agent"]
    smile = b"\\ud83d\\ude00"
    async with faulty(answering(body % (smile, smile))) as server, connect(server.account()) as service:
        assert (await ask(service)).output == "cut 😀"


async def test_a_refusal_can_be_kept() -> None:
    body = b'{"error": "internal_error", "message": "cut \\ud83d", "error_id": "e\\ud83d"}'
    _, error = await attempt(answering(body, 400), READS["models"])
    assert (error.message, error.error_id) == ("cut \ufffd", "e\ufffd")


async def test_events_can_be_kept_and_pieces_of_a_text_stay_as_they_are() -> None:
    async def handler(peer: Peer) -> None:
        await peer.begin_stream()
        await peer.event("message_start", {"message_id": "m\ud83d", "user_message_id": 7})
        await peer.event("content", {"content": "a \ud83d"})
        await peer.event("new", {"words": "\ud83d"})
        await peer.event("error", {"content": "cut \ud83d", "message": "so \ud83d", "error_id": "e"})

    async with faulty(handler) as server, connect(server.account()) as service:
        started, piece, new, failed = [event async for event in service.chat(ChatRequest(content="x"))]
    assert (started.message_id, started.user_message_id) == ("m\ufffd", "7")
    assert piece.content == "a \ud83d"
    assert new.raw == {"words": "\ufffd"}
    assert isinstance(failed, StreamError)
    assert (failed.content, failed.raw["message"]) == ("cut \ufffd", "so \ufffd")


async def test_what_is_nested_without_end_is_no_foreign_exception() -> None:
    body = b'{"output": "\\ud83d", "more": ' + b"[" * 900 + b"]" * 900 + b"}"
    async with faulty(answering(body)) as server, connect(server.account(), limits=QUICK) as service:
        with suppress(ServiceError):
            await service.run_agent(AgentRequest(prompt="x"))


PASTED: dict[str, Verb] = {
    "library": lambda service: service.library(LibraryQuery(search="cut \ud83d", folder_paths="a/\ud83d")),
    "search": lambda service: service.search(SearchQuery(keyword="cut \ud83d")),
    "workflows": lambda service: service.workflows(WorkflowQuery(search="cut \ud83d")),
    "a run": lambda service: service.queue_run("g\ud83d", WorkflowRunRequest(run_id="cut \ud83d")),
    "an agent": lambda service: service.run_agent(AgentRequest(prompt="cut \ud83d", document_ids=("\ud83d",))),
    "a chat": send,
    "a link": lambda service: service.download("/files/\ud83d", Path("never")),
}


@pytest.mark.parametrize("verb", PASTED)
async def test_what_was_pasted_raises_nothing_foreign(verb: str) -> None:
    async with (
        faulty(answering(b'{"success": true, "data": {"run_id": "r"}}')) as server,
        connect(server.account(), limits=QUICK) as service,
    ):
        with suppress(ServiceError):
            await PASTED[verb](service)


async def test_a_folder_that_was_pasted_goes_along(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words")
    async with faulty(answering(b'{"data": []}')) as server, connect(server.account(), limits=QUICK) as service:
        await service.upload([tmp_path / "a.txt"], "cut \ud83d")
    assert b"cut ?" in server.seen[0].body


def test_what_a_person_asks_for_can_be_kept() -> None:
    prompt = AgentRequest(prompt="cut \ud83d", additional_metadata={"a\ud83d": ["\ud83d"]})
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("SELECT ?", (prompt.prompt,))
    assert prompt.model_dump_json()
    assert prompt.additional_metadata == {"a\ufffd": ["\ufffd"]}
