"""What goes along with the message, as chips over its text: files, quotations, uploads that are under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from carrel.model.draft import Attachment, Draft
from carrel.ui.widgets.composer.tools import GAP
from carrel.ui.widgets.controls import chip, label, literal, named
from carrel.ui.widgets.flow import FlowLayout
from carrel.ui.widgets.transcript.quoting import SEEN, plain

MOST = 30
"""Chips of files: a person who takes a whole library along need not wait until there is one for each."""

LONGEST = 32
"""Letters of a name that a chip shows."""


class Held(QWidget):
    """`detached` tells the number of an attachment that was removed, `unquoted` that of a quotation."""

    detached = Signal(int)
    unquoted = Signal(int)
    upload_stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout()
        self._flow.setContentsMargins(0, 0, 0, 4)
        self.setLayout(self._flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._attachments: Sequence[Attachment] = ()
        self._quotes: Sequence[str] = ()
        self._uploading = ""
        self._show()

    def show_draft(self, draft: Draft) -> None:
        """Show what goes along with a draft."""
        held = (draft.attachments, draft.quotes)
        if held != (self._attachments, self._quotes):
            self._attachments, self._quotes = held
            self._show()

    def show_uploading(self, words: str) -> None:
        """Say how far uploads have come; empty where there are none."""
        former, self._uploading = self._uploading, words
        if former and words:  # the chip stays: a press on it is not lost, nor is the focus
            self._say(self._under_way, words)
        elif words != former:
            self._show()

    def _show(self) -> None:
        while taken := self._flow.takeAt(0):
            taken.widget().hide()
            taken.widget().deleteLater()
        for number, held in enumerate(self._attachments[:MOST]):
            self._add(f"chat.attachment.{number}", "file", held.name, lambda n=number: self.detached.emit(n))
        if len(self._attachments) > MOST:
            rest = self.locale().toString(len(self._attachments) - MOST)
            more = label(self.tr("and {n} more").format(n=rest), "muted")
            named(more, "chat.attachments_more")
            self._flow.addWidget(more)
        for number, quoted in enumerate(self._quotes):
            words = f"“{plain(quoted[:SEEN])}”"
            self._add(f"chat.quote.{number}", "quote", words, lambda n=number: self.unquoted.emit(n))
        if self._uploading:
            self._under_way = self._add("chat.uploading", "upload", self._uploading, self.upload_stopped.emit)
        self.setVisible(self._flow.count() > 0)
        self.updateGeometry()

    def _add(self, name: str, icon_name: str, words: str, remove: Callable[[], None]) -> QToolButton:
        made = chip("", name, icon_name=icon_name, tip=self.tr("Remove"))
        self._say(made, words)
        made.clicked.connect(lambda _=False: remove())
        self._flow.addWidget(made)
        return made

    def _say(self, made: QToolButton, words: str) -> None:
        shown = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
        made.setText(literal(f"{GAP}{shown} ✕"))
        made.setAccessibleName(self.tr("Remove {name}").format(name=words[:200]))
