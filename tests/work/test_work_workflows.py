"""Workflow runs over a real socket: our own id first, refused, lost, tried again with the same id, asked about."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from carrel.model import Workflow, WorkflowQuery, WorkflowRunRequest
from carrel.model.forms import Form, FormFile, FormStep
from carrel.work.workflows import RunIdTaken, has_ended
from faulty import Peer, faulty, routes
from running import built_in_service
from sessions import account_of, on_disk, open_session, until

INTAKE = Workflow(group_id="g-12", workflow_id="w7", title="Contract intake", version=7, first_step_id="s")
QUEUE = "POST /external/workflows/g-12/runs"


async def queued(peer: Peer) -> None:
    await peer.body()
    told = {"queue_id": "q1", "status": "queued", "queue_status": "pending", "group_id": "g-12", "external_user": None}
    await peer.json({"data": told | {"run_id": peer.seen.json()["run_id"]}})


def refusing(status: int, message: str) -> Any:
    async def answer(peer: Peer) -> None:
        await peer.json({"error": "not_found", "message": message}, status)

    return answer


def state_of(session: Any, run_id: str) -> str:
    return session.workflows.run_of(run_id).state


async def test_the_run_id_is_ours_and_on_disk_before_it_is_sent(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    async def look(peer: Peer) -> None:
        rows = on_disk(tmp_path, "SELECT run_id FROM workflow_runs WHERE state = 'sending'")
        seen.append([run_id for (run_id,) in rows])
        await queued(peer)

    async with faulty(routes({QUEUE: look})) as server, open_session(tmp_path, server.account()) as session:
        run_id = await session.workflows.queue(INTAKE, WorkflowRunRequest(executor_timezone=60))
        await until(lambda: state_of(session, run_id) == "queued", "queued")
        assert seen == [[run_id]]
        run = session.workflows.run_of(run_id)
        assert (run.answer.status, run.answer.queue_status, run.version) == ("queued", "pending", 7)
        assert run.learned_at is not None
        assert server.seen[0].json() == {"run_id": run_id, "executor_timezone": 60}


async def test_an_id_of_ones_own_is_used_once(tmp_path: Path) -> None:
    async with faulty(routes({QUEUE: queued})) as server, open_session(tmp_path, server.account()) as session:
        request = WorkflowRunRequest(run_id="nightly-0412")
        assert await session.workflows.queue(INTAKE, request) == "nightly-0412"
        with pytest.raises(RunIdTaken):
            await session.workflows.queue(INTAKE, request)
        await until(lambda: state_of(session, "nightly-0412") == "queued", "queued")
        assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("status", "message"), [(404, "no active published workflow found"), (400, "bad input"), (403, "denied")]
)
async def test_a_refused_run_keeps_the_services_words(tmp_path: Path, status: int, message: str) -> None:
    async with (
        faulty(routes({QUEUE: refusing(status, message)})) as server,
        open_session(tmp_path, server.account()) as session,
    ):
        run_id = await session.workflows.queue(INTAKE, WorkflowRunRequest())
        await until(lambda: state_of(session, run_id) == "refused", "refused", 10)
        error = session.workflows.run_of(run_id).error
        assert (error.status, error.message) == (status, message)
        assert len(server.seen) == 1


async def test_a_lost_reply_is_not_confirmed_and_tried_again_with_the_same_id(tmp_path: Path) -> None:
    answers = [lost, queued]

    async def next_one(peer: Peer) -> None:
        await answers.pop(0)(peer)

    async with faulty(routes({QUEUE: next_one})) as server, open_session(tmp_path, server.account()) as session:
        run_id = await session.workflows.queue(INTAKE, WorkflowRunRequest())
        await until(lambda: state_of(session, run_id) == "unconfirmed", "not confirmed")
        await asyncio.sleep(0.1)
        assert len(server.seen) == 1, "nothing is sent again by itself"
        await session.workflows.send_again(run_id)
        await until(lambda: state_of(session, run_id) == "queued", "queued in the end")
        assert [seen.json()["run_id"] for seen in server.seen] == [run_id, run_id]
        await session.workflows.send_again(run_id)
        assert len(server.seen) == 2, "a queued run is not sent again"


async def lost(peer: Peer) -> None:
    await peer.body()
    peer.reset()


async def test_a_run_that_never_left_says_so(tmp_path: Path) -> None:
    async with faulty(routes({})) as server:
        account = server.account()
    async with open_session(tmp_path, account) as session:
        run_id = await session.workflows.queue(INTAKE, WorkflowRunRequest())
        await until(lambda: state_of(session, run_id) == "not-sent", "not sent")
        assert session.workflows.run_of(run_id).error.sent == "no"


async def test_closing_while_sending_leaves_it_not_confirmed(tmp_path: Path) -> None:
    async def hang(peer: Peer) -> None:
        await peer.body()
        await peer.gone()

    async with faulty(routes({QUEUE: hang})) as server:
        async with open_session(tmp_path, server.account()) as session:
            run_id = await session.workflows.queue(INTAKE, WorkflowRunRequest())
            await until(lambda: server.seen, "the request came")
        async with open_session(tmp_path, server.account()) as session:
            assert state_of(session, run_id) == "unconfirmed"


async def test_a_list_that_is_paged_otherwise_is_told(tmp_path: Path) -> None:
    async def listing(peer: Peer) -> None:
        told = {"current_page": 1, "page_size": 20, "total_items": 2, "total_pages": 1}
        await peer.json({"data": [{"group_id": "g-1", "title": "One"}], "pagination": told})

    async with (
        faulty(routes({"GET /external/workflows": listing})) as server,
        open_session(tmp_path, server.account(use_reference=False)) as session,
    ):
        page, ignored = await session.workflows.page(WorkflowQuery(page=3))
        assert ignored
        assert page.data[0].title == "One"


async def test_a_form_is_remembered_for_its_workflow(tmp_path: Path) -> None:
    async with faulty(routes({})) as server, open_session(tmp_path, server.account()) as session:
        form = Form(
            steps=(FormStep(id="s", files=(FormFile(url="https://elsewhere.example/a.pdf"), FormFile(url="a"))),)
        )
        await session.workflows.keep_form(INTAKE, form)
        assert session.workflows.form("g-12").form == form


async def test_statuses_are_asked_for_where_the_service_names_a_way(tmp_path: Path) -> None:
    with built_in_service(tmp_path / "service", "--pace", "0") as service:
        async with open_session(tmp_path, account_of(service)) as session:
            workflows = session.workflows
            assert not workflows.tells_status
            await workflows.learn()
            assert workflows.tells_status
            page, ignored = await workflows.page(WorkflowQuery(page=1, search="digest"))
            assert not ignored
            digest = page.data[0]
            run_id = await workflows.queue(digest, WorkflowRunRequest())
            await until(lambda: state_of(session, run_id) == "queued", "queued")
            for _ in range(300):
                await workflows.refresh(digest.group_id)
                if has_ended(workflows.run_of(run_id)):
                    break
                await asyncio.sleep(0.1)
            assert workflows.run_of(run_id).answer.status in {"completed", "failed"}
            asked = len(session.activity.exchanges)
            await workflows.refresh(digest.group_id)
            assert len(session.activity.exchanges) == asked, "a run that has ended is not asked about"


async def test_the_earlier_interface_has_none(tmp_path: Path) -> None:
    async with (
        faulty(routes({})) as server,
        open_session(tmp_path, server.account(generation="earlier")) as session,
    ):
        assert not session.workflows.is_supported
        assert not session.agents.is_supported
        assert not session.search.has_options
