"""Agent runs over a real socket: written before they are sent, ended in every way, never sent twice."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from carrel.model import AgentRequest
from carrel.store.runs import AgentRun
from carrel.work.agents import title_of
from faulty import Peer, faulty, routes
from sessions import on_disk, open_session, until

RUN = "POST /external/agents/run"
DONE = {
    "conversation_id": "c1",
    "output": "# Acme is cheaper",
    "generated_files": [{"url": "/files/1", "filename": "comparison.pdf", "size": 5}],
    "success": True,
    "error": None,
}


def answering(body: Any, status: int = 200) -> Any:
    async def answer(peer: Peer) -> None:
        await peer.json(body, status)

    return answer


async def hanging(peer: Peer) -> None:
    await peer.body()
    await peer.gone()


def kept(home: Path) -> dict[str, str]:
    """Run states as they lie on the disk."""
    return dict(on_disk(home, "SELECT title, state FROM agent_runs"))


async def test_a_run_is_on_disk_before_its_first_byte_leaves(tmp_path: Path) -> None:
    seen: list[dict[str, str]] = []

    async def look(peer: Peer) -> None:
        seen.append(kept(tmp_path))
        await peer.json(DONE)

    async with faulty(routes({RUN: look})) as server, open_session(tmp_path, server.account()) as session:
        ended: list[AgentRun] = []
        session.agents.ended.connect(ended.append)
        request = AgentRequest(prompt="Compare", document_ids=("d1",), additional_metadata={"redact_pii": True})
        run_id = await session.agents.run(request, {"d1": "quote.docx"})
        await until(lambda: ended, "the run ended")
        assert seen == [{"Compare": "running"}]
        run = session.agents.run_of(run_id)
        assert run.state == "done"
        assert run.result.generated_files[0].filename == "comparison.pdf"
        assert run.documents == {"d1": "quote.docx"}
        assert server.seen[0].json() == request.body()


@pytest.mark.parametrize(
    ("status", "body", "state", "words"),
    [
        (408, {"error": "timeout", "message": "the run took longer than its 2 seconds"}, "timed-out", "longer than"),
        (400, {"error": "invalid_model", "message": "no such model"}, "failed", "no such model"),
        (403, {"error": "invalid_credentials", "message": "who are you"}, "failed", "who are you"),
        (500, {"error": "internal_error", "message": "broke"}, "failed", "broke"),
    ],
)
async def test_a_refusal_ends_the_run_with_the_services_words(
    tmp_path: Path, status: int, body: dict[str, str], state: str, words: str
) -> None:
    async with (
        faulty(routes({RUN: answering(body, status)})) as server,
        open_session(tmp_path, server.account()) as session,
    ):
        run_id = await session.agents.run(AgentRequest(prompt="x", timeout_seconds=2), {})
        await until(lambda: session.agents.run_of(run_id).state != "running", "the run ended")
        run = session.agents.run_of(run_id)
        assert run.state == state
        assert words in run.error.message
        assert len(server.asked("/external/agents/run")) == 1


async def test_a_run_without_success_keeps_output_and_reason(tmp_path: Path) -> None:
    body = DONE | {"success": False, "error": "the model could not go on"}
    async with faulty(routes({RUN: answering(body)})) as server, open_session(tmp_path, server.account()) as session:
        run_id = await session.agents.run(AgentRequest(prompt="x"), {})
        await until(lambda: session.agents.run_of(run_id).state != "running", "the run ended")
        run = session.agents.run_of(run_id)
        assert (run.state, run.error, run.result.error) == ("failed", None, "the model could not go on")
        assert run.result.output


async def test_cancelling_ends_the_wait_and_counts_as_cancelled(tmp_path: Path) -> None:
    async with faulty(routes({RUN: hanging})) as server, open_session(tmp_path, server.account()) as session:
        ended: list[AgentRun] = []
        session.agents.ended.connect(ended.append)
        run_id = await session.agents.run(AgentRequest(prompt="x"), {})
        await until(lambda: server.seen, "the request came")
        await session.agents.cancel(run_id)
        await until(lambda: server.open == 0, "the connection is closed")
        await asyncio.sleep(0.05)
        assert session.agents.run_of(run_id).state == "cancelled"
        assert [run.state for run in ended] == ["cancelled"]


async def test_several_run_at_once_and_closing_interrupts_them(tmp_path: Path) -> None:
    async with faulty(routes({RUN: hanging})) as server:
        async with open_session(tmp_path, server.account()) as session:
            for prompt in ("one", "two", "three"):
                await session.agents.run(AgentRequest(prompt=prompt), {})
            await until(lambda: server.open == 3, "three requests are open at once")
        assert kept(tmp_path) == {"one": "interrupted", "two": "interrupted", "three": "interrupted"}
        async with open_session(tmp_path, server.account()) as session:
            assert {line.state for line in session.agents.lines()} == {"interrupted"}
            await asyncio.sleep(0.05)
        assert len(server.seen) == 3


async def test_generated_files_are_fetched_once_and_known_by_their_run(tmp_path: Path) -> None:
    async def file(peer: Peer) -> None:
        await peer.answer(b"12345", content_type="application/pdf")

    table = {RUN: answering(DONE), "GET /files/1": file}
    async with faulty(routes(table)) as server, open_session(tmp_path, server.account()) as session:
        run_id = await session.agents.run(AgentRequest(prompt="x"), {})
        await until(lambda: session.agents.run_of(run_id).state == "done", "the run ended")
        await session.agents.fetch_all(run_id)
        await session.agents.fetch_all(run_id)
        rows = lambda: session.agents.transfers(run_id)  # noqa: E731
        await until(lambda: rows()["/files/1"].state == "done", "the file is saved")
        assert [f.read_bytes() for f in (tmp_path / "downloads").iterdir()] == [b"12345"]
        assert len(server.asked("/files/1")) == 1


def test_a_title_is_the_first_words_of_the_prompt() -> None:
    assert title_of("  Summarise\nthe minutes ") == "Summarise the minutes"
    long = title_of("word " * 40)
    assert long.endswith("word…")
    assert len(long) <= 60
    assert json.dumps(title_of("x" * 200))
