"""What the store keeps of searches, agent runs, workflow runs and forms, and what it does not mix up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from carrel.model import (
    AgentRequest,
    AgentResult,
    GeneratedFile,
    SearchQuery,
    Workflow,
    WorkflowRun,
    WorkflowRunRequest,
)
from carrel.model.failure import Failure
from carrel.model.forms import Form, FormField, FormStep
from carrel.store.db import Database, open_database
from carrel.store.forms import Forms
from carrel.store.queue import QueuedRun, QueuedRuns
from carrel.store.runs import AgentRun, AgentRuns
from carrel.store.searches import KEPT, Searches


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    opened, _ = open_database(tmp_path / "carrel.sqlite", tmp_path / "backups")
    yield opened
    await opened.close()


def agent_run(run_id: str, at: float) -> AgentRun:
    request = AgentRequest(prompt=f"Prompt of {run_id}", document_ids=("d1",), timeout_seconds=900)
    return AgentRun(run_id, f"Title of {run_id}", request, at, {"d1": "lease.pdf"})


def queued_run(run_id: str, group_id: str = "g", at: float = 1.0) -> QueuedRun:
    return QueuedRun(run_id, group_id, "Intake", 7, WorkflowRunRequest(run_id=run_id, executor_timezone=60), at)


async def test_recent_queries_come_latest_first_with_their_options(db: Database) -> None:
    searches = Searches(db, "a")
    await searches.remember(SearchQuery(keyword="freight"), 1)
    await searches.remember(SearchQuery(keyword="notice period", limit=5, types=("file",)), 2)
    await searches.remember(SearchQuery(keyword=" freight ", group_by_file=True), 3)
    await Searches(db, "b").remember(SearchQuery(keyword="not mine"), 4)
    recent = searches.recent()
    assert [q.keyword for q in recent] == [" freight ", "notice period"]
    assert recent[0].group_by_file
    assert recent[1].types == ("file",)
    await searches.forget("freight")
    assert [q.keyword for q in searches.recent()] == ["notice period"]
    await searches.forget()
    assert searches.recent() == []
    assert len(Searches(db, "b").recent()) == 1


async def test_only_so_many_queries_are_remembered(db: Database) -> None:
    searches = Searches(db, "a")
    for number in range(KEPT + 5):
        await searches.remember(SearchQuery(keyword=f"query {number}"), number)
    kept = searches.recent(1000)
    assert len(kept) == KEPT
    assert kept[-1].keyword == "query 5"


async def test_places_are_those_of_the_same_account(db: Database) -> None:
    row = "INSERT INTO files (account, id, file_name, folder, file, seen_at) VALUES (?, ?, ?, ?, '{}', 0)"
    await db.execute(row, ("a", "f1", "lease.pdf", "Contracts/Property"))
    await db.execute(row, ("b", "f2", "other.pdf", ""))
    places = Searches(db, "a").places(["f1", "f2", "f3", "f1"])
    assert set(places) == {"f1"}
    assert (places["f1"].name, places["f1"].folder) == ("lease.pdf", "Contracts/Property")


async def test_an_agent_run_keeps_request_and_end(db: Database) -> None:
    runs = AgentRuns(db, "a")
    await runs.add(agent_run("r1", 1))
    await runs.add(agent_run("r2", 2))
    result = AgentResult(output="# Done", generated_files=(GeneratedFile(url="u", filename="a.pdf", size=3),))
    assert await runs.end("r1", "done", 9, result)
    held = runs.run("r1")
    assert held is not None
    assert (held.state, held.ended_at, held.result, held.documents) == ("done", 9, result, {"d1": "lease.pdf"})
    assert held.request == agent_run("r1", 1).request
    lines = runs.lines()
    assert [(line.id, line.state, line.files, line.limit) for line in lines] == [
        ("r2", "running", 0, 900),
        ("r1", "done", 1, 900),
    ]
    assert AgentRuns(db, "b").run("r1") is None
    assert AgentRuns(db, "b").lines() == []


async def test_the_first_end_of_a_run_counts(db: Database) -> None:
    runs = AgentRuns(db, "a")
    await runs.add(agent_run("r1", 1))
    assert await runs.end("r1", "cancelled", 2)
    assert not await runs.end("r1", "interrupted", 3)
    assert runs.run("r1").state == "cancelled"


async def test_what_ran_when_carrel_ended_is_interrupted(db: Database) -> None:
    for account in ("a", "b"):
        await AgentRuns(db, account).add(agent_run(f"r-{account}", 1))
    await AgentRuns(db, "a").recover()
    assert AgentRuns(db, "a").run("r-a").state == "interrupted"
    assert AgentRuns(db, "b").run("r-b").state == "running"


async def test_a_run_id_is_taken_once_for_each_account(db: Database) -> None:
    mine, yours = QueuedRuns(db, "a"), QueuedRuns(db, "b")
    assert await mine.add(queued_run("nightly"))
    assert not await mine.add(queued_run("nightly", "another"))
    assert await yours.add(queued_run("nightly"))
    assert mine.run("nightly").group_id == "g"


async def test_a_queued_run_keeps_the_last_answer_through_a_failure(db: Database) -> None:
    runs = QueuedRuns(db, "a")
    await runs.add(queued_run("r1"))
    answer = WorkflowRun.model_validate(
        {"run_id": "r1", "status": "queued", "queue_status": "pending", "result_file_id": "f"}
    )
    await runs.set("r1", "queued", answer, at=5)
    await runs.set("r1", "unconfirmed", error=Failure(title="Gone", sent="perhaps"))
    held = runs.run("r1")
    assert (held.state, held.answer, held.learned_at) == ("unconfirmed", answer, 5)
    assert held.error == Failure(title="Gone", sent="perhaps")
    assert held.answer.model_extra == {"result_file_id": "f"}


async def test_what_was_being_sent_is_not_confirmed_after_a_restart(db: Database) -> None:
    runs = QueuedRuns(db, "a")
    await runs.add(queued_run("r1"))
    await runs.add(queued_run("r2"))
    await runs.set("r2", "refused", error=Failure(title="No"))
    await runs.recover()
    assert {r.run_id: r.state for r in runs.of_group("g")} == {"r1": "unconfirmed", "r2": "refused"}


async def test_a_form_is_kept_with_what_its_workflow_was(db: Database) -> None:
    forms = Forms(db, "a")
    form = Form(steps=(FormStep(id="s", fields=(FormField(name="x", kind="number", text="1"),)),), zone="Europe/Berlin")
    workflow = Workflow(group_id="g", workflow_id="w7", version=7, first_step_id="s")
    await forms.keep(workflow, Form(), 1)
    await forms.keep(workflow, form, 2)
    kept = forms.form("g")
    assert (kept.form, kept.version, kept.workflow_id, kept.first_step_id) == (form, 7, "w7", "s")
    assert forms.form("other") is None
    assert Forms(db, "b").form("g") is None


async def test_a_form_that_cannot_be_read_counts_as_none(db: Database) -> None:
    forms = Forms(db, "a")
    await forms.keep(Workflow(group_id="g"), Form(), 1)
    await db.execute("""UPDATE workflow_forms SET form = '{"steps": 3}'""")
    assert forms.form("g") is None
