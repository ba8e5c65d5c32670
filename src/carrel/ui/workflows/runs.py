"""The right side of the workflows pane: the request as JSON, and the runs that were queued."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame

from carrel.ui.widgets.codeview import CodeView
from carrel.ui.widgets.controls import button, column, label, row
from carrel.ui.widgets.notes import Note
from carrel.ui.widgets.table import Line, TagTable

PAUSE = 350
"""Milliseconds after the last letter before edited JSON is read."""


class RequestPanel(QFrame):
    """`edited` gives JSON that a person wrote; `acted` a key: copy, curl, and what the run's note offers."""

    edited = Signal(str)
    acted = Signal(str)
    run_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("column", "work")
        self._shown = ""
        self.json = CodeView("workflows.json", self.tr("Request as JSON"), editable=True, lines=22)
        self._why = label("", "danger", wrap=True, select=True)
        self._why.setObjectName("workflows.json_error")
        self._why.hide()
        self.runs = TagTable(
            "workflows.runs",
            self.tr("Queued runs"),
            [self.tr("Run"), self.tr("Status"), self.tr("Queue"), self.tr("When")],
            stretch=0,
        )
        self.runs.set_widths({1: 92, 2: 96, 3: 92})
        self._caption = label("", "small", wrap=True)
        self._none = label(self.tr("Runs that you queue are listed here."), "muted", wrap=True)
        self.run_note = Note("workflows.run_note", closable=True)
        self._facts = label("", "small", wrap=True, select=True)
        self._facts.setObjectName("workflows.run_facts")
        self._facts.hide()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(lambda: self.edited.emit(self.json.toPlainText()))
        self.json.textChanged.connect(self._typed)
        self.runs.chosen.connect(self.run_chosen)
        self.run_note.acted.connect(self.acted)

    def show_json(self, text: str) -> None:
        """Show the request that the form comes to."""
        self._timer.stop()
        self._shown = text
        self.json.show_code(text)
        self.say_wrong("")

    def say_wrong(self, words: str) -> None:
        """Say why the JSON cannot be used; empty where it can."""
        self.json.mark_wrong(bool(words))
        self._why.setText(words)
        self._why.setVisible(bool(words))

    @property
    def is_wrong(self) -> bool:
        """Whether the JSON cannot be used as it stands."""
        return bool(self._why.text())

    def settle(self) -> None:
        """Read what was typed a moment ago at once."""
        if self._timer.isActive():
            self._timer.stop()
            self.edited.emit(self.json.toPlainText())

    def show_runs(self, lines: Sequence[Line], caption: str) -> None:
        """List the runs; `caption` says how fresh their statuses are."""
        self.runs.fill(lines)
        self.runs.fit(8)
        self.runs.setVisible(bool(lines))
        self._none.setVisible(not lines)
        self._caption.setText(caption)
        self._caption.setVisible(bool(lines) and bool(caption))

    def show_run(self, told: tuple[str, str, str, object] | None, facts: str) -> None:
        """Say what has to be said of the selected run, and what is known of it."""
        if told is None:
            self.run_note.hide()
        else:
            self.run_note.say(*told)
        self._facts.setText(facts)
        self._facts.setVisible(bool(facts))

    def make_room(self, wide: bool) -> None:
        """Show less of the request where it stands below the form."""
        self.json.show_lines(22 if wide else 8)

    def _lay_out(self) -> None:
        copy = button(self.tr("Copy"), "workflows.copy", kind="quiet", icon_name="copy")
        curl = button(self.tr("Copy as cURL"), "workflows.curl", kind="quiet", icon_name="copy")
        for key, made in (("copy", copy), ("curl", curl)):
            made.setProperty("look", "small")
            made.clicked.connect(lambda _=False, k=key: self.acted.emit(k))
        body = column(
            row(label(self.tr("Request"), "section"), 1, copy, curl),
            self.json,
            self._why,
            label(self.tr("Queued runs"), "section"),
            self._none,
            self.runs,
            self.run_note,
            self._facts,
            self._caption,
            1,
            margins=(18, 12, 18, 14),
        )
        self.setLayout(body)

    def _typed(self) -> None:
        if self.json.toPlainText() != self._shown:
            self._timer.start()
