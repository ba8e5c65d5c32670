"""Messages that wait in line, over the text: each can be edited or removed, and a line that is held can be sent."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from carrel.ui.icons import icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, button, column, label, row, tip, tool

MOST = 3
"""Messages that are seen without scrolling."""

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
        self._shown: tuple[Sequence[tuple[str, str, str]], bool, bool] = ((), True, False)
        self._room = _Room(self._lines)
        self.setLayout(column(row(self._words, 1, self.go), self._room, spacing=2, margins=(0, 0, 0, 6)))
        theme.follow(self, self._fit)
        self.hide()

    def say(self, waiting: Sequence[tuple[str, str, str]], *, goes: bool, undecided: bool = False) -> None:
        """Show (id, words, what goes along) of each; `goes` is whether they go by themselves, `undecided` whether they
        wait for one of two replies to be kept.
        """
        now = (tuple(waiting), goes, undecided)
        if now == self._shown:
            return
        self._shown = now
        while taken := self._lines.takeAt(0):
            taken.widget().hide()
            taken.widget().deleteLater()
        for number, held in enumerate(waiting):
            self._lines.addWidget(self._line(number, *held))
        self._words.setText(self._why(goes=goes, undecided=undecided))
        self.go.setVisible(not goes and not undecided)
        self.setVisible(bool(waiting))
        self._fit()

    def _why(self, *, goes: bool, undecided: bool) -> str:
        if undecided:
            return self.tr("Waits until you keep one of the two replies")
        return self.tr("Waits for the reply to end") if goes else self.tr("Waits for you; nothing is sent by itself")

    def _fit(self) -> None:
        """A few rows are seen whole; of more the rest is scrolled to, so that the words to type keep their room."""
        rows = (self._lines.itemAt(number).widget() for number in range(min(MOST, self._lines.count())))
        self._room.take(*(row.sizeHint().height() for row in rows))

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
            tip(beside, along)
            held.addWidget(_mark("attach"))
            held.addWidget(beside)
        held.addWidget(edit)
        held.addWidget(remove)
        made.setLayout(held)
        return made


class _Room(QScrollArea):
    """Where the rows stand; it scrolls once there are many."""

    def __init__(self, lines: QVBoxLayout) -> None:
        super().__init__()
        self.setObjectName("chat.waiting.rows")
        inner = QWidget()
        inner.setProperty("clear", True)
        lines.setContentsMargins(0, 0, 0, 0)
        inner.setLayout(lines)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its buttons take the focus, and it follows them
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def take(self, *heights: int) -> None:
        """Be as high as these rows together; where the window has no room for that, one row stays."""
        self.setMinimumHeight(max(heights, default=0))
        self.setMaximumHeight(sum(heights))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())


def _mark(icon_name: str) -> QLabel:
    made = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)

    def draw() -> None:
        made.setPixmap(icon(icon_name).pixmap(QSize(theme.px(14), theme.px(14))))

    draw()
    theme.follow(made, draw)
    return made
