"""The runs of the chosen workflow: listed, looked at, sent again by hand, asked about gently while they are seen."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer

from carrel.model import ServiceError
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.focus import handed_on
from carrel.ui.workflows import words
from carrel.ui.workflows.pane import WorkflowsPane
from carrel.work.workflows import has_ended

LOOK = 3000
"""Milliseconds between two questions how the runs stand."""


class Following(QObject):
    """Asks nothing while the pane is hidden, and nothing where the service named no way to ask."""

    def __init__(self, presenter: Presenter, pane: WorkflowsPane) -> None:
        super().__init__(pane)
        self._presenter, self._pane = presenter, pane
        self._workflows = presenter.session.workflows
        self._group_id = ""
        self._trouble = ""
        self._timer = QTimer(self, interval=LOOK)
        self._timer.timeout.connect(self._look)
        pane.request.run_chosen.connect(self._show_run)
        presenter.hear(self._workflows.changed, self._run_changed)

    def begin(self, group_id: str) -> None:
        """Follow the runs of another workflow."""
        self._group_id, self._trouble = group_id, ""
        self._pane.request.show_run(None, "")
        self.show()

    def show(self) -> None:
        """List the runs as they are known."""
        if not self._group_id:
            return
        runs, now = self._workflows.runs(self._group_id), time.time()
        self._pane.request.show_runs([words.line(run, now) for run in runs], self._caption())
        if self._workflows.tells_status and any(r.state == "queued" and not has_ended(r) for r in runs):
            self._timer.start()
        else:
            self._timer.stop()

    def look_at(self, run_id: str) -> None:
        """Select a run and say what is known of it."""
        self.show()
        self._pane.request.runs.select(run_id)
        self._show_run(run_id)

    def send_again(self) -> None:
        """Send the selected run once more, under its id."""
        run_id = self._pane.request.runs.current_key()
        self._presenter.start(f"workflows.again.{run_id}", self._workflows.send_again(run_id))

    def stop(self) -> None:
        """Ask no more."""
        self._timer.stop()

    def _run_changed(self, run_id: str) -> None:
        run = self._workflows.run_of(run_id)
        if run is None or run.group_id != self._group_id:
            return
        self.show()
        if self._pane.request.runs.current_key() == run_id:
            self._show_run(run_id)

    def _show_run(self, run_id: str) -> None:
        run, panel = self._workflows.run_of(run_id), self._pane.request
        with handed_on(panel, lambda: panel.runs):
            if run is None:
                panel.show_run(None, "")
            else:
                panel.show_run(words.note(run), words.facts(run, time.time()))

    def _caption(self) -> str:
        if self._trouble:
            return self._trouble
        if self._workflows.tells_status:
            return self.tr("Asked for again while this pane is open.")
        return self.tr("Last known: the service names no way to ask how a run stands.")

    def _look(self) -> None:
        if self._pane.isVisible() and not self._presenter.session.tasks.running("workflows.look"):
            self._presenter.start("workflows.look", self._ask(self._group_id))

    async def _ask(self, group_id: str) -> None:
        try:
            await self._workflows.refresh(group_id)
        except ServiceError as error:
            self._trouble = self.tr("Last known: {why}").format(why=error.message)
        else:
            self._trouble = ""
        self.show()
