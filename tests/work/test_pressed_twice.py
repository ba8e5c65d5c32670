"""A run that was written down is sent, also where whoever asked for it is gone by then."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from carrel.model import AgentRequest, Workflow, WorkflowRunRequest
from faulty import Peer, faulty, routes
from sessions import open_session, until

INTAKE = Workflow(group_id="g-12", workflow_id="w7", title="Contract intake", version=7, first_step_id="s")
RAN = {"conversation_id": "c", "output": "Done", "generated_files": [], "success": True}
QUEUED = {"queue_id": "q", "status": "queued", "queue_status": "pending", "group_id": "g-12", "run_id": "mine"}


async def service(peer: Peer) -> None:
    await peer.body()
    answer: Any = RAN if peer.seen.path.endswith("/agents/run") else {"data": QUEUED | {"external_user": None}}
    await peer.json(answer)


ROUTES = routes({"POST /external/agents/run": service, "POST /external/workflows/g-12/runs": service})


async def test_a_run_whose_press_was_followed_by_another_is_sent(tmp_path: Path) -> None:
    async with faulty(ROUTES) as server, open_session(tmp_path, server.account()) as session:
        for _ in range(2):
            session.tasks.start("press", session.agents.run(AgentRequest(prompt="x"), {}))
            await asyncio.sleep(0)
        await until(lambda: len(session.agents.lines()) == 2, "both are written")
        await until(lambda: {line.state for line in session.agents.lines()} == {"done"}, "both have run")


async def test_a_queued_run_whose_press_was_broken_off_is_sent(tmp_path: Path) -> None:
    async with faulty(ROUTES) as server, open_session(tmp_path, server.account()) as session:
        pressed = session.tasks.start("press", session.workflows.queue(INTAKE, WorkflowRunRequest(run_id="mine")))
        await asyncio.sleep(0)
        session.tasks.cancel("press")
        await asyncio.wait([pressed])
        await until(lambda: session.workflows.run_of("mine"), "it is written")
        await until(lambda: session.workflows.run_of("mine").state == "queued", "it is queued")
