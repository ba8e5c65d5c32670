"""The chat pane's widgets: the list of chats, the transcript, the composer."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from carrel.ui.chat.compareview import CompareView
from carrel.ui.chat.findbar import FindBar
from carrel.ui.chat.side import ChatSide
from carrel.ui.theme import theme
from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.controls import ElidedLabel, Tag, button, column, frame, head, row
from carrel.ui.widgets.notes import EmptyState, Note
from carrel.ui.widgets.transcript import Transcript


class ChatPane(QWidget):
    """Speaks by signals; the presenter fills it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("chat.pane")
        self.side = ChatSide()
        self.find = FindBar()
        self.find_open = button(self.tr("Find"), "chat.find.open", kind="quiet", icon_name="search")
        self.export = button(self.tr("Export"), "chat.export", kind="quiet", icon_name="download")
        self.exporting = Note("chat.exporting", closable=True)
        self.title = ElidedLabel("", "bold")
        self.title.setObjectName("chat.title")
        self.note = Note("chat.note", closable=True)
        self.undecided = Note("chat.undecided")
        self.transcript = Transcript("chat.transcript", self.tr("Conversation"))
        self.compare = CompareView()
        self.empty = EmptyState("chat.empty", "chat")
        self.composer = Composer()
        self.editing = Note("chat.editing")
        self.hint = Note("chat.hint", closable=True)
        self.unkept = Tag(self.tr("Not kept"), "warn")
        self.unkept.setObjectName("chat.not_kept")
        self.unkept.setToolTip(
            self.tr("Nothing of this chat is written to this computer; it is gone when Carrel closes.")
        )
        self.unkept.hide()
        self._build()

    def show_transcript(self, shown: bool) -> None:
        """Show the conversation, or the empty state."""
        self._middle.setCurrentWidget(self.transcript if shown else self.empty)

    def show_comparison(self) -> None:
        """Show the two replies that nobody has decided between."""
        self._middle.setCurrentWidget(self.compare)

    def _build(self) -> None:
        top = head(spacing_free(self.title), self.unkept, self.find_open, self.export)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.empty)
        self._middle.addWidget(self.transcript)
        self._middle.addWidget(self.compare)
        self._middle.setMinimumHeight(theme.px(110))  # in a low window what is being typed needs the room
        below = row(0, spacing=0, margins=(24, 0, 24, 14))
        typing = frame("part", "typing", column(self.hint, self.editing, self.composer, spacing=8))
        below.insertWidget(1, typing, 1)
        below.addStretch(0)
        typing.setMaximumWidth(theme.px(740))
        theme.follow(typing, lambda: typing.setMaximumWidth(theme.px(740)))
        below.setContentsMargins(24, 0, 24 + self.transcript.bar_width(), 14)  # it stands under the words
        work = column(top, self.find, self.exporting, self.note, self.undecided, spacing=0)
        work.addWidget(self._middle, 1)
        work.addLayout(below)
        body = row(self.side, spacing=0)
        body.addWidget(frame("column", "work", work), 1)
        self.setLayout(body)


def spacing_free(widget: QWidget) -> QFrame:
    """A widget that may take all the room of its row."""
    held = frame("part", "room", row(widget))
    held.layout().setStretch(0, 1)
    return held
