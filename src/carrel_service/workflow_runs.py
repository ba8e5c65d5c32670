"""Keeps workflow runs: queued before they are answered, and each finished step before the next begins."""

import json
import sqlite3
import uuid
from dataclasses import dataclass
from typing import Any

from .conversation_store import now
from .db import Database, named
from .workflow_definitions import Definition

SCHEMA = """
CREATE TABLE workflow_runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL UNIQUE,
    queue_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    queue_status TEXT NOT NULL,
    current_step_id TEXT NOT NULL,
    steps_done TEXT NOT NULL DEFAULT '{}',
    inputs TEXT NOT NULL,
    external_user TEXT,
    executor_timezone INTEGER NOT NULL,
    error TEXT,
    result_file_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
"""


@dataclass(frozen=True)
class Run:
    """One run; `values` holds what each finished step gave, by step id; `executor_timezone` in minutes."""

    run_id: str
    queue_id: str
    group_id: str
    workflow_id: str
    title: str
    status: str
    queue_status: str
    current_step_id: str
    values: dict[str, Any]
    inputs: dict[str, Any]
    external_user: dict[str, Any] | None
    executor_timezone: int
    error: str | None
    result_file_id: str | None
    created_at: str
    updated_at: str

    @property
    def queued(self) -> dict[str, Any]:
        """The fields of the document's Workflow run."""
        return {
            "run_id": self.run_id,
            "queue_id": self.queue_id,
            "status": self.status,
            "queue_status": self.queue_status,
            "group_id": self.group_id,
            "workflow_id": self.workflow_id,
            "current_step_id": self.current_step_id,
            "external_user": self.external_user,
        }


class Runs:
    """All reads and writes of runs; each write is on disk when it returns."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(
        self,
        definition: Definition,
        run_id: str | None,
        inputs: dict[str, Any],
        external_user: dict[str, Any] | None,
        executor_timezone: int,
    ) -> Run:
        """Queue a run. Raises sqlite3.IntegrityError when the run id is taken."""
        made, moment = run_id or uuid.uuid4().hex, now()
        with self._db.write() as db:
            db.execute(
                "INSERT INTO workflow_runs (run_id, queue_id, group_id, workflow_id, title, status, queue_status,"
                " current_step_id, inputs, external_user, executor_timezone, created_at, updated_at)"
                " VALUES (?, ?, ?, ?, ?, 'queued', 'pending', ?, ?, ?, ?, ?, ?)",
                (
                    made,
                    uuid.uuid4().hex,
                    definition.group_id,
                    definition.workflow_id,
                    definition.title,
                    definition.steps[0].id,
                    json.dumps(inputs),
                    None if external_user is None else json.dumps(external_user),
                    executor_timezone,
                    moment,
                    moment,
                ),
            )
        run = self.get(made)
        if run is None:
            raise LookupError(made)
        return run

    def get(self, run_id: str) -> Run | None:
        """The run, or None."""
        with self._db.read() as db:
            row = db.execute("SELECT * FROM workflow_runs WHERE run_id = ?", (run_id,)).fetchone()
        return row and _run(row)

    def unfinished(self) -> list[Run]:
        """The runs that a start of the service must go on with, oldest first."""
        with self._db.read() as db:
            rows = db.execute(
                "SELECT * FROM workflow_runs WHERE status IN ('queued', 'running') ORDER BY number"
            ).fetchall()
        return [_run(row) for row in rows]

    def begin(self, run_id: str, step_id: str) -> None:
        """A step begins."""
        self._set(run_id, status="running", queue_status="processing", current_step_id=step_id)

    def step_done(self, run_id: str, values: dict[str, Any]) -> None:
        """A step has ended; `values` are those of all steps so far."""
        self._set(run_id, steps_done=json.dumps(values))

    def complete(self, run_id: str, result_file_id: str | None) -> None:
        """The run has ended well."""
        self._set(run_id, status="completed", queue_status="done", result_file_id=result_file_id)

    def fail(self, run_id: str, error: str) -> None:
        """The run has ended at `error`, a sentence for a person."""
        self._set(run_id, status="failed", queue_status="failed", error=error)

    def _set(self, run_id: str, **columns: str | None) -> None:
        names = ", ".join(f"{name} = ?" for name in columns)
        with self._db.write() as db:
            db.execute(
                f"UPDATE workflow_runs SET {names}, updated_at = ? WHERE run_id = ?",
                (*columns.values(), now(), run_id),
            )


def _run(row: sqlite3.Row) -> Run:
    inputs, external_user = (row[name] and json.loads(row[name]) for name in ("inputs", "external_user"))
    held = named(row, Run) | {"inputs": inputs, "external_user": external_user}
    return Run(**held, values=json.loads(row["steps_done"]))
