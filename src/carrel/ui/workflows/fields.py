"""One line of a workflow's form: a value with its name and type, or a file's URL."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QStackedWidget, QWidget

from carrel.model.forms import FieldKind, FormField, FormFile
from carrel.ui.theme import theme
from carrel.ui.widgets.choice import Choice
from carrel.ui.widgets.codeview import CodeView
from carrel.ui.widgets.controls import Switch, column, label, named, restyle, row, tool

ONE_LINE = {"text", "number", "date"}
PLACEHOLDERS = {"text": "", "number": "48000", "date": "2026-11-21"}


class FieldLine(QWidget):
    """Name, type and value. `changed` tells each change, `removed` that the line shall go."""

    changed = Signal()
    removed = Signal()

    def __init__(self, prefix: str, held: FormField) -> None:
        super().__init__()
        self._prefix = prefix
        self._name = QLineEdit(held.name)
        named(self._name, f"{prefix}.name", self.tr("Field name"))
        self._name.setPlaceholderText(self.tr("Field"))
        self._kind = self._kinds(prefix)
        self._line = QLineEdit()
        named(self._line, f"{prefix}.value", self.tr("Value"))
        self._switch = Switch("", f"{prefix}.switch")
        self._switch.setAccessibleName(self.tr("Value: yes or no"))
        self._text = QPlainTextEdit()
        named(self._text, f"{prefix}.list", self.tr("Values, one a line"))
        self._text.setProperty("look", "field")
        self._text.setPlaceholderText(self.tr("One item a line"))
        self._code = CodeView(f"{prefix}.json", self.tr("Value as JSON"), editable=True)
        for several in (self._text, self._code):
            several.setTabChangesFocus(True)
        self._why = label("", "danger", wrap=True)
        self._why.hide()
        self._lay_out(prefix)
        self.show_field(held)
        self._connect()
        theme.keep(self, self._fit)

    def show_field(self, held: FormField) -> None:
        """Set name, type and value; nothing is told."""
        self.blockSignals(True)
        if self._name.text() != held.name:
            self._name.setText(held.name)
        self._kind.setCurrentIndex(self._kind.findData(held.kind))
        self._put(held.kind, held.text)
        self._turn()
        self.blockSignals(False)

    def rename(self, prefix: str) -> None:
        """Take the names of another place, after a line before it has gone: no two lines have the same."""
        for part in self.findChildren(QWidget):
            if part.objectName().startswith(f"{self._prefix}."):
                part.setObjectName(prefix + part.objectName().removeprefix(self._prefix))
        self._prefix = prefix

    def field(self) -> FormField:
        """What the line holds."""
        kind: FieldKind = self._kind.currentData()
        return FormField(name=self._name.text(), kind=kind, text=self._taken(kind))

    def stops(self) -> list[QWidget]:
        """What Tab goes to, from left to right."""
        return [self._name, self._kind, self._line, self._switch, self._text, self._code, self._remove]

    def say_wrong(self, words: str) -> None:
        """Say what is wrong here; empty where nothing is."""
        for widget in (self._name, self._line, self._text, self._code):
            wrong = bool(words) and (widget is not self._name or not self._name.text().strip())
            if bool(widget.property("wrong")) != wrong:
                widget.setProperty("wrong", wrong)
                restyle(widget)
        self._why.setText(words)
        self._why.setVisible(bool(words))

    def _fit(self) -> None:
        self._name.setMinimumWidth(theme.px(70))
        self._name.setMaximumWidth(theme.px(130))
        self._kind.setFixedWidth(theme.px(108))
        self._text.setFixedHeight(theme.px(66))
        self._code.setFixedHeight(theme.px(66))
        self._fit_value()

    def _fit_value(self) -> None:
        is_tall = self._kind.currentData() in {"list", "json"}
        self._values.setFixedHeight(theme.px(66) if is_tall else self._line.sizeHint().height())

    def _kinds(self, prefix: str) -> Choice:
        made = Choice(f"{prefix}.kind", self.tr("Type"))
        for kind, words in {
            "text": self.tr("Text"),
            "number": self.tr("Number"),
            "yes-no": self.tr("Yes or no"),
            "date": self.tr("Date"),
            "list": self.tr("List"),
            "json": self.tr("JSON"),
        }.items():
            made.addItem(words, kind)
        return made

    def _lay_out(self, prefix: str) -> None:
        self._remove = tool("close", f"{prefix}.remove", self.tr("Remove this field"))
        self._remove.clicked.connect(self.removed)
        self._values = QStackedWidget()
        self._switch_page = QWidget()
        self._switch_page.setLayout(row(self._switch, 1))
        for page in (self._line, self._switch_page, self._text, self._code):
            self._values.addWidget(page)
        line = row(self._name, self._kind, self._values, self._remove)
        line.setStretchFactor(self._name, 2)
        line.setStretchFactor(self._values, 3)
        self.setLayout(column(line, self._why, spacing=2))

    def _connect(self) -> None:
        self._name.textChanged.connect(self.changed)
        self._line.textChanged.connect(self.changed)
        self._text.textChanged.connect(self.changed)
        self._code.textChanged.connect(self.changed)
        self._switch.toggled.connect(self._switched)
        self._kind.activated.connect(self._kind_chosen)

    def _switched(self) -> None:
        self._switch.setText("true" if self._switch.isChecked() else "false")
        self._switch.updateGeometry()
        self.changed.emit()

    def _kind_chosen(self) -> None:
        self._put(self._kind.currentData(), self._taken(self._former))
        self._turn()
        self.changed.emit()

    def _turn(self) -> None:
        """Show the editor of the type that is chosen."""
        kind = self._former = self._kind.currentData()
        pages = {"yes-no": self._switch_page, "list": self._text, "json": self._code}
        self._values.setCurrentWidget(pages.get(kind, self._line))
        self._line.setPlaceholderText(PLACEHOLDERS.get(kind, ""))
        self._fit_value()

    def _put(self, kind: FieldKind, text: str) -> None:
        if kind == "yes-no":
            self._switch.setChecked(text == "true")
            self._switch.setText("true" if text == "true" else "false")
        elif kind == "list" and self._text.toPlainText() != text:
            self._text.setPlainText(text)
        elif kind == "json":
            self._code.show_code(text)
        elif kind in ONE_LINE and self._line.text() != text:
            self._line.setText(text.replace("\n", " "))

    def _taken(self, kind: FieldKind) -> str:
        match kind:
            case "yes-no":
                return "true" if self._switch.isChecked() else "false"
            case "list":
                return self._text.toPlainText()
            case "json":
                return self._code.toPlainText()
        return self._line.text()


class UrlLine(QWidget):
    """A file's URL, with a name where the step's files are named."""

    changed = Signal()
    removed = Signal()

    def __init__(self, prefix: str, held: FormFile, *, has_name: bool) -> None:
        super().__init__()
        self._name = QLineEdit(held.name)
        named(self._name, f"{prefix}.name", self.tr("File’s field name"))
        self._name.setPlaceholderText(self.tr("Field"))
        theme.keep(self, lambda: self._name.setFixedWidth(theme.px(130)))
        self._name.setVisible(has_name)
        self._url = QLineEdit(held.url)
        named(self._url, f"{prefix}.url", self.tr("Address of the file"))
        self._url.setPlaceholderText("https://…")
        self._remove = tool("close", f"{prefix}.remove", self.tr("Remove this file"))
        self._remove.clicked.connect(self.removed)
        self.setLayout(row(self._name, self._url, self._remove))
        self._name.textChanged.connect(self.changed)
        self._url.textChanged.connect(self.changed)

    def stops(self) -> list[QWidget]:
        """What Tab goes to, from left to right."""
        return [self._name, self._url, self._remove]

    def file(self) -> FormFile:
        """What the line holds."""
        return FormFile(name=self._name.text(), url=self._url.text())
