"""Joins the agents pane to the session: starts runs, follows their clocks, saves their files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError
from PySide6.QtCore import QObject, QTimer

from carrel.model import AgentRequest, ServiceError
from carrel.ui.agents import words
from carrel.ui.agents.form import Written
from carrel.ui.agents.pane import AgentsPane
from carrel.ui.picking import pick_files
from carrel.ui.presenter import Document, Presenter, RunOn, ShowRun
from carrel.ui.widgets.focus import handed_on
from carrel.ui.widgets.notes import copy
from carrel.work.agents import LONGEST, AgentRun
from carrel.work.zone import local_zone

if TYPE_CHECKING:
    from carrel.ui.shell import Shell
    from carrel.work.session import Session

TICK = 1000
"""Milliseconds between two looks at the clock."""


class AgentsPresenter(Presenter, QObject):
    """The runs go on without it; what it shows is read from the store each time."""

    def __init__(self, session: Session, shell: Shell) -> None:
        QObject.__init__(self)
        Presenter.__init__(self, session, shell)
        self.pane = AgentsPane()
        self._agents = session.agents
        self._shown_id = ""
        self._said: tuple[str, words.Told | None] = ("", None)
        self._clock = QTimer(self.pane, interval=TICK)
        if not self._agents.is_supported:
            self.pane.show_unsupported(self.tr("The earlier interface of this service has no agents."))
            return
        self._connect()
        self._take_settings()
        self._fill(None, {})
        self._refresh()

    def shown(self) -> None:
        if self._agents.is_supported:
            self.pane.form.show_models(self.session.models.all)
            if not self.session.models.all:
                self.start("agents.models", self._load_models())

    def new(self) -> None:
        """Back to the run that is being written; where that is in front already, begin anew."""
        if not self._agents.is_supported:
            return
        if self._shown_id:
            self._show_form()
        else:
            self._begin_anew(None, {})

    def accept(self, intent: object) -> None:
        if isinstance(intent, ShowRun) and self._agents.is_supported:
            self._show(intent.run_id)
        elif isinstance(intent, RunOn) and self._agents.is_supported:
            self.pane.form.add(intent.documents)
            self._show_form()

    def shows(self, intent: object) -> bool:
        return isinstance(intent, ShowRun) and intent.run_id == self._shown_id

    def close(self) -> None:
        self._clock.stop()
        super().close()

    def _connect(self) -> None:
        self.pane.acted.connect(self._acted)
        self.pane.run_chosen.connect(self._show)
        self.pane.form.files_asked.connect(self._pick)
        self.pane.form.run_asked.connect(self._run)
        self.pane.view.linked.connect(self.shell.open_link)
        self.pane.view.files.acted.connect(self._file_acted)
        self.pane.view.files.all_asked.connect(self._fetch_all)
        self._clock.timeout.connect(self._tick)
        self.hear(self.shell.desk.settings_changed, lambda _: self._take_settings())
        self.hear(self._agents.changed, self._run_changed)
        self.hear(self.session.models.changed, lambda: self.pane.form.show_models(self.session.models.all))
        self.hear(self.session.downloads.added, self._transfer_changed)
        self.hear(self.session.downloads.changed, self._transfer_changed)

    def _take_settings(self) -> None:
        self.pane.form.lock_redaction(self._agents.always_redacts)

    async def _load_models(self) -> None:
        try:
            await self.session.models.load()
        except ServiceError as error:
            self.pane.form_note.say("warn", self.tr("The models could not be listed"), error.message)

    # What a person does

    def _acted(self, key: str) -> None:
        run = self._agents.run_of(self._shown_id)
        match key:
            case "new":
                self.new()
            case "run":
                self._run()
            case "cancel":
                self.start_beside("agents.cancel", self._agents.cancel(self._shown_id))
            case "again" if run:
                self._send(run.request, dict(run.documents))
            case "longer" if run:
                self._send(run.request.model_copy(update={"timeout_seconds": LONGEST}), dict(run.documents))
            case "edit" if run:
                self._begin_anew(run.request, dict(run.documents))
            case "copy" if run and run.result:
                copy(run.result.output)
                self.shell.toast(self.tr("The output is on the clipboard, as Markdown."))

    def _begin_anew(self, request: AgentRequest | None, documents: dict[str, str]) -> None:
        """Fill the form; what was being written there, and not sent, can be had back."""
        form = self.pane.form
        left = form.written() if form.is_touched else None
        self._fill(request, documents)
        self._show_form()
        if left is not None:
            words = self.tr("What you were writing was put away.")
            self.shell.toast(words, self.tr("Undo"), lambda: self._take_up(left))

    def _take_up(self, left: Written) -> None:
        self.shell.go("agents")
        self.pane.form.put(left)
        self._show_form()

    def _fill(self, request: AgentRequest | None, documents: dict[str, str]) -> None:
        self.pane.form.fill(request, documents, local_zone() or "UTC")
        self.pane.form_note.hide()

    def _show_form(self) -> None:
        self._shown_id = ""
        self.pane.show_form()
        self.pane.form.prompt.setFocus()

    def _run(self) -> None:
        filled = self.pane.form.filled()
        wrong = dict(filled.wrong)
        try:
            request = AgentRequest(**filled.fields)
        except ValidationError as error:
            wrong |= words.wrong_fields(error)
        self.pane.form.mark(wrong)
        if wrong:
            self.pane.form_note.say("danger", self.tr("This cannot be sent yet"), " ".join(wrong.values()))
            return
        self.pane.form_note.hide()
        self._send(request, filled.documents, self.pane.form.written())

    def _send(self, request: AgentRequest, documents: dict[str, str], written: Written | None = None) -> None:
        if not self.session.tasks.running("agents.send"):  # pressed twice is meant once
            self.start("agents.send", self._begin(request, documents, written))

    async def _begin(self, request: AgentRequest, documents: dict[str, str], written: Written | None) -> None:
        run_id = await self._agents.run(request, documents)
        if written is not None and self.pane.form.written() == written:
            self._fill(None, {})  # it stands in the run now
        self._show(run_id)

    def _pick(self) -> None:
        pick_files(
            self,
            self.tr("Files to work on"),
            lambda files: self.pane.form.add([Document(f.id, f.file_name) for f in files]),
        )

    def _file_acted(self, url: str, key: str) -> None:
        run, row = self._agents.run_of(self._shown_id), self._agents.transfers(self._shown_id).get(url)
        file = next((f for f in run.result.generated_files if f.url == url), None) if run and run.result else None
        match key:
            case "fetch" if file:
                self.start(f"agents.fetch.{url}", self._agents.fetch(self._shown_id, file))
            case "cancel" if row:
                self.start(f"agents.fetch.{url}", self._agents.stop_fetch(row.id))
            case "open" if row:
                self.shell.open_file(Path(row.path))
            case "folder" if row:
                self.shell.show_in_folder(Path(row.path))

    def _fetch_all(self) -> None:
        self.start_beside("agents.fetch_all", self._agents.fetch_all(self._shown_id))

    # What is shown

    def _show(self, run_id: str) -> None:
        self._shown_id = run_id
        self._refresh()
        self.shell.front_changed.emit()

    def _run_changed(self, run_id: str) -> None:
        self._refresh()

    def _transfer_changed(self, row_id: str) -> None:
        row = self.session.downloads.row(row_id)
        run = self._agents.run_of(self._shown_id) if row and row.origin == f"agent:{self._shown_id}" else None
        if run and run.result:
            self.pane.view.files.show_files(run.result.generated_files, self._agents.transfers(run.id))

    def _refresh(self) -> None:
        self._tick()
        if self._shown_id:
            self._show_run()

    def _show_run(self) -> None:
        run = self._agents.run_of(self._shown_id)
        if run is None:
            return
        output = run.result.output if run.result else ""
        chips = words.chips(run, self.session.models.label(run.request.model))
        with handed_on(self.pane, lambda: self.pane.list):
            self.pane.show_run(run.id, run.title, has_output=bool(output), is_running=run.state == "running")
            self.pane.view.show_run(run, chips, self._agents.transfers(run.id))
            self._say(run)

    def _say(self, run: AgentRun) -> None:
        told = words.note(run, LONGEST)
        if told is None:
            self.pane.view.note.hide()
        elif (run.id, told) != self._said or not self.pane.view.note.isVisible():
            self.pane.view.note.say(*told)
        self._said = (run.id, told)

    def _tick(self) -> None:
        now, lines = time.time(), self._agents.lines()
        self.pane.show_runs([words.item(line, now) for line in lines])
        running = [line for line in lines if line.state == "running"]
        self.shell.noting.emit("agents", words.under_way(running, now))
        here = next((line for line in running if line.id == self._shown_id), None)
        if here:
            self.pane.view.show_clock(now - here.started_at, here.limit)
        if running and not self._clock.isActive():
            self._clock.start()
        elif not running:
            self._clock.stop()
