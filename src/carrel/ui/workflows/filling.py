"""The form of the chosen workflow and the request that it comes to: each can be edited, and the other follows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import ValidationError
from PySide6.QtCore import QObject, QTimer

from carrel.model import LibraryFile, Workflow, WorkflowRunRequest
from carrel.model.form_reading import form_of
from carrel.model.forms import Form, FormField, FormFile, FormRefused, FormStep, Problem, offset_of, request_of
from carrel.ui.picking import pick_files
from carrel.ui.presenter import Presenter
from carrel.ui.workflows import words
from carrel.ui.workflows.pane import WorkflowsPane
from carrel.work.zone import local_zone

KEEP = 600
"""Milliseconds after the last change before the form is remembered."""


class Filling(QObject):
    """What is sent is always what the JSON shows; a form that cannot be sent says where and why."""

    def __init__(self, presenter: Presenter, pane: WorkflowsPane) -> None:
        super().__init__(pane)
        self._presenter, self._pane = presenter, pane
        self._workflows = presenter.session.workflows
        self._workflow: Workflow | None = None
        self._request: WorkflowRunRequest | None = None
        self._timer = QTimer(self, singleShot=True, interval=KEEP)
        self._timer.timeout.connect(self.keep)
        pane.form.changed.connect(self._form_changed)
        pane.form.library_asked.connect(self._pick)
        pane.request.edited.connect(self._json_edited)

    def begin(self, workflow: Workflow) -> None:
        """Show the form of another workflow, as it was left; say what has changed since."""
        self.keep()
        self._workflow = workflow
        kept = self._workflows.form(workflow.group_id)
        self._show(kept.form if kept else _blank(workflow))
        changed = words.changes(kept, workflow) if kept else []
        if not kept or not changed:
            self._pane.note.hide()
            return
        actions = [("keep", self.tr("Keep the form"))]
        if kept.first_step_id != workflow.first_step_id:
            actions.insert(0, ("move", self.tr("Move to {step}").format(step=workflow.first_step_id)))
        self._pane.note.say(
            "warn", self.tr("The workflow has changed since this form was kept"), " ".join(changed), actions
        )

    def clear(self) -> None:
        """Begin with an empty form; what stood there can be had back."""
        if self._workflow is None:
            return
        self._pane.request.settle()
        workflow, left, blank = self._workflow, self._pane.form.form(), _blank(self._workflow)
        code = self._pane.request.json.toPlainText() if self._pane.request.is_wrong else ""
        self._show(blank)
        self._timer.start()
        if code or left != blank:
            words = self.tr("The form of {title} is empty again.").format(title=workflow.title or workflow.group_id)
            self._presenter.shell.toast(words, self.tr("Undo"), lambda: self._take_up(workflow, left, code))

    def _take_up(self, workflow: Workflow, left: Form, code: str) -> None:
        """Bring back what was cleared, also where another workflow is shown by now."""
        if self._workflow is None or self._workflow.group_id != workflow.group_id:
            self._presenter.start(f"workflows.keep.{workflow.group_id}", self._workflows.keep_form(workflow, left))
            return
        self._show(left)
        self._timer.start()
        if code:
            self._pane.request.json.setPlainText(code)

    def request(self) -> WorkflowRunRequest | None:
        """What would be sent now; None where it cannot be."""
        self._pane.request.settle()
        return None if self._pane.request.is_wrong else self._request

    def keep(self) -> None:
        """Remember the form for its workflow; a run's own id is good for one run only."""
        self._timer.stop()
        if self._workflow is not None:
            form = self._pane.form.form().model_copy(update={"run_id": ""})
            key = f"workflows.keep.{self._workflow.group_id}"
            self._presenter.start(key, self._workflows.keep_form(self._workflow, form))

    def add_files(self, files: Sequence[LibraryFile]) -> int:
        """Add the links of files to the workflow's first step, each once; how many were not there yet."""
        assert self._workflow is not None, "no workflow is shown"
        ids = [step.id for step in self._pane.form.form().steps]
        first = self._workflow.first_step_id
        return self._add(ids.index(first) if first in ids else 0, files)

    def move_first_step(self) -> None:
        """Give the fields of the first step to what is now the workflow's first step."""
        if self._workflow is None:
            return
        form = self._pane.form.form()
        first = form.steps[0].model_copy(update={"id": self._workflow.first_step_id})
        self._show(form.model_copy(update={"steps": (first, *form.steps[1:])}))
        self.keep()

    def stop(self) -> None:
        """Leave what waits to be kept; the pane is about to go."""
        if self._timer.isActive():
            self.keep()

    def _show(self, form: Form) -> None:
        self._pane.form.show_form(form)
        self._take(form)

    def _form_changed(self) -> None:
        self._take(self._pane.form.form())
        self._timer.start()

    def _take(self, form: Form) -> None:
        """Show what the form comes to, or why it comes to nothing yet."""
        now = datetime.now(UTC)
        self._say_offset(form.zone, now)
        problems: tuple[Problem, ...] = ()
        try:
            self._request = request_of(form, now)
        except FormRefused as refused:
            self._request, problems = None, refused.problems
        except ValidationError as error:
            self._request, problems = None, (Problem(-1, -1, error.errors()[0]["msg"]),)
        else:
            self._pane.request.show_json(json.dumps(self._request.body(), indent=2, ensure_ascii=False))
        self._pane.form.say_wrong(problems)

    def _say_offset(self, zone: str, now: datetime) -> None:
        try:
            self._pane.form.show_offset(self.tr("{n} minutes from UTC").format(n=f"{offset_of(zone, now):+d}"))
        except ValueError:
            self._pane.form.show_offset("")

    def _json_edited(self, text: str) -> None:
        if self._workflow is None:
            return
        try:
            request = WorkflowRunRequest.model_validate(json.loads(text))
        except ValidationError as error:
            self._pane.request.say_wrong(words.wrong_request(error))
            return
        except (ValueError, RecursionError) as error:
            self._pane.request.say_wrong(self.tr("This is not JSON: {why}.").format(why=error))
            return
        now = datetime.now(UTC)
        form = form_of(request, self._pane.form.form(), now)
        self._pane.form.show_form(form)
        self._pane.form.say_wrong(())
        self._say_offset(form.zone, now)
        self._pane.request.say_wrong("")
        self._request = request
        self._timer.start()

    def _pick(self, step: int) -> None:
        def taken(files: list[LibraryFile]) -> None:
            self._add(step, [file for file in files if file.download_link])
            if without := [file.file_name for file in files if not file.download_link]:
                self._presenter.shell.toast(words.left_out(without))

        pick_files(self._presenter, self.tr("Files for the workflow"), taken)

    def _add(self, step: int, files: Sequence[LibraryFile]) -> int:
        """Add the links of files to a step, each once; how many were not there yet."""
        link = self._presenter.session.library.link
        held = {file.url for file in self._pane.form.form().steps[step].files}
        new = [FormFile(name=f.file_name.partition(".")[0], url=link(f)) for f in files if link(f) not in held]
        if new:
            self._pane.form.add_files(step, new)
        return len(new)


def _blank(workflow: Workflow) -> Form:
    step = FormStep(id=workflow.first_step_id, fields=(FormField(),))
    return Form(steps=(step,), zone=local_zone() or "UTC")
