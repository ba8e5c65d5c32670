"""Workflows: list them, keep their forms, queue runs under ids of our own, and ask gently how the runs stand."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import replace

from psygnal import Signal

from carrel.api import background
from carrel.api.unknowns import paging_ignored
from carrel.model import ServiceError, Workflow, WorkflowPage, WorkflowQuery, WorkflowRunRequest
from carrel.model.failure import Failure
from carrel.model.forms import Form, FormFile
from carrel.store.forms import Forms, KeptForm
from carrel.store.queue import QueuedRun, QueuedRuns, QueueState
from carrel.work.addresses import present
from carrel.work.context import Context
from carrel.work.writing import until_written

__all__ = ["KeptForm", "QueueState", "QueuedRun", "RunIdTaken", "Workflows"]

ENDS = ("complet", "success", "succeed", "done", "finish", "fail", "error", "cancel", "abort", "expire")
"""Parts of a status after which a run is not asked about again: the full set of states is not documented."""

AT_ONCE = 5
"""Runs that are asked about in one round."""


class RunIdTaken(ValueError):
    """A run of that id was queued here before."""


class Workflows:
    """Workflows and runs of one account. `changed` names a run of which more is known."""

    changed = Signal(str)

    def __init__(self, context: Context) -> None:
        """Ask the context's service, keep in its store."""
        self._context = context
        self._runs = QueuedRuns(context.db, context.account_id)
        self._forms = Forms(context.db, context.account_id)
        self._unwritten: dict[str, QueuedRun] = {}
        """Runs of which more is known than the disk has taken."""

    @property
    def is_supported(self) -> bool:
        """Whether this account's interface has workflows."""
        return self._context.service.capabilities.workflows

    @property
    def tells_status(self) -> bool:
        """Whether the service named a way to ask how a run stands."""
        return self._context.service.capabilities.run_status

    async def recover(self) -> None:
        """What was being sent when a former session ended is now sent, not confirmed."""
        await self._runs.recover()

    async def learn(self) -> None:
        """Read the service's own description once, for the names that its document leaves out."""
        await self._context.reference.learn(self._context.service)

    async def page(self, query: WorkflowQuery) -> tuple[WorkflowPage, bool]:
        """One page, and whether the service paged otherwise than asked; raises `ServiceError`."""
        page = await self._context.service.workflows(query)
        return page, paging_ignored(query, page)

    def form(self, group_id: str) -> KeptForm | None:
        """The form of a workflow as it was filled in last, its links led to where the service is now."""
        kept = self._forms.form(group_id)
        if kept is None:
            return None
        steps = tuple(
            step.model_copy(update={"files": tuple(self._present(file) for file in step.files)})
            for step in kept.form.steps
        )
        return replace(kept, form=kept.form.model_copy(update={"steps": steps}))

    async def keep_form(self, workflow: Workflow, form: Form) -> None:
        """Remember a form for its workflow."""
        await self._forms.keep(workflow, form, time.time())

    def runs(self, group_id: str) -> list[QueuedRun]:
        """The runs that were queued here, latest first."""
        return [self._unwritten.get(run.run_id, run) for run in self._runs.of_group(group_id)]

    def run_of(self, run_id: str) -> QueuedRun | None:
        """One run."""
        return self._unwritten.get(run_id) or self._runs.run(run_id)

    async def queue(self, workflow: Workflow, request: WorkflowRunRequest) -> str:
        """Write the run down under its id (made here unless given), then send it; gives the id.

        Raises `RunIdTaken` where a run of that id is known here.
        """
        run_id = request.run_id or f"run_{uuid.uuid4().hex}"
        request = request.model_copy(update={"run_id": run_id})
        run = QueuedRun(run_id, workflow.group_id, workflow.title, workflow.version, request, time.time())
        await self._context.tasks.to_the_end(self._begin(run))
        return run_id

    async def send_again(self, run_id: str) -> None:
        """Send a run that was refused, not sent or not confirmed once more, under the same id."""
        run = self.run_of(run_id)
        if run is None or run.state in {"sending", "queued"}:
            return
        await self._context.tasks.to_the_end(self._begin_again(run))

    async def refresh(self, group_id: str) -> None:
        """Ask how the runs of a workflow stand that have not ended; does nothing where there is no way to ask.

        Raises `ServiceError`; what was learned before it is kept.
        """
        if not self.tells_status:
            return
        for run in [r for r in self.runs(group_id) if r.state == "queued" and not has_ended(r)][:AT_ONCE]:
            with background():
                answer = await self._context.service.run_status(group_id, run.run_id)
            await self._runs.set(run.run_id, "queued", answer, at=time.time())
            if answer != run.answer:
                self.changed.emit(run.run_id)

    def _present(self, file: FormFile) -> FormFile:
        is_whole = file.url.startswith(("http://", "https://"))
        return file.model_copy(update={"url": present(file.url, self._context)}) if is_whole else file

    def _send(self, run: QueuedRun) -> None:
        self._context.tasks.start(f"workflow:{run.run_id}", self._work(run))
        self.changed.emit(run.run_id)

    async def _begin(self, run: QueuedRun) -> None:
        if not await self._runs.add(run):
            raise RunIdTaken(run.run_id)
        self._send(run)

    async def _begin_again(self, run: QueuedRun) -> None:
        await self._runs.set(run.run_id, "sending")
        self._unwritten.pop(run.run_id, None)
        self._send(replace(run, state="sending"))

    async def _work(self, run: QueuedRun) -> None:
        try:
            answer = await self._context.service.queue_run(run.group_id, run.request)
        except asyncio.CancelledError:
            await self._learned(replace(run, state="unconfirmed"))
            raise
        except ServiceError as error:
            await self._learned(replace(run, state=_state_after(error), error=Failure.of(error)))
        except Exception:
            await self._learned(replace(run, state="unconfirmed"))  # a bug of ours, told by the owner of the task
            raise
        else:
            await self._learned(replace(run, state="queued", answer=answer, error=None, learned_at=time.time()))

    async def _learned(self, run: QueuedRun) -> None:
        """Write what became of a run; while the disk refuses it, it is shown out of memory."""
        self._unwritten[run.run_id] = run

        def told() -> None:
            self.changed.emit(run.run_id)

        async def write() -> None:
            await self._runs.set(run.run_id, run.state, run.answer, run.error, run.learned_at)

        async def written() -> None:
            try:
                await until_written(self._context.tasks, write, refused=told)
                del self._unwritten[run.run_id]  # what could not be written stays to be shown
            finally:
                told()

        await self._context.tasks.to_the_end(written())


def has_ended(run: QueuedRun) -> bool:
    """Whether the last known status reads like an end."""
    status = run.answer.status.lower() if run.answer else ""
    return any(part in status for part in ENDS)


def _state_after(error: ServiceError) -> QueueState:
    if error.sent != "no":
        return "unconfirmed"
    return "not-sent" if error.status is None else "refused"
