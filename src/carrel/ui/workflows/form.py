"""The form of a workflow run: its steps, and how the run is named, timed and attributed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from zoneinfo import available_timezones

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from carrel.model.forms import Form, FormFile, FormStep, Problem
from carrel.ui.widgets.controls import button, column, label, named, restyle, row
from carrel.ui.workflows.step import StepBox


class WorkflowForm(QWidget):
    """`changed` tells each change by a person; `library_asked` the number of a step that wants library files."""

    changed = Signal()
    library_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        named(self, "workflows.form", self.tr("Form"))
        self._boxes: list[StepBox] = []
        self._quiet = False
        self._before: tuple[QWidget, ...] = ()
        self._steps = QVBoxLayout()
        self._steps.setSpacing(18)
        self._run_id = self._field("run_id", self.tr("Run id"), self.tr("Made here when queued"))
        self._zone = self._field("zone", self.tr("Time zone of the run"), "Europe/Berlin")
        self._user_id = self._field("user_id", self.tr("External user id"), "")
        self._user_email = self._field("user_email", self.tr("External user email"), "")
        self._user_name = self._field("user_name", self.tr("External user name"), "")
        self._offset = label("", "small", wrap=True)
        self._lay_out()

    def stand_after(self, before: QWidget) -> None:
        """Tab comes here from that widget."""
        self._before = (before,)
        self._order()

    def show_form(self, form: Form) -> None:
        """Set everything; nothing is told, and what already stands there is not touched."""
        self._quiet = True
        if len(self._boxes) != len(form.steps):
            self._rebuild(form.steps)
        for box, step in zip(self._boxes, form.steps, strict=True):
            if box.step() != step:
                box.show_step(step)
        for widget, text in (
            (self._run_id, form.run_id),
            (self._zone, form.zone),
            (self._user_id, form.user_id),
            (self._user_email, form.user_email),
            (self._user_name, form.user_name),
        ):
            if widget.text() != text:
                widget.setText(text)
        self._quiet = False

    def form(self) -> Form:
        """What the form holds."""
        return Form(
            steps=tuple(box.step() for box in self._boxes),
            run_id=self._run_id.text(),
            zone=self._zone.text(),
            user_id=self._user_id.text(),
            user_email=self._user_email.text(),
            user_name=self._user_name.text(),
        )

    def add_files(self, step: int, files: Sequence[FormFile]) -> None:
        """Add files to a step."""
        self._boxes[step].add_files(files)

    def say_wrong(self, problems: Sequence[Problem]) -> None:
        """Say what is wrong, where it is."""
        for number, box in enumerate(self._boxes):
            box.say_wrong([p for p in problems if p.step == number])
        whole = next((p.words for p in problems if p.step < 0), "")
        if bool(self._zone.property("wrong")) != bool(whole):
            self._zone.setProperty("wrong", bool(whole))
            restyle(self._zone)
        if whole:
            self._offset.setText(whole)

    def show_offset(self, words: str) -> None:
        """Say what the time zone comes to."""
        self._offset.setText(words)

    def _field(self, name: str, words: str, placeholder: str) -> QLineEdit:
        made = QLineEdit()
        named(made, f"workflows.{name}", words)
        made.setPlaceholderText(placeholder)
        made.textChanged.connect(self._told)
        return made

    def _lay_out(self) -> None:
        zones = QCompleter(sorted(available_timezones()), self._zone)
        zones.setFilterMode(Qt.MatchFlag.MatchContains)
        zones.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._zone.setCompleter(zones)
        self._add = add = button(self.tr("Add step"), "workflows.add_step", kind="quiet", icon_name="plus")
        add.clicked.connect(self._add_step)
        pairs = QWidget()
        grid = QGridLayout(pairs)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        for place, widget in enumerate((self._run_id, self._zone, self._user_id, self._user_email, self._user_name)):
            cell = column(label(widget.accessibleName(), "field"), widget, spacing=4)
            if widget is self._zone:
                cell.addWidget(self._offset)
            cell.addStretch(1)
            grid.addLayout(cell, place // 2, place % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        self.setLayout(column(self._steps, row(add, 1), label(self.tr("Run"), "section"), pairs, 1, spacing=12))

    def _rebuild(self, steps: Sequence[FormStep]) -> None:
        for box in self._boxes:
            box.hide()
            box.deleteLater()
        self._boxes = []
        for number, step in enumerate(steps):
            box = StepBox(number, step, is_only=len(steps) == 1)
            box.changed.connect(self._told)
            box.removed.connect(lambda n=number: self._remove_step(n))
            box.library_asked.connect(lambda n=number: self.library_asked.emit(n))
            box.arranged.connect(self._order)
            self._boxes.append(box)
            self._steps.addWidget(box)
        self._order()

    def _order(self) -> None:
        """Tab follows the eye, also to lines that were made later than what stands below them."""
        steps = [stop for box in self._boxes for stop in box.stops()]
        rest = (self._add, self._run_id, self._zone, self._user_id, self._user_email, self._user_name)
        for former, following in pairwise((*self._before, *steps, *rest)):
            self.setTabOrder(former, following)

    def _add_step(self) -> None:
        held = [box.step() for box in self._boxes]
        self._rebuild([*held, FormStep()])
        self._told()

    def _remove_step(self, number: int) -> None:
        held = [box.step() for box in self._boxes]
        del held[number]
        self._rebuild(held)
        self._told()

    def _told(self) -> None:
        if not self._quiet:
            self.changed.emit()
