"""No run stays open for ever: what a service says strangely is kept, and a bug of ours ends the run and is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from carrel.model import AgentRequest, Workflow, WorkflowRunRequest
from carrel.work.session import Session
from faulty import Peer, faulty, routes
from sessions import on_disk, open_session, until

RUN = "POST /external/agents/run"
WORKFLOW = Workflow(group_id="g", title="Intake")


def failures(session: Session) -> list[BaseException]:
    told: list[BaseException] = []
    session.tasks.failed.connect(lambda _, error: told.append(error))
    return told


async def never(peer: Peer) -> None:
    raise AssertionError("nothing is sent")


async def breaks(*_: object) -> Any:
    raise ZeroDivisionError


async def test_a_result_with_half_a_character_is_kept(tmp_path: Path) -> None:
    async def answer(peer: Peer) -> None:
        await peer.answer(b'{"output": "half an hour of work, cut here \\ud83d", "success": true}')

    async with faulty(routes({RUN: answer})) as server, open_session(tmp_path, server.account()) as session:
        told = failures(session)
        run_id = await session.agents.run(AgentRequest(prompt="Compare \ud83d"), {})
        await until(lambda: session.agents.run_of(run_id).state != "running", "the run ended")
        run = session.agents.run_of(run_id)
        assert (run.state, run.result.output) == ("done", "half an hour of work, cut here \ufffd")
    assert told == []
    [(title, state, result)] = on_disk(tmp_path, "SELECT title, state, result FROM agent_runs")
    assert (title, state) == ("Compare \ufffd", "done")
    assert "cut here" in result


@pytest.mark.parametrize("item", [b'"file_name": "cut \\ud83d.pdf"', b'"file_name": "b.pdf", "summary": "\\ud83d"'])
async def test_a_library_with_half_a_character_is_listed(tmp_path: Path, item: bytes) -> None:
    async def answer(peer: Peer) -> None:
        page = b'{"total_items": 2, "page": 1, "total_pages": 1, "items": [{"id": "1"}, {"id": "2", %s}]}'
        await peer.answer(page % item)

    listing = routes({"GET /external/libraries": answer})
    async with faulty(listing) as server, open_session(tmp_path, server.account()) as session:
        await session.library.walk()
        assert len(session.library.catalog) == 2


async def test_a_bug_of_ours_interrupts_an_agents_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch
) -> None:
    log_watch.expect("failed")
    async with faulty(never) as server, open_session(tmp_path, server.account()) as session:
        told = failures(session)
        monkeypatch.setattr(session.context.service, "run_agent", breaks)
        run_id = await session.agents.run(AgentRequest(prompt="x"), {})
        await until(lambda: told, "the bug is told")
        assert session.agents.run_of(run_id).state == "interrupted"
        assert isinstance(told[0], ZeroDivisionError)
    assert on_disk(tmp_path, "SELECT state FROM agent_runs") == [("interrupted",)]


async def test_a_bug_of_ours_leaves_a_workflow_run_not_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch
) -> None:
    log_watch.expect("failed")
    async with faulty(never) as server, open_session(tmp_path, server.account()) as session:
        told = failures(session)
        monkeypatch.setattr(session.context.service, "queue_run", breaks)
        run_id = await session.workflows.queue(WORKFLOW, WorkflowRunRequest())
        await until(lambda: told, "the bug is told")
        assert session.workflows.run_of(run_id).state == "unconfirmed"
        assert isinstance(told[0], ZeroDivisionError)
    assert on_disk(tmp_path, "SELECT state FROM workflow_runs") == [("unconfirmed",)]


async def test_a_result_that_cannot_be_written_is_still_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch
) -> None:
    log_watch.expect("failed")

    async def answer(peer: Peer) -> None:
        await peer.json({"output": "a long work", "success": True})

    async with faulty(routes({RUN: answer})) as server, open_session(tmp_path, server.account()) as session:
        told = failures(session)
        ended: list[str] = []
        session.agents.ended.connect(lambda run: ended.append(run.state))
        monkeypatch.setattr(session.agents._store, "end", breaks)
        run_id = await session.agents.run(AgentRequest(prompt="x"), {})
        await until(lambda: told and ended, "the bug is told")
        assert session.agents.run_of(run_id).result.output == "a long work"
        assert [line.state for line in session.agents.lines()] == ended == ["done"]
