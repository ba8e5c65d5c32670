"""What is said stays: over a closed stream, a restart, a kill in the middle of a reply or of a run."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from answer_documents import FILES
from running import RunningService, built_in_service, upload, wait_indexed, wait_until
from streamed import chat, events

SLOW = ("--pace", "8", "--rate-limit", "10000")
QUICK = ("--pace", "0", "--rate-limit", "10000")
QUESTION = "What do the quotes say about housings, freight and delivery?"


def rows(data: Path, query: str, *values: str) -> list[tuple[Any, ...]]:
    db = sqlite3.connect(data / "service.sqlite")
    try:
        return db.execute(query, values).fetchall()
    finally:
        db.close()


def reply(data: Path, conversation_id: str) -> tuple[str, str]:
    """State and text of the conversation's last reply, read from the file itself."""
    query = "SELECT state, text FROM messages WHERE conversation_id = ? AND sender = 'ai' ORDER BY number DESC"
    return rows(data, query, conversation_id)[0]


def begin(service: RunningService, words: int) -> tuple[str, str, httpx.Client, Any]:
    """A stream that is read for some words and left open: conversation, text so far, and what holds it open."""
    client = service.client()
    stream = client.stream("POST", "/external/conversations", json={"content": QUESTION})
    response = stream.__enter__()
    conversation_id, text, count = "", "", 0
    for name, payload in events(response):
        conversation_id = payload.get("conversation_id", conversation_id)
        if name == "content":
            text, count = text + payload["content"], count + 1
        if count == words:
            break
    return conversation_id, text, client, stream


def prepared(service: RunningService) -> None:
    with service.client() as client:
        upload(client, FILES)
        wait_indexed(client)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("durable")
    with built_in_service(folder, *QUICK) as service:
        prepared(service)
    return folder


def test_a_closed_stream_ends_the_work_and_keeps_what_was_said(data: Path) -> None:
    with built_in_service(data, *SLOW) as service:
        conversation_id, text, client, stream = begin(service, 5)
        stream.__exit__(None, None, None)
        client.close()
        wait_until(lambda: reply(data, conversation_id)[0] == "stopped", "the reply to be stopped")
        kept = reply(data, conversation_id)[1]
        assert kept.startswith(text)
        time.sleep(1)
        assert reply(data, conversation_id)[1] == kept  # nobody goes on writing


def test_a_killed_service_keeps_the_question_and_the_reply_so_far(data: Path) -> None:
    with built_in_service(data, *SLOW) as service:
        conversation_id, text, client, _ = begin(service, 10)
        wait_until(lambda: len(reply(data, conversation_id)[1]) >= len(text) - 20, "the reply to be written down")
        service.kill()
        client.close()
    with built_in_service(data, *QUICK) as service, service.client() as client:
        state, kept = reply(data, conversation_id)
        assert state == "stopped"
        assert kept
        assert rows(data, "SELECT text FROM messages WHERE conversation_id = ?", conversation_id)[0] == (QUESTION,)
        assert "nine weeks" in chat(client, "And Brill's delivery?", conversation_id).text()


def test_a_service_that_is_ended_keeps_the_reply_so_far(data: Path) -> None:
    with built_in_service(data, *SLOW) as service:
        conversation_id, text, client, _ = begin(service, 5)
        assert service.stop() == 0
        client.close()
    state, kept = reply(data, conversation_id)
    assert state == "stopped"
    assert kept.startswith(text)


def test_what_was_done_is_all_there_after_a_kill_at_once(data: Path) -> None:
    for _ in range(5):
        with built_in_service(data, *QUICK) as service, service.client() as client:
            told = chat(client, QUESTION)
            service.kill()
        assert reply(data, told.conversation_id) == ("done", told.text())


def test_a_conversation_and_its_tokens_go_on_after_a_restart(data: Path) -> None:
    metadata = {"redact_pii": True}
    with built_in_service(data, *QUICK) as service, service.client() as client:
        first = chat(client, "Which company card expires?", additional_metadata=metadata)
    with built_in_service(data, *QUICK) as service, service.client() as client:
        second = chat(client, "Which company card expires?", first.conversation_id, additional_metadata=metadata)
    assert "[CARD_1]" in first.text()
    assert "[CARD_1]" in second.text()
    stored = rows(data, "SELECT text FROM messages WHERE conversation_id = ?", first.conversation_id)
    assert "4111 1111" not in str(stored)


def test_queued_runs_are_all_done_after_kills(data: Path) -> None:
    queued: list[str] = []
    for _ in range(4):
        with built_in_service(data, *QUICK) as service, service.client() as client:
            for _ in range(3):
                answer = client.post("/external/workflows/folder-digest/runs", json={})
                queued.append(answer.json()["data"]["run_id"])
            service.kill()
    with built_in_service(data, *QUICK) as service, service.client() as client:
        for run_id in queued:
            path = f"/external/workflows/folder-digest/runs/{run_id}"
            wait_until(lambda path=path: client.get(path).json()["data"]["status"] == "completed", "the run's end")
        wait_indexed(client)
        items = client.get("/external/libraries", params={"folder_paths": "Workflow results", "page_size": 100}).json()
        assert len(items["items"]) == len(queued)  # each result once


def test_generated_files_are_served_after_a_restart(data: Path) -> None:
    with built_in_service(data, *QUICK) as service, service.client() as client:
        result = client.post("/external/agents/run", json={"prompt": "What is the annual rent?"}).json()
        path = httpx.URL(result["generated_files"][0]["url"]).path
        content = client.get(path).content
    with built_in_service(data, *QUICK) as service, service.client() as client:
        assert client.get(path).content == content
