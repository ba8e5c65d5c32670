"""Joins the workflows pane to the session: the list, the form, the runs, and the one verb, queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from carrel.model import Workflow, WorkflowRunRequest
from carrel.ui.amounts import day
from carrel.ui.presenter import Presenter, UseInWorkflow
from carrel.ui.widgets.notes import copy
from carrel.ui.workflows.filling import Filling
from carrel.ui.workflows.following import Following
from carrel.ui.workflows.incoming import Incoming
from carrel.ui.workflows.listing import Listing
from carrel.ui.workflows.pane import WorkflowsPane
from carrel.work.curl import curl
from carrel.work.workflows import RunIdTaken

if TYPE_CHECKING:
    from carrel.ui.shell import Shell
    from carrel.work.session import Session


class WorkflowsPresenter(Presenter, QObject):
    """One workflow's form at a time."""

    def __init__(self, session: Session, shell: Shell) -> None:
        QObject.__init__(self)
        Presenter.__init__(self, session, shell)
        self.pane = WorkflowsPane()
        self._workflow: Workflow | None = None
        self._listing = Listing(self, self.pane)
        self._filling = Filling(self, self.pane)
        self._following = Following(self, self.pane)
        self._incoming = Incoming(self, self.pane, self._filling.add_files)
        self._is_supported = session.workflows.is_supported
        if not self._is_supported:
            title, text = self.tr("No workflows on this account"), self.tr("The earlier interface has no workflows.")
            self.pane.show_unsupported(title, text)
            return
        self._listing.chosen.connect(self._choose)
        self.pane.workflow_taken.connect(lambda _: self._workflow and self._incoming.put(self._workflow))
        self.pane.acted.connect(self._acted)

    def shown(self) -> None:
        if self._is_supported and self._listing.is_empty:
            self._listing.load()
        self._following.show()

    def new(self) -> None:
        self._filling.clear()

    def find(self) -> None:
        if self._is_supported:
            self.pane.focus_search()

    def escape(self) -> bool:
        return self._incoming.leave()

    def accept(self, intent: object) -> None:
        if isinstance(intent, UseInWorkflow) and self._is_supported:
            self._incoming.take(intent.documents, self._workflow)

    def close(self) -> None:
        self._filling.stop()
        self._following.stop()
        super().close()

    def _choose(self, workflow: Workflow) -> None:
        facts = [self.tr("version {n}").format(n=workflow.version)] if workflow.version is not None else []
        if workflow.updated_at:
            facts.append(self.tr("updated {day}").format(day=day(workflow.updated_at)))
        self._workflow = workflow
        self.pane.show_workflow(workflow.title or workflow.group_id, " · ".join(facts))
        self._filling.begin(workflow)
        self._following.begin(workflow.group_id)

    def _acted(self, key: str) -> None:
        match key:
            case "queue":
                self._queue()
            case "again":
                self._following.send_again()
            case "reload":
                self._listing.load()
            case "keep":
                self.pane.note.hide()
                self._filling.keep()
            case "move":
                self.pane.note.hide()
                self._filling.move_first_step()
            case "copy":
                copy(self.pane.request.json.toPlainText())
                self.shell.toast(self.tr("The request is on the clipboard."))
            case "curl" if self._workflow:
                path = f"/external/workflows/{self._workflow.group_id}/runs"
                copy(curl(self.session.account, "POST", path, self.pane.request.json.toPlainText()))
                self.shell.toast(self.tr("The command is on the clipboard; it reads the credentials from variables."))

    def _queue(self) -> None:
        if self.session.tasks.running("workflows.queue"):
            return  # pressed twice is meant once
        request = self._filling.request()
        if request is None:
            text = self.tr("What is marked in the form or in the request cannot be used as it stands.")
            self.pane.note.say("danger", self.tr("Nothing was sent"), text)
        elif self._workflow is not None:
            self.pane.note.hide()
            self._filling.keep()
            self.start("workflows.queue", self._send(self._workflow, request))

    async def _send(self, workflow: Workflow, request: WorkflowRunRequest) -> None:
        try:
            run_id = await self.session.workflows.queue(workflow, request)
        except RunIdTaken:
            text = self.tr("A run with this id was queued from here before. Leave the id empty, or take another.")
            self.pane.note.say("danger", self.tr("Nothing was sent"), text)
        else:
            self._following.look_at(run_id)
