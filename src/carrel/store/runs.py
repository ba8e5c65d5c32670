"""Runs of agents: each is a row before the first byte leaves, and keeps how it ended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from carrel.model import AgentRequest, AgentResult
from carrel.model.failure import Failure, to_json
from carrel.store.db import Database

AgentState = Literal["running", "done", "failed", "timed-out", "cancelled", "interrupted"]


@dataclass(frozen=True, slots=True)
class AgentRun:
    """One run of an agent; times are seconds since the epoch. `documents` gives names by id."""

    id: str
    title: str
    request: AgentRequest
    started_at: float
    documents: Mapping[str, str] = field(default_factory=dict)
    state: AgentState = "running"
    ended_at: float | None = None
    result: AgentResult | None = None
    error: Failure | None = None


@dataclass(frozen=True, slots=True)
class AgentLine:
    """What the list shows of a run; `limit` is in seconds, `files` counts the generated ones."""

    id: str
    title: str
    state: AgentState
    started_at: float
    ended_at: float | None
    limit: int
    files: int


class AgentRuns:
    """The agent runs of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the runs of `account`."""
        self._db, self._account = db, account

    def lines(self, most: int = 500) -> list[AgentLine]:
        """The latest `most` runs, latest first, without their outputs."""
        rows = self._db.read(
            """SELECT id, title, state, started_at, ended_at,
            coalesce(json_extract(request, '$.timeout_seconds'), 600) AS "limit",
            coalesce(json_array_length(result, '$.generated_files'), 0) AS files
            FROM agent_runs WHERE account = ? ORDER BY started_at DESC, rowid DESC LIMIT ?""",
            (self._account, most),
        )
        return [AgentLine(**dict(row)) for row in rows]

    def run(self, run_id: str) -> AgentRun | None:
        """One run with all that is known of it."""
        row = self._db.row("SELECT * FROM agent_runs WHERE id = ? AND account = ?", (run_id, self._account))
        return _agent_run(row) if row else None

    async def add(self, run: AgentRun) -> None:
        """Write a run down before it is sent. Waits for the disk."""
        await self._db.execute(
            """INSERT INTO agent_runs (id, account, title, request, documents, state, started_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)""",
            (
                run.id,
                self._account,
                run.title,
                json.dumps(run.request.body()),
                json.dumps(dict(run.documents)),
                run.state,
                run.started_at,
            ),
            durable=True,
        )

    async def end(
        self,
        run_id: str,
        state: AgentState,
        at: float,
        result: AgentResult | None = None,
        error: Failure | None = None,
    ) -> bool:
        """Write how a run ended; the first end counts (False for a later one). Waits for the disk."""
        values = (state, at, to_json(result), to_json(error), run_id)
        return await self._db.write(
            lambda db: (
                db.execute(
                    """UPDATE agent_runs SET state = ?, ended_at = ?, result = ?, error = ?
                    WHERE id = ? AND state = 'running'""",
                    values,
                ).rowcount
                == 1
            ),
            durable=True,
        )

    async def recover(self) -> None:
        """Mark what a former session left running as interrupted; when it ended, nobody knows."""
        await self._db.execute(
            "UPDATE agent_runs SET state = 'interrupted' WHERE account = ? AND state = 'running'",
            (self._account,),
            durable=True,
        )


def _agent_run(row: sqlite3.Row) -> AgentRun:
    return AgentRun(
        id=row["id"],
        title=row["title"],
        request=AgentRequest.model_validate_json(row["request"]),
        started_at=row["started_at"],
        documents=json.loads(row["documents"]),
        state=row["state"],
        ended_at=row["ended_at"],
        result=AgentResult.model_validate_json(row["result"]) if row["result"] else None,
        error=Failure.from_json(row["error"]),
    )
