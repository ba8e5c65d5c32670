"""Joins the chat pane to the chats of the session."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QTimer

from carrel.model import Reply, ServiceError
from carrel.model.draft import Attachment, Draft
from carrel.ui.chat.chatlist import items_of, matches
from carrel.ui.chat.entries import entry_of
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import AskAbout, Presenter
from carrel.ui.shell import Shell
from carrel.ui.widgets.notes import announce, copy
from carrel.ui.widgets.transcript import Entry
from carrel.work.chat import Chat, Message
from carrel.work.session import Session


class ChatPresenter(Presenter):
    """Shows one chat at a time; replies of the others go on behind it."""

    def __init__(self, session: Session, shell: Shell) -> None:
        """Build the pane and show the latest chat."""
        super().__init__(session, shell)
        self.pane = self.ui = ChatPane()
        self.chats = session.chats
        self._chat_id = ""
        self._messages: dict[str, Message] = {}
        self._opened: dict[str, bool] = {}
        self._seconds = QTimer(self.ui, interval=1000)
        self._connect()
        self._offer_switches()
        self._fill_list()
        self._show_chat("")
        self.start("chat.models", self._load_models())

    def shown(self) -> None:
        """The person looks at the open chat again."""
        self.start("chat.seen", self.chats.seen(self._chat_id))
        self.ui.composer.field.setFocus()

    def new(self) -> None:
        """Begin a new chat; it exists once its first message is sent."""
        self._keep_draft(self.ui.composer.draft())
        self.ui.chats.select("")
        self._show_chat("")
        self.ui.composer.show_draft(Draft())
        self.ui.composer.field.setFocus()

    def find(self) -> None:
        """Find a chat."""
        self.ui.filter.setFocus()
        self.ui.filter.selectAll()

    def escape(self) -> bool:
        """Stop the reply that is under way in this chat."""
        return self.chats.stop(self._chat_id)

    def accept(self, intent: object) -> None:
        """Take documents and passages into a new chat."""
        if isinstance(intent, AskAbout):
            self.new()
            attachments = [Attachment(id=d.id, name=d.name) for d in intent.documents]
            self.ui.composer.attach(attachments)
            if intent.quoted:
                self.ui.composer.quote(intent.quoted)
            if intent.note:
                self.ui.note.say("info", "", intent.note)

    def drop_words(self, paths: Sequence[Path]) -> str:
        """Dropped files are uploaded, then attached."""
        return self.ui.tr("Drop to upload and attach to this message")

    def dropped(self, paths: Sequence[Path]) -> None:
        """Upload, then attach."""
        self.start("chat.attach", self._upload(list(paths)))

    def close(self) -> None:
        """Keep what is typed, then stop listening."""
        self._seconds.stop()
        super().close()

    # What the pane tells

    def _connect(self) -> None:
        ui, composer = self.ui, self.ui.composer
        ui.add.clicked.connect(self.new)
        ui.chats.chosen.connect(self._open)
        ui.filter.textChanged.connect(lambda _: self._fill_list())
        ui.renamed.connect(lambda key, title: self.start("chat.rename", self.chats.rename(key, title)))
        ui.menu_chosen.connect(self._menu)
        ui.note.acted.connect(lambda _: self.start("chat.models", self._load_models()))
        ui.transcript.acted.connect(self._act)
        ui.transcript.linked.connect(self.shell.open_link)
        ui.transcript.quoted.connect(composer.quote)
        ui.empty.acted.connect(self.shell.go)
        composer.sent.connect(self._send)
        composer.stopped.connect(lambda: self.chats.stop(self._chat_id))
        composer.edited.connect(self._keep_draft)
        composer.up_pressed.connect(self._edit_last)
        composer.files_pasted.connect(self.dropped)
        composer.attach_asked.connect(lambda: self.shell.choose_files(self.ui.tr("Attach files"), self.dropped))
        self._seconds.timeout.connect(self._tick)
        self.hear(self.chats.list_changed, self._fill_list)
        self.hear(self.chats.message_added, self._message_added)
        self.hear(self.chats.reply_changed, self._reply_changed)
        self.hear(self.chats.reply_ended, self._reply_ended)
        self.hear(self.session.models.changed, self._show_models)
        self.hear(self.session.reconnected, lambda: self.start("chat.models", self._load_models()))
        self.hear(self.shell.desk.settings_changed, lambda _: self._take_settings())
        self._take_settings()

    def _take_settings(self) -> None:
        self.ui.composer.field.send_with = self.shell.desk.settings.send_with

    def _offer_switches(self) -> None:
        able = self.session.capabilities
        names = ["think"] if able.thinking else []
        if able.metadata:
            names += ["agentic_mode", "redact_pii"]
            if not self.session.is_built_in:  # nothing on this computer searches the web
                names.insert(1, "web_search")
        self.ui.composer.show_switches(names)

    def _open(self, chat_id: str) -> None:
        self._keep_draft(self.ui.composer.draft())
        self._show_chat(chat_id)
        self.start("chat.seen", self.chats.seen(chat_id))

    def _send(self, draft: Draft) -> None:
        self.start(f"chat.send.{time.monotonic()}", self._send_now(self._chat_id, draft))

    async def _send_now(self, chat_id: str, draft: Draft) -> None:
        sent_to = await self.chats.send(chat_id, draft)
        if not chat_id and not self._chat_id:
            self._show_chat(sent_to)
            self.ui.chats.select(sent_to)
            await self.chats.seen(sent_to)

    def _keep_draft(self, draft: Draft) -> None:
        if self._chat_id:
            self.start("chat.draft", self.chats.save_draft(self._chat_id, draft))

    def _edit_last(self) -> None:
        asked = [m for m in self._messages.values() if m.role == "user"]
        if asked:
            self.ui.composer.show_draft(asked[-1].draft)

    def _menu(self, chat_id: str, verb: str) -> None:
        chat = self.chats.chat(chat_id)
        if chat is None:
            return
        if verb == "pin":
            self.start("chat.pin", self.chats.pin(chat_id, not chat.pinned))
        elif verb == "delete":
            self.start("chat.delete", self._delete(chat))

    async def _delete(self, chat: Chat) -> None:
        await self.chats.delete(chat.id)
        if chat.id == self._chat_id:
            self.new()
        words = self.ui.tr("Deleted here: {title}. The service keeps its own copy.").format(title=chat.title)
        self.shell.toast(words, self.ui.tr("Undo"), lambda: self.start("chat.undo", self.chats.restore(chat.id)))

    def _act(self, message_id: str, key: str) -> None:
        message = self._messages.get(message_id)
        if message is None:
            return
        if key == "thinking":
            shown = next(e for e in self.ui.transcript.entries() if e.id == message_id)
            self._opened[message_id] = not shown.thinking_open
            self._put(message)
        elif key == "copy":
            copy(message.text)
            self.shell.toast(self.ui.tr("Copied as Markdown."))
        elif key == "quote":
            self.ui.composer.quote(self.ui.transcript.selected_text() or message.text)
        elif key == "again":
            self.start(f"chat.again.{message_id}", self.chats.ask_again(message_id))

    # What work tells

    def _show_chat(self, chat_id: str) -> None:
        self._chat_id = chat_id
        chat = self.chats.chat(chat_id) if chat_id else None
        self.ui.title.setText(chat.title if chat else self.ui.tr("New chat"))
        messages = self._latest(self.chats.messages(chat_id)) if chat_id else []
        self._messages = {m.id: m for m in messages}
        self.ui.transcript.fill([self._entry(m) for m in messages])
        self.ui.show_transcript(bool(messages))
        self._show_empty()
        if chat is not None:
            self.ui.composer.show_draft(chat.draft)
        self._show_streaming()

    @staticmethod
    def _latest(messages: Sequence[Message]) -> list[Message]:
        """Of each reply the newest version."""
        newest = {(m.turn, m.role): m for m in messages}
        return list(newest.values())

    def _entry(self, message: Message) -> Entry:
        who = self.session.models.label(message.draft.model) or self._default_name(message)
        quiet = self.chats.quiet_for(message.chat_id)
        return entry_of(message, who=who, now=time.time(), opened=self._opened.get(message.id), quiet=quiet)

    def _default_name(self, message: Message) -> str:
        told = str(message.reply.extra.get("model") or "")
        return self.session.models.label(told) or self.ui.tr("Service default")

    def _put(self, message: Message) -> None:
        self._messages[message.id] = message
        self.ui.transcript.put(self._entry(message))

    def _message_added(self, message: Message) -> None:
        if message.chat_id != self._chat_id:
            return
        if message.version > 1:
            self._show_chat(self._chat_id)
            return
        self.ui.show_transcript(True)
        self._put(message)
        self.ui.transcript.to_end()
        self._show_streaming()

    def _reply_changed(self, chat_id: str, message_id: str, reply: Reply) -> None:
        message = self._messages.get(message_id)
        if chat_id == self._chat_id and message is not None:
            self._put(replace(message, reply=reply))

    def _reply_ended(self, chat_id: str, message_id: str, reply: Reply) -> None:
        if chat_id == self._chat_id:
            self._show_streaming()
            announce(
                self.ui.transcript, self.ui.tr("The reply is complete.") if reply.state == "complete" else reply.error
            )

    def _fill_list(self) -> None:
        words = self.ui.filter.text()
        chats = [c for c in self.chats.all() if matches(c, words)]
        self.ui.chats.fill(items_of(chats, self.chats.is_streaming, datetime.now().astimezone()))
        if self._chat_id:
            self.ui.chats.select(self._chat_id)
            chat = self.chats.chat(self._chat_id)
            self.ui.title.setText(chat.title if chat else "")

    def _show_streaming(self) -> None:
        streaming = self.chats.is_streaming(self._chat_id)
        self.ui.composer.show_streaming(streaming)
        if streaming:
            self._seconds.start()
        else:
            self._seconds.stop()

    def _tick(self) -> None:
        """While a model thinks, its seconds go on without an event."""
        for message in self._messages.values():
            if message.role == "assistant" and message.reply.state == "thinking":
                self._put(message)

    def _show_empty(self) -> None:
        self.ui.empty.say(
            self.ui.tr("Ask about your documents"),
            self.ui.tr("Type a question below. Attach files from the library, or drop them anywhere on this window."),
            (("library", self.ui.tr("Open the library")),),
        )

    def _show_models(self) -> None:
        self.ui.composer.show_models(self.session.models.all)
        for message in self._messages.values():
            if message.role == "assistant":
                self._put(message)

    async def _load_models(self) -> None:
        try:
            await self.session.models.load()
            self.ui.note.hide()
        except ServiceError as error:
            self.ui.note.say_error(error, (("again", self.ui.tr("Try again")),))

    async def _upload(self, paths: list[Path]) -> None:
        try:
            items = await self.session.uploads.send_now(paths)
        except ServiceError as error:
            self.ui.note.say_error(error)
            return
        self.ui.composer.attach([Attachment(id=i.id, name=i.file_name, is_upload=True) for i in items])
