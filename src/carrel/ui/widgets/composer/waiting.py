"""Messages that wait in line, over the text: each can be edited or removed, and a line that is held can be sent."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from carrel.ui.icons import icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, button, column, label, row, tool

LONGEST = 40
"""Letters that are seen of what goes along."""


class WaitingRows(QFrame):
    """`edit_asked` and `remove_asked` tell the id of a message, `go_asked` that the line shall go on."""

    edit_asked = Signal(str)
    remove_asked = Signal(str)
    go_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("chat.waiting")
        self._lines = QVBoxLayout()
        self._lines.setSpacing(0)
        self._words = label("", "small")
        self.go = button(self.tr("Send now"), "chat.waiting.go", icon_name="send")
        self.go.setProperty("look", "small")
        self.go.clicked.connect(self.go_asked)
        self._shown: tuple[Sequence[tuple[str, str, str]], bool] = ((), True)
        self.setLayout(column(row(self._words, 1, self.go), self._lines, spacing=2, margins=(0, 0, 0, 6)))
        self.hide()

    def say(self, waiting: Sequence[tuple[str, str, str]], *, goes: bool) -> None:
        """Show (id, words, what goes along) of each; `goes` is whether they go by themselves."""
        if (tuple(waiting), goes) == self._shown:
            return
        self._shown = (tuple(waiting), goes)
        while taken := self._lines.takeAt(0):
            taken.widget().hide()
            taken.widget().deleteLater()
        for number, held in enumerate(waiting):
            self._lines.addWidget(self._line(number, *held))
        by_itself = self.tr("Waits for the reply to end")
        self._words.setText(by_itself if goes else self.tr("Waits for you; nothing is sent by itself"))
        self.go.setVisible(not goes)
        self.setVisible(bool(waiting))

    def _line(self, number: int, waiting_id: str, words: str, along: str) -> QFrame:
        said = ElidedLabel(" ".join(words.split()))
        edit = tool("edit", f"chat.waiting.{number}.edit", self.tr("Edit: {words}").format(words=words[:80]))
        remove = tool("close", f"chat.waiting.{number}.remove", self.tr("Remove: {words}").format(words=words[:80]))
        edit.setToolTip(self.tr("Take it back into the composer"))
        remove.setToolTip(self.tr("Remove"))
        edit.clicked.connect(lambda: self.edit_asked.emit(waiting_id))
        remove.clicked.connect(lambda: self.remove_asked.emit(waiting_id))
        made = QFrame()
        made.setObjectName(f"chat.waiting.{number}")
        held = row(_mark("clock"), spacing=8)
        held.addWidget(said, 1)
        if along:
            beside = label(along if len(along) <= LONGEST else along[: LONGEST - 1] + "…", "small")
            beside.setObjectName(f"chat.waiting.{number}.along")
            beside.setToolTip(f"<span>{escape(along)}</span>")
            held.addWidget(_mark("attach"))
            held.addWidget(beside)
        held.addWidget(edit)
        held.addWidget(remove)
        made.setLayout(held)
        return made


def _mark(icon_name: str) -> QLabel:
    made = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
    made.setPixmap(icon(icon_name).pixmap(QSize(theme.px(14), theme.px(14))))
    return made
