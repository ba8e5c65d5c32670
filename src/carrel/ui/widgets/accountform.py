"""The fields of an account: address, three credentials, tenant, generation; tried before it is kept."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QWidget

from carrel.ui.widgets.controls import button, chip, column, label, named, restyle, row
from carrel.ui.widgets.notes import Note

FIELDS = ("base_url", "client_id", "api_key", "secret", "tenant_id")


class AccountFields(QWidget):
    """Tells what was typed as a dict of the service's own names; shows what came of it."""

    test_asked = Signal(dict)
    connect_asked = Signal(dict)

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix
        words = {
            "base_url": (self.tr("Address"), "https://…"),
            "client_id": (self.tr("Client ID"), ""),
            "api_key": (self.tr("API key"), self.tr("shown once, under Settings → API")),
            "secret": (self.tr("Secret"), ""),
            "tenant_id": (self.tr("Tenant (optional)"), ""),
        }
        self.fields = {name: self._field(name, *words[name]) for name in FIELDS}
        self.note = Note(f"{prefix}.note")
        self._current = chip(self.tr("Current interface"), f"{prefix}.current", checkable=True)
        self._earlier = chip(self.tr("Earlier interface"), f"{prefix}.earlier", checkable=True)
        generations = QButtonGroup(self)
        generations.addButton(self._current)
        generations.addButton(self._earlier)
        self._current.setChecked(True)
        self.test = button(self.tr("Test"), f"{prefix}.test")
        self.connect_ = button(self.tr("Connect"), f"{prefix}.connect", kind="primary")
        self._build(words)
        self._listen()

    def values(self) -> dict[str, str]:
        """What was typed, as it was typed."""
        typed = {name: field.text() for name, field in self.fields.items()}
        return typed | {"generation": "earlier" if self._earlier.isChecked() else "current"}

    def show_busy(self, words: str) -> None:
        """Say what is going on; nothing can be pressed meanwhile."""
        self.note.say("info", "", words)
        self._enable(False)

    def show_done(self, words: str) -> None:
        """Say that it worked."""
        self.note.say("info", "", words)
        self._enable(True)

    def show_error(self, error: object) -> None:
        """Say what is wrong, and mark the field that it is about."""
        self._enable(True)
        self.note.say_error(error)
        wrong = getattr(error, "code", "")
        for name, field in self.fields.items():
            field.setProperty("wrong", name == wrong)
            restyle(field)
        if wrong in self.fields:
            self.fields[wrong].setFocus()

    def clear(self) -> None:
        """Forget what was typed, the secrets first."""
        for field in self.fields.values():
            field.clear()
        self.note.hide()
        self._enable(True)

    def _field(self, name: str, words: str, hint: str) -> QLineEdit:
        made = QLineEdit()
        named(made, f"{self._prefix}.{name}", words)
        made.setPlaceholderText(hint)
        if name in {"api_key", "secret"}:
            made.setEchoMode(QLineEdit.EchoMode.Password)
            made.setInputMethodHints(Qt.InputMethodHint.ImhSensitiveData | Qt.InputMethodHint.ImhNoPredictiveText)
        return made

    def _build(self, words: dict[str, tuple[str, str]]) -> None:
        box = column(spacing=10)
        for name, field in self.fields.items():
            title = label(words[name][0], "field")
            title.setBuddy(field)
            box.addLayout(column(title, field, spacing=4))
        box.addLayout(row(self._current, self._earlier, 1, self.test, self.connect_))
        box.addWidget(self.note)
        self.setLayout(box)

    def _listen(self) -> None:
        self.test.clicked.connect(lambda: self.test_asked.emit(self.values()))
        self.connect_.clicked.connect(lambda: self.connect_asked.emit(self.values()))
        for field in self.fields.values():
            field.textEdited.connect(lambda _, f=field: self._unmark(f))
            field.returnPressed.connect(self.connect_.click)

    def _unmark(self, field: QLineEdit) -> None:
        if field.property("wrong"):
            field.setProperty("wrong", False)
            restyle(field)

    def _enable(self, enabled: bool) -> None:
        for widget in (*self.fields.values(), self.test, self.connect_):
            widget.setEnabled(enabled)
