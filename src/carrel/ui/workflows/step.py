"""The part of a workflow's form that belongs to one step: its values and its files."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from carrel.model.forms import FileShape, FormField, FormFile, FormStep, Problem
from carrel.ui.theme import theme
from carrel.ui.widgets.choice import Choice
from carrel.ui.widgets.controls import button, column, label, named, row, tool
from carrel.ui.workflows.fields import FieldLine, UrlLine


class StepBox(QWidget):
    """`changed` tells each change, `library_asked` that files shall come from the library."""

    changed = Signal()
    removed = Signal()
    library_asked = Signal()
    arranged = Signal()
    """Lines have come or gone."""

    def __init__(self, number: int, held: FormStep, *, is_only: bool) -> None:
        super().__init__()
        self._prefix = f"workflows.step.{number}"
        named(self, self._prefix, self.tr("Step {n}").format(n=number + 1))
        self._lines: list[FieldLine] = []
        self._urls: list[UrlLine] = []
        self._build(is_only)
        self.show_step(held)
        self._id.textChanged.connect(self.changed)
        self._shape.activated.connect(self._shape_chosen)

    def show_step(self, held: FormStep) -> None:
        """Set everything; lines that are there already only take their new values, so that the cursor stays."""
        if self._id.text() != held.id:
            self._id.setText(held.id)
        is_other_shape = self._shape.currentData() != held.shape
        self._shape.setCurrentIndex(self._shape.findData(held.shape))
        self._show_fields(held.fields)
        if is_other_shape or held.files != self._files():
            self._show_urls(held.files)

    def step(self) -> FormStep:
        """What the step holds."""
        shape: FileShape = self._shape.currentData()
        return FormStep(
            id=self._id.text(), fields=tuple(line.field() for line in self._lines), shape=shape, files=self._files()
        )

    def add_files(self, files: Sequence[FormFile]) -> None:
        """Add files; where they are more than one, they go as several."""
        held = [file for file in self._files() if file.url.strip()]
        if len(held) + len(files) > 1 and self._shape.currentData() == "one":
            self._shape.setCurrentIndex(self._shape.findData("several"))
        self._show_urls((*held, *files))
        self.changed.emit()

    def stops(self) -> list[QWidget]:
        """What Tab goes to, in the order in which it is read."""
        fields = [stop for line in self._lines for stop in line.stops()]
        files = [stop for line in self._urls for stop in line.stops()]
        return [self._id, self._remove, *fields, self._add, self._shape, *files, self._add_url, self._library]

    def say_wrong(self, problems: Sequence[Problem]) -> None:
        """Say what is wrong, at the lines where it is."""
        at = {p.field: p.words for p in reversed(problems)}
        for number, line in enumerate(self._lines):
            line.say_wrong(at.get(number, ""))
        self._why.setText(at.get(-1, ""))
        self._why.setVisible(-1 in at)

    def _build(self, is_only: bool) -> None:
        self._id = QLineEdit()
        named(self._id, f"{self._prefix}.id", self.tr("Step id, or step group id"))
        self._id.setPlaceholderText(self.tr("Step id"))
        theme.keep(self, lambda: self._id.setMaximumWidth(theme.px(220)))
        self._remove = remove = tool("trash", f"{self._prefix}.remove", self.tr("Remove this step"))
        remove.clicked.connect(self.removed)
        remove.setVisible(not is_only)
        self._why = label("", "danger", wrap=True)
        self._why.hide()
        self._fields, self._files_box = QVBoxLayout(), QVBoxLayout()
        for box in (self._fields, self._files_box):
            box.setSpacing(8)
        self._add = add = button(self.tr("Add field"), f"{self._prefix}.add_field", kind="quiet", icon_name="plus")
        add.clicked.connect(lambda: self._add_field(FormField()))
        self._add_url = button(self.tr("Add file"), f"{self._prefix}.add_file", kind="quiet", icon_name="plus")
        self._add_url.clicked.connect(lambda: self._show_urls((*self._files(), FormFile())))
        self._library = button(self.tr("From library"), f"{self._prefix}.library", kind="quiet", icon_name="library")
        self._library.clicked.connect(self.library_asked)
        self._shape = self._shapes()
        title = row(label(self.tr("Form inputs · step"), "section"), self._id, 1, remove)
        title.setStretchFactor(self._id, 2)
        files_title = row(label(self.tr("File URLs"), "section"), self._shape, 1)
        body = column(title, self._why, self._fields, row(add, 1), files_title, self._files_box, spacing=8)
        body.addLayout(row(self._add_url, self._library, 1))
        self.setLayout(body)

    def _shapes(self) -> Choice:
        made = Choice(f"{self._prefix}.shape", self.tr("How the files are sent"))
        for shape, words in {
            "one": self.tr("One URL"),
            "several": self.tr("Several URLs"),
            "named": self.tr("URLs by field name"),
        }.items():
            made.addItem(words, shape)
        return made

    def _show_fields(self, fields: Sequence[FormField]) -> None:
        while len(self._lines) > len(fields):
            self._drop(self._lines.pop())
        for line, held in zip(self._lines, fields, strict=False):
            if line.field() != held:
                line.show_field(held)
        for held in fields[len(self._lines) :]:
            self._add_field(held, tell=False)
        self.arranged.emit()

    def _add_field(self, held: FormField, *, tell: bool = True) -> None:
        line = FieldLine(f"{self._prefix}.field.{len(self._lines)}", held)
        line.changed.connect(self.changed)
        line.removed.connect(lambda: self._remove_field(line))
        self._lines.append(line)
        self._fields.addWidget(line)
        if tell:
            self.arranged.emit()
            line.findChild(QLineEdit).setFocus(Qt.FocusReason.OtherFocusReason)
            self.changed.emit()

    def _remove_field(self, line: FieldLine) -> None:
        self._lines.remove(line)
        self._drop(line)
        for number, one in enumerate(self._lines):
            one.rename(f"{self._prefix}.field.{number}")
        self.changed.emit()

    def _show_urls(self, files: Sequence[FormFile]) -> None:
        for line in self._urls:
            self._drop(line)
        self._urls = []
        has_name = self._shape.currentData() == "named"
        for number, held in enumerate(files):
            line = UrlLine(f"{self._prefix}.file.{number}", held, has_name=has_name)
            line.changed.connect(self.changed)
            line.removed.connect(lambda made=line: self._remove_url(made))
            self._urls.append(line)
            self._files_box.addWidget(line)
        self._add_url.setVisible(not files or self._shape.currentData() != "one")
        self.arranged.emit()

    def _remove_url(self, line: UrlLine) -> None:
        self._show_urls([one.file() for one in self._urls if one is not line])
        self.changed.emit()

    def _shape_chosen(self) -> None:
        self._show_urls(self._files())
        self.changed.emit()

    def _files(self) -> tuple[FormFile, ...]:
        return tuple(line.file() for line in self._urls)

    @staticmethod
    def _drop(line: QWidget) -> None:
        line.hide()
        line.deleteLater()
