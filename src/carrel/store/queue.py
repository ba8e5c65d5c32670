"""Runs of workflows: each has an id of ours in a row before it is sent, and keeps what the service said of it."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Literal

from carrel.model import WorkflowRun, WorkflowRunRequest
from carrel.model.failure import Failure, to_json
from carrel.store.db import Database

QueueState = Literal["sending", "queued", "refused", "not-sent", "unconfirmed"]


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """One run of a workflow; `learned_at` is when the service last told `answer`."""

    run_id: str
    group_id: str
    title: str
    version: int | None
    request: WorkflowRunRequest
    created_at: float
    state: QueueState = "sending"
    answer: WorkflowRun | None = None
    error: Failure | None = None
    learned_at: float | None = None


class QueuedRuns:
    """The workflow runs of one account."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the runs of `account`."""
        self._db, self._account = db, account

    def of_group(self, group_id: str, most: int = 200) -> list[QueuedRun]:
        """The latest runs of a workflow, latest first."""
        rows = self._db.read(
            """SELECT * FROM workflow_runs WHERE account = ? AND group_id = ?
            ORDER BY created_at DESC, rowid DESC LIMIT ?""",
            (self._account, group_id, most),
        )
        return [_queued_run(row) for row in rows]

    def run(self, run_id: str) -> QueuedRun | None:
        """One run."""
        row = self._db.row("SELECT * FROM workflow_runs WHERE account = ? AND run_id = ?", (self._account, run_id))
        return _queued_run(row) if row else None

    async def add(self, run: QueuedRun) -> bool:
        """Write a run down before it is sent; False where its id is taken. Waits for the disk."""

        def work(db: sqlite3.Connection) -> bool:
            done = db.execute(
                """INSERT OR IGNORE INTO workflow_runs
                (account, run_id, group_id, title, version, request, state, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    self._account,
                    run.run_id,
                    run.group_id,
                    run.title,
                    run.version,
                    json.dumps(run.request.body()),
                    run.state,
                    run.created_at,
                ),
            )
            return done.rowcount == 1

        return await self._db.write(work, durable=True)

    async def set(
        self,
        run_id: str,
        state: QueueState,
        answer: WorkflowRun | None = None,
        error: Failure | None = None,
        at: float | None = None,
    ) -> None:
        """Write what is known of a run by now. Waits for the disk."""
        await self._db.execute(
            """UPDATE workflow_runs SET state = ?, answer = coalesce(?, answer), error = ?,
            learned_at = coalesce(?, learned_at) WHERE account = ? AND run_id = ?""",
            (state, to_json(answer), to_json(error), at, self._account, run_id),
            durable=True,
        )

    async def recover(self) -> None:
        """What was being sent when a former session ended may have arrived: sent, not confirmed."""
        await self._db.execute(
            "UPDATE workflow_runs SET state = 'unconfirmed' WHERE account = ? AND state = 'sending'",
            (self._account,),
            durable=True,
        )


def _queued_run(row: sqlite3.Row) -> QueuedRun:
    return QueuedRun(
        run_id=row["run_id"],
        group_id=row["group_id"],
        title=row["title"],
        version=row["version"],
        request=WorkflowRunRequest.model_validate_json(row["request"]),
        created_at=row["created_at"],
        state=row["state"],
        answer=WorkflowRun.model_validate_json(row["answer"]) if row["answer"] else None,
        error=Failure.from_json(row["error"]),
        learned_at=row["learned_at"],
    )
