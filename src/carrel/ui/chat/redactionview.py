"""What an account of the earlier interface tells of a text: redacted and original side by side, and what was found."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFrame,
    QPlainTextEdit,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from carrel.model.redaction import Redaction
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, chip, column, frame, label, named, row
from carrel.ui.widgets.together import Together
from carrel.ui.widgets.transcript import dress_tokens


class RedactionView(QDialog):
    """Opened with `open()`."""

    def __init__(self, parent: QWidget, redaction: Redaction) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        named(self, "chat.redaction", self.tr("Redaction"))
        of_message = redaction.about == "message"
        title = self.tr("Redaction of your message") if of_message else self.tr("Redaction of the reply")
        self.setWindowTitle(title)
        texts = {
            "redacted": (self.tr("Redacted"), redaction.redacted),
            "original": (self.tr("Original"), redaction.original),
            "synthetic": (self.tr("With stand-ins"), redaction.synthetic),
        }
        self._fields: dict[str, QPlainTextEdit] = {}
        self._sides = {key: self._side(key, *held) for key, held in texts.items() if held[1]}
        self._together = Together(self, list(self._fields.values()))
        for side in self._sides.values():
            side.setMinimumHeight(theme.px(140))
        closing = button(self.tr("Close"), "chat.redaction.close", kind="primary")
        closing.clicked.connect(self.accept)
        both = row(*self._sides.values(), spacing=12)
        box = column(label(title, "heading"), self._toggle(), both, spacing=12, margins=(20, 16, 20, 16))
        box.setStretch(2, 1)
        box.addWidget(label(self._found(redaction), "field"))
        if redaction.entities:
            box.addWidget(self._table(redaction))
        box.addLayout(row(1, closing))
        self.setLayout(box)
        self.resize(theme.px(720), theme.px(480))
        self._show("both")

    def _toggle(self) -> QFrame:
        """Redacted, original, both, or with stand-ins where the service sent them."""
        words = {"both": self.tr("Both"), "redacted": self.tr("Redacted"), "original": self.tr("Original")}
        if "synthetic" in self._sides:
            words["synthetic"] = self.tr("With stand-ins")
        group = QButtonGroup(self)
        chips = []
        for key, text in words.items():
            made = chip(text, f"chat.redaction.{key}", checkable=True)
            made.clicked.connect(lambda _=False, k=key: self._show(k))
            made.setChecked(key == "both")
            group.addButton(made)
            chips.append(made)
        return frame("part", "toggle", row(*chips, 1, spacing=6))

    def _show(self, shown: str) -> None:
        for key, side in self._sides.items():
            side.setVisible(key == shown or (shown == "both" and key != "synthetic"))

    def _side(self, key: str, title: str, text: str) -> QFrame:
        field = self._fields[key] = QPlainTextEdit(text)
        field.setReadOnly(True)
        named(field, f"chat.redaction.text_{key}", title)
        if key == "redacted":
            dress_tokens(field.document())
            theme.follow(field, lambda: dress_tokens(field.document()))
        return frame("part", "side", column(label(title, "field"), field, spacing=4))

    def _found(self, redaction: Redaction) -> str:
        if redaction.count is None:
            return self.tr("The service told no count of what it found.")
        if redaction.count == 0:
            return self.tr("Nothing sensitive was found.")
        return self.tr("Found: {n}").format(n=redaction.count)

    def _table(self, redaction: Redaction) -> QTableWidget:
        heads = [self.tr("What"), self.tr("Kind"), self.tr("Stands as")]
        table = QTableWidget(len(redaction.entities), len(heads))
        named(table, "chat.redaction.items", self.tr("What was found"))
        table.setHorizontalHeaderLabels(heads)
        table.horizontalHeader().setStretchLastSection(True)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.verticalHeader().hide()
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for number, entity in enumerate(redaction.entities):
            for place, text in enumerate((entity.text, entity.label, entity.token)):
                table.setItem(number, place, QTableWidgetItem(text))
        table.resizeColumnsToContents()
        table.setSizeAdjustPolicy(QTableWidget.SizeAdjustPolicy.AdjustToContents)  # the texts take what is left
        table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        table.setMaximumHeight(theme.px(160))
        return table
