"""Two replies to one question side by side: they scroll together, and one of them is kept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, button, chip, column, frame, label, row, tip
from carrel.ui.widgets.notes import Note
from carrel.ui.widgets.together import Together
from carrel.ui.widgets.transcript import Transcript


class CompareView(QWidget):
    """`kept` tells the side, 0 or 1, that shall go on; `differences_asked` whether differences are marked."""

    kept = Signal(int)
    differences_asked = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("chat.compare_view")
        self.sides = (
            Transcript("chat.compare.left", self.tr("Left reply")),
            Transcript("chat.compare.right", self.tr("Right reply")),
        )
        self.keeps = tuple(
            button(self.tr("Keep this one"), f"chat.compare.keep_{side}", icon_name="check", accessible=words)
            for side, words in (("left", self.tr("Keep the left reply")), ("right", self.tr("Keep the right reply")))
        )
        self.question = ElidedLabel("", "bold")
        self.differences = chip(self.tr("Differences"), "chat.compare.differences", checkable=True)
        self.differences.setToolTip(self.tr("Mark the sentences that only one side has"))
        self.earlier = button(self.tr("Earlier messages"), "chat.compare.earlier", kind="quiet", icon_name="up")
        self.earlier.setToolTip(self.tr("What was said before the two replies"))
        self._count = label("", "small")
        self.note = Note("chat.compare.note")
        self._together = _Sides(self, self.sides)
        self._build()
        self._connect()

    def ask(self, question: str) -> None:
        """Begin with another question."""
        self.question.setText(" ".join(question.split())[:500])
        tip(self.question, question[:2000])
        self.note.hide()

    def show_earlier(self, there_are: bool) -> None:
        """Whether anything was said before the two replies."""
        self.earlier.setVisible(there_are)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.earlier.setText(self.earlier.accessibleName() if self.width() > theme.px(520) else "")

    def show_state(self, *, ended: bool) -> None:
        """One can be kept, and differences be marked, once both have ended."""
        for keep in self.keeps:
            keep.setEnabled(ended)
            keep.setToolTip("" if ended else self.tr("When both replies have ended"))
        self.differences.setEnabled(ended)
        if not ended:
            self.differences.setChecked(False)

    def say_count(self, count: int | None) -> None:
        """How many sentences differ; None where nobody asked."""
        few = {None: "", 0: self.tr("No sentence differs"), 1: self.tr("1 sentence differs")}
        self._count.setText(few[count] if count in few else self.tr("{n} sentences differ").format(n=count))

    def _build(self) -> None:
        bar = frame(
            "part", "head", row(self.question, self._count, self.earlier, self.differences, margins=(24, 0, 24, 0))
        )
        bar.layout().setStretch(0, 1)
        both = row(self._side(0), frame("part", "rule"), self._side(1), spacing=0)
        both.setStretch(0, 1)
        both.setStretch(2, 1)
        whole = column(bar, self.note, both, spacing=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        rule = both.itemAt(1).widget()
        rule.setFixedWidth(1)

        def size() -> None:
            bar.setFixedHeight(theme.px(40))

        size()
        theme.follow(bar, size)

    def _side(self, number: int) -> QFrame:
        held = column(self.sides[number], row(1, self.keeps[number], 1, margins=(0, 6, 0, 10)), spacing=0)
        held.setStretch(0, 1)
        return frame("part", "side", held)

    def _connect(self) -> None:
        self.keeps[0].clicked.connect(lambda: self.kept.emit(0))
        self.keeps[1].clicked.connect(lambda: self.kept.emit(1))
        self.differences.toggled.connect(self.differences_asked)


class _Sides(Together):
    """A side that follows what streams takes the other one to its end."""

    def take_along(self, moved: Transcript, other: Transcript) -> None:
        if not moved.follows:
            super().take_along(moved, other)
        elif not other.follows:
            other.to_end()
