"""The settings of the live reference: whether it is read, what it told, and a way to read it again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from carrel.model import Learned
from carrel.ui.amounts import moment
from carrel.ui.widgets.controls import Switch, button, column, label, row


class ReferenceBox(QWidget):
    """`switched` tells whether it may be read; `read_asked` that it shall be read again."""

    switched = Signal(bool)
    read_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._switch = Switch(self.tr("Learn from the service's own description"), "settings.use_reference")
        self._switch.toggled.connect(self.switched)
        self._learned = label("", "small", wrap=True, select=True)
        self._learned.setObjectName("settings.learned")
        self._again = button(self.tr("Read again"), "settings.read_again")
        self._again.clicked.connect(self.read_asked)
        self.setLayout(column(self._switch, self._learned, row(self._again, 1), spacing=8))

    def show_use(self, on: bool) -> None:
        """Show whether it may be read, without telling anyone."""
        self._switch.blockSignals(True)
        self._switch.setChecked(on)
        self._switch.blockSignals(False)
        self._again.setEnabled(on)

    def show_learned(self, learned: Learned, read_at: float) -> None:
        """Say what it told, and when that was."""
        words = {
            "workflow_page": self.tr("Workflow list, page number: {value}"),
            "workflow_page_size": self.tr("Workflow list, items per page: {value}"),
            "workflow_search": self.tr("Workflow list, search: {value}"),
            "continue_fields": self.tr("A continued conversation takes: {value}"),
            "run_status_path": self.tr("How a run stands is told by: {value}"),
        }
        told = {name: getattr(learned, name) for name in words}
        lines = [
            words[name].format(value=value if isinstance(value, str) else ", ".join(value))
            for name, value in told.items()
            if value
        ]
        source = self.tr("Read from {source}, {when}").format(source=learned.source, when=moment(read_at))
        self._learned.setText("\n".join([*(lines or [self.tr("It told nothing beyond the document.")]), source]))

    def show_nothing(self, words: str) -> None:
        """Say why nothing is known."""
        self._learned.setText(words)
