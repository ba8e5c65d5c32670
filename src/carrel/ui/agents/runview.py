"""One agent run: what was asked, how it stands, the files that it made, and its output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from carrel.model.transfers import Transfer
from carrel.ui.agents.files import GeneratedFiles
from carrel.ui.amounts import clock
from carrel.ui.widgets.controls import button, chip, column, frame, label, named, row
from carrel.ui.widgets.flow import FlowLayout
from carrel.ui.widgets.markdownview import MarkdownView
from carrel.ui.widgets.notes import Note
from carrel.work.agents import AgentRun

LINES, LETTERS = 8, 900
"""Of a prompt that is longer, so much is shown at first."""


class RunView(QWidget):
    """`acted` tells a key: cancel, and what a note offers."""

    acted = Signal(str)
    linked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "agents.view", self.tr("Agent run"))
        self._chips = FlowLayout()
        self._asked = ""
        self._prompt = label("", wrap=True, select=True)
        self._prompt.setObjectName("agents.asked")
        self._going = self._going_card()
        self.note = Note("agents.note")
        self.files = GeneratedFiles()
        self._files_title = label(self.tr("Generated files"), "section")
        self._output_title = label(self.tr("Output"), "section")
        self.output = MarkdownView("agents.output", self.tr("Output"))
        self.note.acted.connect(self.acted)
        self.output.linked.connect(self.linked)
        self._too_long = label(
            self.tr("Too long to be formatted here, so it is shown as it came. Copy output takes all of it."),
            "muted",
            wrap=True,
        )
        self._whole = button(self.tr("Show all of it"), "agents.asked.whole", kind="quiet")
        self._whole.clicked.connect(self._show_whole)
        title = row(label(self.tr("Prompt"), "muted"), 1, self._whole)
        asked = column(title, self._prompt, spacing=4, margins=(14, 12, 14, 12))
        asked.addSpacing(6)
        asked.addLayout(self._chips)
        self.setLayout(
            column(
                frame("card", "sunk", asked),
                self._going,
                self.note,
                self._files_title,
                self.files,
                self._output_title,
                self._too_long,
                self.output,
                1,
                spacing=10,
            )
        )

    def show_run(self, run: AgentRun, chips: Sequence[tuple[str, str]], transfers: Mapping[str, Transfer]) -> None:
        """Show a run; `chips` are (icon, words)."""
        self._show_prompt(run.request.prompt)
        self._show_chips(chips)
        self._going.setVisible(run.state == "running")
        files = run.result.generated_files if run.result else ()
        self._files_title.setVisible(bool(files))
        self.files.setVisible(bool(files))
        self.files.show_files(files, transfers)
        output = run.result.output if run.result else ""
        self._output_title.setVisible(bool(output))
        self.output.setVisible(bool(output))
        self.output.show_markdown(output)
        self._too_long.setVisible(bool(output) and self.output.is_plain)

    def _show_prompt(self, text: str) -> None:
        """A long prompt is cut, so that what came of it is in sight; as it was unfolded, it stays."""
        if text == self._asked:
            return
        self._asked = text
        cut = "\n".join(text[:LETTERS].splitlines()[:LINES])
        is_long = cut != text.rstrip("\n")
        self._prompt.setText(f"{cut}…" if is_long else text)
        self._whole.setVisible(is_long)

    def _show_whole(self) -> None:
        self._prompt.setText(self._asked)
        self._prompt.setFocus()
        self._whole.hide()

    def show_clock(self, seconds: float, limit: int) -> None:
        """How long it has been, toward the limit."""
        self._clock.setText(self.tr("{now} of {limit}").format(now=clock(seconds), limit=clock(limit)))
        self._bar.setRange(0, max(1, limit))
        self._bar.setValue(min(limit, int(seconds)))

    def _going_card(self) -> QFrame:
        self._clock = label("", "bold")
        self._clock.setObjectName("agents.clock")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Time toward the limit"))
        stop = button(self.tr("Cancel"), "agents.cancel", icon_name="stop")
        stop.clicked.connect(lambda: self.acted.emit("cancel"))
        words = label(self.tr("The agent works. You can leave this pane, or start another run."), "muted", wrap=True)
        top = row(label(self.tr("Running"), "muted"), self._clock, 1, stop)
        return frame("card", "true", column(top, self._bar, words, margins=(14, 10, 14, 12)))

    def _show_chips(self, chips: Sequence[tuple[str, str]]) -> None:
        while taken := self._chips.takeAt(0):
            taken.widget().hide()
            taken.widget().deleteLater()
        for number, (icon_name, words) in enumerate(chips):
            made = chip(words, f"agents.fact.{number}", icon_name=icon_name)
            made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # a fact, not a switch
            self._chips.addWidget(made)
