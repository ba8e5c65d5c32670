"""An account that is opened while another is picked, or on a damaged home: nothing of it stays at work unseen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from carrel.api.budget import limiter_of
from carrel.model import Account
from carrel.paths import paths
from carrel.store.db import open_database
from carrel.store.settings import Settings
from carrel.work.agents import Agents
from carrel.work.session import Session
from carrel.work.tasks import Tasks
from sessions import open_session, until

NOWHERE = Account(base_url="http://127.0.0.1:9", client_id="client-one", api_key="key-number-one", secret="secret-one")


async def waiting_upload(home: Path) -> None:
    """Leave a file in the queue, as a session that was closed early does."""
    (home / "one.txt").write_text("x")
    async with open_session(home, NOWHERE) as session:
        session.uploads.hold("test")
        await session.uploads.add([home / "one.txt"])


@pytest.mark.parametrize("how", ["cancelled", "failed", "failed, then cancelled"])
async def test_what_did_not_open_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch, how: str
) -> None:
    await waiting_upload(tmp_path)
    reached = asyncio.Event()

    async def recover(_: Agents) -> None:
        reached.set()
        if how != "cancelled":
            raise ZeroDivisionError
        await asyncio.Event().wait()

    monkeypatch.setattr(Agents, "recover", recover)
    where = paths(tmp_path)
    db, _ = open_database(where.database, where.backups)
    session = Session("tester", NOWHERE, db, where, Settings)
    listening = len(limiter_of(NOWHERE)._listeners)
    tasks = Tasks()
    if how == "failed":
        log_watch.expect("task open failed")
    opening = tasks.start("open", session.open())
    try:
        await reached.wait()
        if how != "failed":
            tasks.cancel("open")
        await asyncio.wait([opening])
        await until(lambda: not session.tasks.keys(), "nothing of it is at work")
        assert session.tasks.is_closing
        assert len(limiter_of(NOWHERE)._listeners) == listening
    finally:
        await session.close()
        await db.close()
