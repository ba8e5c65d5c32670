"""One chat in the transcript: its messages, its streaming reply, and what can be done with each message."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from carrel.model import Reply
from carrel.ui.chat.entries import entry_of
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.notes import announce, copy
from carrel.ui.widgets.transcript import Entry
from carrel.work.chat import Message


class Conversation(QObject):
    """Joins the transcript to one chat at a time. `quoted` gives words for the composer, `streaming` whether a reply
    of the chat is under way.
    """

    quoted = Signal(str)
    streaming = Signal(bool)

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the transcript and to the chats."""
        super().__init__(ui)
        self._owner, self._ui, self._chats = owner, ui, owner.session.chats
        self._models = owner.session.models
        self.chat_id = ""
        self._messages: dict[str, Message] = {}
        self._opened: dict[str, bool] = {}
        self._seconds = QTimer(self, interval=1000)
        self._seconds.timeout.connect(self._tick)
        ui.transcript.acted.connect(self._act)
        ui.transcript.linked.connect(owner.shell.open_link)
        ui.transcript.quoted.connect(self.quoted)
        owner.hear(self._chats.message_added, self._message_added)
        owner.hear(self._chats.reply_changed, self._reply_changed)
        owner.hear(self._chats.reply_ended, self._reply_ended)
        owner.hear(self._models.changed, self._show_names)

    @property
    def messages(self) -> list[Message]:
        """What is shown, in order."""
        return list(self._messages.values())

    def show(self, chat_id: str) -> None:
        """Show a chat from its end; empty shows none."""
        self.chat_id = chat_id
        messages = self._newest(self._chats.messages(chat_id)) if chat_id else []
        self._messages = {m.id: m for m in messages}
        self._ui.transcript.fill([self._entry(m) for m in messages])
        self._ui.show_transcript(bool(messages))
        self._show_streaming()

    def stop(self) -> bool:
        """Stop the reply that is under way; False where there is none."""
        return self._chats.stop(self.chat_id)

    def close(self) -> None:
        """The pane is about to go."""
        self._seconds.stop()

    @staticmethod
    def _newest(messages: Sequence[Message]) -> list[Message]:
        """Of each reply the newest version."""
        return list({(m.turn, m.role): m for m in messages}.values())

    def _entry(self, message: Message) -> Entry:
        who = self._models.label(message.draft.model) or self._default_name(message)
        quiet = self._chats.quiet_for(message.chat_id)
        return entry_of(message, who=who, now=time.time(), opened=self._opened.get(message.id), quiet=quiet)

    def _default_name(self, message: Message) -> str:
        told = str(message.reply.extra.get("model") or "")
        return self._models.label(told) or self.tr("Service default")

    def _put(self, message: Message) -> None:
        self._messages[message.id] = message
        self._ui.transcript.put(self._entry(message))

    def _message_added(self, message: Message) -> None:
        if message.chat_id != self.chat_id:
            return
        if message.version > 1:
            self.show(self.chat_id)
            return
        self._ui.show_transcript(True)
        self._put(message)
        self._ui.transcript.to_end()
        self._show_streaming()

    def _reply_changed(self, chat_id: str, message_id: str, reply: Reply) -> None:
        message = self._messages.get(message_id)
        if chat_id == self.chat_id and message is not None:
            self._put(replace(message, reply=reply))

    def _reply_ended(self, chat_id: str, message_id: str, reply: Reply) -> None:
        if chat_id == self.chat_id:
            self._show_streaming()
            words = self.tr("The reply is complete.") if reply.state == "complete" else reply.error
            announce(self._ui.transcript, words)

    def _show_streaming(self) -> None:
        streaming = self._chats.is_streaming(self.chat_id)
        self.streaming.emit(streaming)
        if streaming:
            self._seconds.start()
        else:
            self._seconds.stop()

    def _tick(self) -> None:
        """While a model thinks, its seconds go on without an event."""
        for message in self._messages.values():
            if message.role == "assistant" and message.reply.state == "thinking":
                self._put(message)

    def _show_names(self) -> None:
        for message in self.messages:
            if message.role == "assistant":
                self._put(message)

    def _act(self, message_id: str, key: str) -> None:
        message = self._messages.get(message_id)
        if message is None:
            return
        if key == "thinking":
            shown = next(e for e in self._ui.transcript.entries() if e.id == message_id)
            self._opened[message_id] = not shown.thinking_open
            self._put(message)
        elif key == "copy":
            copy(message.text)
            self._owner.shell.toast(self.tr("Copied as Markdown."))
        elif key == "quote":
            self.quoted.emit(self._ui.transcript.selected_text() or message.text)
        elif key == "again":
            self._owner.start(f"chat.again.{message_id}", self._chats.ask_again(message_id))
