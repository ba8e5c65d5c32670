"""The account's lock on redaction holds for agents too, and what is kept of a run says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from carrel.model import AgentRequest
from carrel.store.settings import Settings
from faulty import Peer, faulty, routes
from sessions import open_session, until


async def answer(peer: Peer) -> None:
    await peer.json({"output": "done", "success": True})


@pytest.mark.parametrize("locked", [False, True])
async def test_a_lock_on_the_account_redacts_every_run(tmp_path: Path, locked: bool) -> None:
    settings = Settings(always_redact=("tester",) if locked else ("another",))
    async with (
        faulty(routes({"POST /external/agents/run": answer})) as server,
        open_session(tmp_path, server.account(), settings=lambda: settings) as session,
    ):
        request = AgentRequest(prompt="x", additional_metadata={"audience": "board", "redact_pii": False})
        run_id = await session.agents.run(request, {})
        await until(lambda: session.agents.run_of(run_id).state == "done", "the run ended")
        told = {"audience": "board", "redact_pii": locked}
        assert server.seen[0].json()["additional_metadata"] == told
        assert session.agents.run_of(run_id).request.additional_metadata == told
