"""The fields of an account: address, three credentials, tenant, generation; tried before it is kept."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QButtonGroup, QLineEdit, QWidget

from carrel.ui.widgets.controls import button, chip, column, label, named, restyle, row
from carrel.ui.widgets.notes import Note

FIELDS = ("base_url", "client_id", "api_key", "secret", "tenant_id")


class AccountFields(QWidget):
    """Tells what was typed as a dict of the service's own names; shows what came of it."""

    test_asked = Signal(dict)
    connect_asked = Signal(dict)
    cancel_asked = Signal()

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
        self.cancel = button(self.tr("Cancel"), f"{prefix}.cancel", accessible=self.tr("Stop asking"))
        self.cancel.hide()
        self._build(words)
        self._listen()

    def values(self) -> dict[str, str]:
        """What was typed, as it was typed."""
        typed = {name: field.text() for name, field in self.fields.items()}
        return typed | {"generation": "earlier" if self._earlier.isChecked() else "current"}

    def show_account(self, base_url: str, tenant_id: str, generation: str) -> None:
        """Fill in what is known of an account; its credentials are still to be typed."""
        known = {"base_url": base_url, "tenant_id": tenant_id}
        for name, field in self.fields.items():
            field.setText(known.get(name, ""))
        (self._earlier if generation == "earlier" else self._current).setChecked(True)
        self.fields["client_id"].setFocus()

    def show_busy(self, words: str) -> None:
        """Say what is going on; nothing but Cancel can be pressed meanwhile."""
        self.note.say("info", "", words)
        had_focus = self.isAncestorOf(QApplication.focusWidget())
        self._enable(False)
        if had_focus:
            self.cancel.setFocus()

    def show_idle(self) -> None:
        """Nothing is going on any more, and nothing came of it."""
        self.note.hide()
        self._enable(True)

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
        self.show_idle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """It never asks for the width that all buttons in one line would take."""
        widest = max(part.minimumSize().width() for part in (self._choices, self._buttons))
        return QSize(widest, super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Where one line has no room for the generations and the buttons, the buttons stand below."""
        ways = QBoxLayout.Direction
        wide = sum(part.minimumSize().width() for part in (self._choices, self._buttons)) + self._below.spacing()
        self._below.setDirection(ways.LeftToRight if wide <= self.width() else ways.TopToBottom)

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
        self._choices = row(self._current, self._earlier, 1)
        self._buttons = row(1, self.cancel, self.test, self.connect_)
        self._below = row(self._choices, self._buttons, spacing=8)
        box.addLayout(self._below)
        box.addWidget(self.note)
        self.setLayout(box)

    def _listen(self) -> None:
        self.test.clicked.connect(lambda: self.test_asked.emit(self.values()))
        self.connect_.clicked.connect(lambda: self.connect_asked.emit(self.values()))
        self.cancel.clicked.connect(self.cancel_asked)
        for field in self.fields.values():
            field.textEdited.connect(lambda _, f=field: self._unmark(f))
            field.returnPressed.connect(self.connect_.click)

    def _unmark(self, field: QLineEdit) -> None:
        if field.property("wrong"):
            field.setProperty("wrong", False)
            restyle(field)

    def _enable(self, enabled: bool) -> None:
        had_focus = self.cancel.hasFocus()
        for widget in (*self.fields.values(), self._current, self._earlier, self.test, self.connect_):
            widget.setEnabled(enabled)
        self.cancel.setVisible(not enabled)
        self._fit()
        if enabled and had_focus:
            self.connect_.setFocus()
