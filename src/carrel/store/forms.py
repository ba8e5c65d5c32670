"""The form of each workflow, as it was filled in last: the service's document shows no way to ask for one."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from carrel.model import Workflow
from carrel.model.forms import Form
from carrel.store.db import Database


@dataclass(frozen=True, slots=True)
class KeptForm:
    """A form, and what the workflow was when it was kept."""

    form: Form
    version: int | None
    workflow_id: str
    first_step_id: str


class Forms:
    """The forms of one account, by group id."""

    def __init__(self, db: Database, account: str) -> None:
        """Use `db` for the forms of `account`."""
        self._db, self._account = db, account

    def form(self, group_id: str) -> KeptForm | None:
        """The form of a group; None where none was kept, or another version wrote one that this cannot read."""
        row = self._db.row("SELECT * FROM workflow_forms WHERE account = ? AND group_id = ?", (self._account, group_id))
        if row is None:
            return None
        try:
            form = Form.model_validate_json(row["form"])
        except ValidationError:
            return None
        return KeptForm(form, row["version"], row["workflow_id"], row["first_step_id"])

    async def keep(self, workflow: Workflow, form: Form, at: float) -> None:
        """Keep a form together with what the workflow is now."""
        await self._db.execute(
            "INSERT OR REPLACE INTO workflow_forms VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                self._account,
                workflow.group_id,
                form.model_dump_json(),
                workflow.version,
                workflow.workflow_id,
                workflow.first_step_id,
                at,
            ),
        )
