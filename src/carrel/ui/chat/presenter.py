"""Joins the chat pane to the chats of the session: the list, the conversation that is open, the composer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QImage

from carrel.model.draft import Draft
from carrel.ui.chat.composing import Composing
from carrel.ui.chat.conversation import Conversation
from carrel.ui.chat.editing import Editing
from carrel.ui.chat.exporting import Exporting
from carrel.ui.chat.finding import FindInChat
from carrel.ui.chat.listing import Listing
from carrel.ui.chat.pane import ChatPane
from carrel.ui.chat.results import Target
from carrel.ui.chat.searching import Searching
from carrel.ui.presenter import AskAbout, Presenter, ShowChat
from carrel.ui.shell import Shell
from carrel.work.finding import words_of
from carrel.work.session import Session


class ChatPresenter(Presenter):
    """Shows one chat at a time; replies of the others go on behind it."""

    def __init__(self, session: Session, shell: Shell) -> None:
        """Build the pane and begin with a new chat."""
        super().__init__(session, shell)
        self.pane = self.ui = ChatPane()
        self.chats = session.chats
        self.listing = Listing(self, self.ui.side)
        self.searching = Searching(self, self.ui.side)
        self.conversation = Conversation(self, self.ui)
        self.finding = FindInChat(self, self.ui, self.conversation)
        self.exporting = Exporting(self)
        self.composing = Composing(self, self.ui)
        self.editing = Editing(self, self.ui, self.composing)
        self._connect()
        self.listing.fill()
        self.open("")

    def shown(self) -> None:
        """The person looks at the open chat again."""
        self.start("chat.seen", self.chats.seen(self.conversation.chat_id))
        self.ui.composer.field.setFocus()

    def left(self) -> None:
        """A reply that ends from now on is unread."""
        self.chats.in_front = ""

    def new(self) -> None:
        """Begin a new chat; it exists once its first message is sent."""
        self.open("")
        self.ui.composer.field.setFocus()

    def open(self, chat_id: str) -> None:
        """Show a chat; empty shows a new one."""
        self.finding.close(refocus=False)
        self.conversation.mark(())
        self.composing.show(chat_id)
        self.conversation.show(chat_id)
        self.listing.point(chat_id)
        self._title()
        self.start("chat.seen", self.chats.seen(chat_id))
        self.shell.front_changed.emit()

    def find(self) -> None:
        """Find words in the open chat; where none is open, in all of them."""
        if self.conversation.chat_id:
            self.finding.begin()
        else:
            self.ui.side.begin_search()

    def escape(self) -> bool:
        """Leave a new title, the find bar, a search or an edit, or stop the reply that is under way in this chat."""
        left = self.ui.side.escape() or self.finding.close() or self.editing.cancel()
        return left or self.conversation.stop()

    def accept(self, intent: object) -> None:
        """Take documents and passages into a new chat, or show one that is there."""
        if isinstance(intent, AskAbout):
            self.new()
            self.composing.take(intent)
        elif isinstance(intent, ShowChat):
            self.open(intent.chat_id)

    def shows(self, intent: object) -> bool:
        """Whether it is the open chat."""
        return isinstance(intent, ShowChat) and intent.chat_id == self.conversation.chat_id

    def drop_words(self, paths: Sequence[Path]) -> str:
        """Dropped files are uploaded, then attached."""
        return self.ui.tr("Drop to upload and attach to this message")

    def dropped(self, paths: Sequence[Path]) -> None:
        """Upload, then attach."""
        self.composing.along.attach_files(paths)

    def dropped_picture(self, picture: QImage) -> bool:
        """Upload, then attach, as a pasted one."""
        self.composing.along.attach_picture(picture)
        return True

    def close(self) -> None:
        """Keep what is typed, then stop listening."""
        self.composing.drafts.keep(self.ui.composer.draft())
        self.conversation.close()
        super().close()

    def _connect(self) -> None:
        ui = self.ui
        ui.side.add.clicked.connect(self.new)
        ui.find_open.clicked.connect(self.finding.begin_or_close)
        ui.export.clicked.connect(lambda: self.exporting.begin(self.conversation.chat_id))
        self.listing.export_asked.connect(self.exporting.begin)
        self.searching.jumped.connect(self._jump)
        ui.empty.acted.connect(self.shell.go)
        ui.composer.stopped.connect(self.conversation.stop)
        ui.composer.up_pressed.connect(self._edit_last)
        self.conversation.acting.editing.connect(self.editing.begin)
        self.listing.opened.connect(self.open)
        self.listing.closed.connect(lambda chat_id: chat_id == self.conversation.chat_id and self.new())
        self.conversation.acting.quoted.connect(self.composing.quote)
        self.conversation.acting.suggested.connect(self.composing.suggest)
        self.conversation.streaming.connect(ui.composer.show_streaming)
        self.composing.sent.connect(self._send)
        self.hear(self.chats.list_changed, self._title)
        ui.empty.say(
            ui.tr("Ask about your documents"),
            ui.tr("Type a question below. Attach files from the library, or drop them anywhere on this window."),
            (("library", ui.tr("Open the library")),),
        )

    def _send(self, draft: Draft) -> None:
        self.start_beside("chat.send", self._send_now(self.conversation.chat_id, draft))

    async def _send_now(self, chat_id: str, draft: Draft) -> None:
        sent_to = await self.composing.send(chat_id, draft)
        if not chat_id and not self.conversation.chat_id:
            self.composing.belongs_to(sent_to)
            self.conversation.show(sent_to)
            self.listing.point(sent_to)
            self._title()
            await self.chats.seen(sent_to)

    def _jump(self, target: Target, words: str) -> None:
        """Show a place that a search has found."""
        if target.chat_id != self.conversation.chat_id:
            self.open(target.chat_id)
        if target.is_all:
            self.finding.begin(words)
        elif target.message_id:
            self.conversation.mark(words_of(words))
            reveal = self.conversation.reveal(target.message_id, target.where, around=target.around)
            self.start("chat.reveal", reveal)

    def _edit_last(self) -> None:
        asked = self.conversation.last_asked()
        if asked is not None:
            self.editing.begin(asked)

    def _title(self) -> None:
        chat = self.chats.chat(self.conversation.chat_id) if self.conversation.chat_id else None
        self.ui.title.setText(chat.title if chat else self.ui.tr("New chat"))
        self.ui.find_open.setEnabled(chat is not None)
        self.ui.export.setEnabled(chat is not None)
