"""The form that asks for the variables of a saved prompt: one field each, in their order."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from carrel.model.prompts import Prompt
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, button, column, label, named, row


class PromptForm(QDialog):
    """`filled` gives the text with all variables filled in."""

    filled = Signal(str)

    def __init__(self, parent: QWidget, prompt: Prompt) -> None:
        """`prompt` has one variable at least."""
        super().__init__(parent)
        named(self, "prompt.form", self.tr("Fill in the prompt"))
        self.setWindowTitle(prompt.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._prompt = prompt
        self.fields = {name: self._field(name) for name in prompt.variables}
        take = button(self.tr("Insert"), "prompt.form.take", kind="primary")
        leave = button(self.tr("Cancel"), "prompt.form.cancel")
        body = column(ElidedLabel(prompt.title, "heading"), spacing=6, margins=(16, 16, 16, 14))
        for name, made in self.fields.items():
            body.addWidget(label(name, "field"))
            body.addWidget(made)
        body.addWidget(label(self.tr("Ctrl+Enter inserts it."), "small"))
        body.addLayout(row(1, leave, take))
        self.setLayout(body)
        self.setMinimumWidth(theme.px(420))
        self.fields[prompt.variables[0]].setFocus()
        take.clicked.connect(self._take)
        leave.clicked.connect(self.reject)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self._take)

    def _field(self, name: str) -> QPlainTextEdit:
        made = QPlainTextEdit()
        made.setProperty("look", "field")
        made.setTabChangesFocus(True)
        made.setFixedHeight(2 * made.fontMetrics().lineSpacing() + 18)
        named(made, f"prompt.form.{name}", name)
        return made

    def _take(self) -> None:
        self.filled.emit(self._prompt.filled({name: made.toPlainText() for name, made in self.fields.items()}))
        self.accept()
