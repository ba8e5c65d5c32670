"""What the service sent while the disk refused it: shown out of memory, written once the disk takes it."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from carrel.model import AgentRequest, Workflow, WorkflowRunRequest
from carrel.paths import paths
from carrel.store import db as store
from carrel.store.db import StoreError
from carrel.work import writing as room
from carrel.work.session import Session
from carrel.work.tasks import Tasks
from carrel.work.writing import until_written
from faulty import Peer, faulty, routes
from sessions import on_disk, open_session, until

RUN = "POST /external/agents/run"
QUEUE = "POST /external/workflows/g-12/runs"
INTAKE = Workflow(group_id="g-12", workflow_id="w7", title="Contract intake", version=7, first_step_id="s")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, log_watch) -> None:
    monkeypatch.setattr(room, "FIRST", 0.02)
    monkeypatch.setattr(room, "LONGEST", 0.05)
    monkeypatch.setattr(store, "WAIT", 0.05)
    log_watch.expect("Another program holds it")


class Held:
    """A service that answers only once another program holds the database."""

    def __init__(self, home: Path, answer: dict[str, Any]) -> None:
        self._file, self._answer = paths(home).database, answer
        self._other: sqlite3.Connection | None = None

    async def __call__(self, peer: Peer) -> None:
        await peer.body()
        self._other = sqlite3.connect(self._file, isolation_level=None, check_same_thread=False)
        self._other.execute("BEGIN IMMEDIATE")
        await peer.json(self._answer)

    def let_go(self) -> None:
        assert self._other is not None
        self._other.close()


@contextmanager
def held(home: Path, answer: dict[str, Any]) -> Iterator[Held]:
    made = Held(home, answer)
    yield made
    made.let_go()


@asynccontextmanager
async def session_with(home: Path, path: str, answer: Held) -> AsyncIterator[Session]:
    async with faulty(routes({path: answer})) as server, open_session(home, server.account()) as session:
        yield session


async def test_an_agents_result_outlives_a_database_that_another_program_holds(tmp_path: Path) -> None:
    told = {"conversation_id": "c", "output": "half an hour of work", "generated_files": [], "success": True}
    with held(tmp_path, told) as other:
        async with session_with(tmp_path, RUN, other) as session:
            changed: list[str] = []
            run_id = await session.agents.run(AgentRequest(prompt="x"), {})
            session.agents.changed.connect(changed.append)
            await until(lambda: changed, "the refusal was met")
            run = session.agents.run_of(run_id)
            assert (run.state, run.result.output) == ("done", "half an hour of work")
            assert [line.state for line in session.agents.lines()] == ["done"]
            assert on_disk(tmp_path, "SELECT state FROM agent_runs") == [("running",)]
            other.let_go()
            await until(lambda: on_disk(tmp_path, "SELECT state FROM agent_runs") == [("done",)], "it is written")
            assert session.agents.run_of(run_id).result.output == "half an hour of work"


async def test_closing_the_session_does_not_wait_for_ever(tmp_path: Path) -> None:
    told = {"conversation_id": "c", "output": "lost", "generated_files": [], "success": True}
    with held(tmp_path, told) as other:
        async with session_with(tmp_path, RUN, other) as session:
            changed: list[str] = []
            await session.agents.run(AgentRequest(prompt="x"), {})
            session.agents.changed.connect(changed.append)
            await until(lambda: changed, "the refusal was met")
    assert on_disk(tmp_path, "SELECT state FROM agent_runs") == [("running",)]


async def test_a_queued_run_is_known_as_queued_meanwhile(tmp_path: Path) -> None:
    data = {"queue_id": "q", "status": "queued", "queue_status": "pending", "group_id": "g-12", "run_id": "mine"}
    with held(tmp_path, {"data": data | {"external_user": None}}) as other:
        async with session_with(tmp_path, QUEUE, other) as session:
            changed: list[str] = []
            await session.workflows.queue(INTAKE, WorkflowRunRequest(run_id="mine"))
            session.workflows.changed.connect(changed.append)
            await until(lambda: changed, "the refusal was met")
            assert session.workflows.run_of("mine").state == "queued"
            assert [run.state for run in session.workflows.runs("g-12")] == ["queued"]
            assert on_disk(tmp_path, "SELECT state FROM workflow_runs") == [("sending",)]
            other.let_go()
            await until(lambda: on_disk(tmp_path, "SELECT state FROM workflow_runs") == [("queued",)], "written")
            assert session.workflows.run_of("mine").answer.queue_id == "q"


async def test_as_all_ends_there_is_one_last_try() -> None:
    tasks, tried = Tasks(), []

    async def write() -> None:
        tried.append(1)
        raise StoreError("Another program holds it.")

    task = tasks.start("write", tasks.to_the_end(until_written(tasks, write)))
    await until(lambda: len(tried) > 1, "it is tried again")
    before = len(tried)
    await tasks.close()
    assert task.cancelled()
    assert len(tried) <= before + 2
