"""Joins the workflows pane to the session: lists, keeps forms, queues runs, asks gently how they stand."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydantic import ValidationError
from PySide6.QtCore import QObject, QTimer

from carrel.model import ServiceError, Workflow, WorkflowPage, WorkflowQuery, WorkflowRunRequest
from carrel.model.form_reading import form_of
from carrel.model.forms import Form, FormField, FormFile, FormRefused, FormStep, offset_of, request_of
from carrel.ui.amounts import day
from carrel.ui.picking import pick_files
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.itemlist import Item
from carrel.ui.widgets.notes import copy
from carrel.ui.workflows import words
from carrel.ui.workflows.pane import WorkflowsPane
from carrel.work.curl import curl
from carrel.work.workflows import RunIdTaken, has_ended
from carrel.work.zone import local_zone

if TYPE_CHECKING:
    from carrel.ui.shell import Shell
    from carrel.work.session import Session

KEEP = 600
"""Milliseconds after the last change before the form is remembered."""

LOOK = 3000
"""Milliseconds between two questions how the runs stand, while the pane is in front."""


class WorkflowsPresenter(Presenter, QObject):
    """One workflow's form at a time; what is sent is always what the JSON shows."""

    def __init__(self, session: Session, shell: Shell) -> None:
        QObject.__init__(self)
        Presenter.__init__(self, session, shell)
        self.pane = WorkflowsPane()
        self._workflows = session.workflows
        self._found: dict[str, Workflow] = {}
        self._workflow: Workflow | None = None
        self._query = WorkflowQuery(page=1)
        self._request: WorkflowRunRequest | None = None
        self._looked_wrong = ""
        self._keep = QTimer(self.pane, singleShot=True, interval=KEEP)
        self._look = QTimer(self.pane, interval=LOOK)
        if not self._workflows.is_supported:
            title, text = self.tr("No workflows on this account"), self.tr("The earlier interface has no workflows.")
            self.pane.show_unsupported(title, text)
            return
        self._connect()

    def shown(self) -> None:
        if self._workflows.is_supported and not self._found:
            self._load()
        self._show_runs()

    def new(self) -> None:
        if self._workflow is not None:
            self._show_form(self._blank(self._workflow))

    def find(self) -> None:
        self.pane.focus_search()

    def close(self) -> None:
        self._keep.stop()
        self._look.stop()
        super().close()

    def _connect(self) -> None:
        self.pane.workflow_chosen.connect(self._choose)
        self.pane.searched.connect(self._search)
        self.pane.page_asked.connect(self._turn)
        self.pane.acted.connect(self._acted)
        self.pane.form.changed.connect(self._form_changed)
        self.pane.form.library_asked.connect(self._pick)
        self.pane.request.edited.connect(self._json_edited)
        self.pane.request.run_chosen.connect(self._show_run)
        self._keep.timeout.connect(self._keep_form)
        self._look.timeout.connect(self._look_again)
        self.hear(self._workflows.changed, self._run_changed)

    # The list

    def _search(self, text: str) -> None:
        self._query = WorkflowQuery(page=1, search=text) if text else WorkflowQuery(page=1)
        self._load()

    def _turn(self, step: int) -> None:
        self._query = self._query.model_copy(update={"page": max(1, self._query.page + step)})
        self._load()

    def _load(self) -> None:
        self.pane.say_list(self.tr("Loading…"))
        self.start("workflows.list", self._list(self._query))

    async def _list(self, query: WorkflowQuery) -> None:
        try:
            await self._workflows.learn()
            page, ignored = await self._workflows.page(query)
        except ServiceError as error:
            self.pane.say_list("")
            self.pane.list_note.say_error(error, (("reload", self.tr("Try again")),))
            return
        self.pane.list_note.hide()
        self._show_page(page, ignored)

    def _show_page(self, page: WorkflowPage, ignored: bool) -> None:
        told = page.pagination
        self._found = {w.group_id: w for w in page.data}
        self._query = self._query.model_copy(update={"page": told.current_page})
        items = [
            Item(w.group_id, w.title or w.group_id, w.description, note=f"v{w.version}" if w.version else "")
            for w in page.data
        ]
        self.pane.show_list(items, told.current_page, told.total_pages)
        if ignored:
            self.pane.list_note.say(
                "info",
                "",
                self.tr("The service pages in its own way: page {page}, {size} a page.").format(
                    page=told.current_page, size=told.page_size
                ),
            )
        if self._workflow is not None:
            self.pane.list.select(self._workflow.group_id)

    # The form

    def _choose(self, group_id: str) -> None:
        self._keep_form()
        workflow = self._workflow = self._found[group_id]
        kept = self._workflows.form(group_id)
        facts = [self.tr("version {n}").format(n=workflow.version)] if workflow.version is not None else []
        if workflow.updated_at:
            facts.append(self.tr("updated {day}").format(day=day(workflow.updated_at)))
        self.pane.show_workflow(workflow.title or group_id, " · ".join(facts))
        self._show_form(kept.form if kept else self._blank(workflow))
        self._say_changes(kept, workflow)
        self.pane.request.show_run(None, "")
        self._show_runs()

    def _say_changes(self, kept: object, workflow: Workflow) -> None:
        found = words.changes(kept, workflow) if kept else []
        if not found:
            self.pane.note.hide()
            return
        actions = [("keep", self.tr("Keep the form"))]
        if kept.first_step_id != workflow.first_step_id:
            actions.insert(0, ("move", self.tr("Move to {step}").format(step=workflow.first_step_id)))
        title = self.tr("The workflow has changed since this form was kept")
        self.pane.note.say("warn", title, " ".join(found), actions)

    def _blank(self, workflow: Workflow) -> Form:
        step = FormStep(id=workflow.first_step_id, fields=(FormField(),))
        return Form(steps=(step,), zone=local_zone() or "UTC")

    def _show_form(self, form: Form) -> None:
        self.pane.form.show_form(form)
        self._take(form)

    def _form_changed(self) -> None:
        self._take(self.pane.form.form())
        self._keep.start()

    def _take(self, form: Form) -> None:
        """Show what the form comes to, or why it comes to nothing yet."""
        now = datetime.now(UTC)
        self._say_offset(form.zone, now)
        try:
            self._request = request_of(form, now)
        except FormRefused as refused:
            self._request, problems = None, refused.problems
        except ValidationError as error:
            self._request, problems = None, ()
            self.pane.note.say("danger", self.tr("This cannot be sent"), error.errors()[0]["msg"])
        else:
            problems = ()
            self.pane.request.show_json(json.dumps(self._request.body(), indent=2, ensure_ascii=False))
        self.pane.form.say_wrong(problems)

    def _say_offset(self, zone: str, now: datetime) -> None:
        try:
            self.pane.form.show_offset(self.tr("{n} minutes from UTC").format(n=f"{offset_of(zone, now):+d}"))
        except ValueError:
            self.pane.form.show_offset("")

    def _json_edited(self, text: str) -> None:
        if self._workflow is None:
            return
        now = datetime.now(UTC)
        try:
            request = WorkflowRunRequest.model_validate(json.loads(text))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            self.pane.request.say_wrong(f"{where}: {first['msg']}")
            return
        except (ValueError, RecursionError) as error:
            self.pane.request.say_wrong(self.tr("This is not JSON: {why}.").format(why=error))
            return
        form = form_of(request, self.pane.form.form(), now)
        self.pane.form.show_form(form)
        self.pane.form.say_wrong(())
        self._say_offset(form.zone, now)
        self.pane.request.say_wrong("")
        self._request = request
        self._keep.start()

    def _keep_form(self) -> None:
        self._keep.stop()
        if self._workflow is not None:
            form = self.pane.form.form().model_copy(update={"run_id": ""})  # an id is good for one run only
            self.start(f"workflows.keep.{self._workflow.group_id}", self._workflows.keep_form(self._workflow, form))

    def _pick(self, step: int) -> None:
        def taken(files: list) -> None:
            found = [
                FormFile(name=f.file_name.rpartition(".")[0], url=f.download_link) for f in files if f.download_link
            ]
            self.pane.form.add_files(step, found)
            if len(found) < len(files):
                self.shell.toast(self.tr("A file without a link of its own was left out."))

        pick_files(self, self.tr("Files for the workflow"), taken)

    # Runs

    def _acted(self, key: str) -> None:
        match key:
            case "queue":
                self._queue()
            case "again":
                run_id = self.pane.request.runs.current_key()
                self.start(f"workflows.again.{run_id}", self._workflows.send_again(run_id))
            case "reload":
                self._load()
            case "keep":
                self.pane.note.hide()
                self._keep_form()
            case "move" if self._workflow:
                self._move_first_step(self._workflow)
            case "copy":
                copy(self.pane.request.json.toPlainText())
                self.shell.toast(self.tr("The request is on the clipboard."))
            case "curl" if self._workflow:
                path = f"/external/workflows/{self._workflow.group_id}/runs"
                copy(curl(self.session.account, "POST", path, self.pane.request.json.toPlainText()))
                self.shell.toast(self.tr("The command is on the clipboard; it reads the credentials from variables."))

    def _move_first_step(self, workflow: Workflow) -> None:
        form = self.pane.form.form()
        first = form.steps[0].model_copy(update={"id": workflow.first_step_id})
        self.pane.note.hide()
        self._show_form(form.model_copy(update={"steps": (first, *form.steps[1:])}))
        self._keep_form()

    def _queue(self) -> None:
        self.pane.request.settle()
        if self._request is None or self.pane.request.is_wrong:
            text = self.tr("What is marked in the form or in the request cannot be used as it stands.")
            self.pane.note.say("danger", self.tr("Nothing was sent"), text)
            return
        if self._workflow is not None:
            self.pane.note.hide()
            self._keep_form()
            self.start("workflows.queue", self._send(self._workflow, self._request))

    async def _send(self, workflow: Workflow, request: WorkflowRunRequest) -> None:
        try:
            run_id = await self._workflows.queue(workflow, request)
        except RunIdTaken:
            text = self.tr("A run with this id was queued from here before. Leave the id empty, or take another.")
            self.pane.note.say("danger", self.tr("Nothing was sent"), text)
            return
        self._show_runs()
        self.pane.request.runs.select(run_id)
        self._show_run(run_id)

    def _run_changed(self, run_id: str) -> None:
        run = self._workflows.run_of(run_id)
        if run is None or self._workflow is None or run.group_id != self._workflow.group_id:
            return
        self._show_runs()
        if self.pane.request.runs.current_key() == run_id:
            self._show_run(run_id)

    def _show_runs(self) -> None:
        if self._workflow is None:
            return
        runs, now = self._workflows.runs(self._workflow.group_id), time.time()
        self.pane.request.show_runs([words.line(run, now) for run in runs], self._caption())
        is_open = any(r.state == "queued" and not has_ended(r) for r in runs)
        if is_open and self._workflows.tells_status:
            self._look.start()
        else:
            self._look.stop()

    def _caption(self) -> str:
        if self._looked_wrong:
            return self._looked_wrong
        if self._workflows.tells_status:
            return self.tr("Asked for again while this pane is open.")
        return self.tr("Last known: the service names no way to ask how a run stands.")

    def _show_run(self, run_id: str) -> None:
        run = self._workflows.run_of(run_id)
        if run is None:
            self.pane.request.show_run(None, "")
        else:
            self.pane.request.show_run(words.note(run), words.facts(run, time.time()))

    def _look_again(self) -> None:
        if self.pane.isVisible() and self._workflow is not None and not self.session.tasks.running("workflows.look"):
            self.start("workflows.look", self._ask_how(self._workflow.group_id))

    async def _ask_how(self, group_id: str) -> None:
        try:
            await self._workflows.refresh(group_id)
        except ServiceError as error:
            self._looked_wrong = self.tr("Last known: {why}").format(why=error.message)
        else:
            self._looked_wrong = ""
        self._show_runs()
