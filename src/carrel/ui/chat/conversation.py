"""One chat in the transcript: its messages, its streaming reply, and what can be done with each message."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from carrel.model import Reply
from carrel.model.finding import Where
from carrel.model.redaction import redaction_of, related_questions
from carrel.ui.chat.comparing import Comparing
from carrel.ui.chat.details import Details
from carrel.ui.chat.entries import entry_of
from carrel.ui.chat.exporting import copy_rich
from carrel.ui.chat.pane import ChatPane
from carrel.ui.chat.redactionview import RedactionView
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.notes import announce, copy
from carrel.ui.widgets.transcript import Clip, Entry, Stub, Transcript, warm
from carrel.work.chat import Message


class Conversation(QObject):
    """Joins the transcript to one chat at a time.

    `quoted` gives words for the composer, `suggested` a question, `editing` a message that shall be sent in other
    words, `streaming` whether a reply of the chat is under way. Messages are read when they come near the view.
    """

    quoted = Signal(str)
    suggested = Signal(str)
    editing = Signal(Message)
    streaming = Signal(bool)

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the transcript and to the chats."""
        super().__init__(ui)
        self._owner, self._ui, self._chats = owner, ui, owner.session.chats
        self._models = owner.session.models
        self.chat_id = ""
        self._streams: dict[str, Message] = {}
        self._opened: dict[str, bool] = {}
        self._comparing = Comparing(owner, ui)
        self._seconds = QTimer(self, interval=1000)
        self._seconds.timeout.connect(self._tick)
        for transcript in (ui.transcript, *ui.compare.sides):
            transcript.acted.connect(self._act)
            transcript.linked.connect(owner.shell.open_link)
            transcript.quoted.connect(self.quoted)
            transcript.copied.connect(lambda clips: copy_rich(owner, *clips))
        owner.hear(self._chats.message_added, self._message_added)
        owner.hear(self._chats.reply_changed, self._reply_changed)
        owner.hear(self._chats.reply_ended, self._reply_ended)
        owner.hear(self._chats.decided, lambda chat_id: chat_id == self.chat_id and self._again())
        owner.hear(self._models.changed, self._again)
        owner.start("chat.warm", asyncio.to_thread(warm))

    def show(self, chat_id: str) -> None:
        """Show a chat from its end; empty shows none."""
        self.chat_id = chat_id
        self._streams.clear()
        self._again()

    def stop(self) -> bool:
        """Stop the reply that is under way; False where there is none."""
        return self._chats.stop(self.chat_id)

    def mark(self, words: Sequence[str]) -> None:
        """Mark each of these wherever it is shown; none takes the marks away."""
        for transcript in (self._ui.transcript, *self._ui.compare.sides):
            transcript.mark(words)

    async def reveal(self, message_id: str, where: Where = "text", place: int = 0, around: str = "") -> tuple[int, int]:
        """Bring a marked place of a message into view, whatever version or branch it is of, its thinking unfolded where
        it is thought. See `Transcript.show_place`.
        """
        message = self._chats.message(message_id)
        if message is None or message.chat_id != self.chat_id:
            return 0, 0
        transcript = self._transcript(message_id)
        if transcript.entry(message_id) is None:
            if self._branches.owner(message.turn) != message.branch:
                await self._chats.show_branch(self.chat_id, message.branch)
            if message.role == "assistant":
                await self._chats.show_version(message_id)
            self._again()
        shown = transcript.entry(message_id)
        if where == "thinking" and shown is not None and not shown.thinking_open:
            self._turn_thinking(message)
        self._comparing.step_aside(transcript is self._ui.transcript)
        return transcript.show_place(message_id, where, place, around)

    def last_asked(self) -> Message | None:
        """The last message of the person."""
        asked = [told.id for told in self._chats.outline(self.chat_id) if told.role == "user"] if self.chat_id else []
        return self._chats.message(asked[-1]) if asked else None

    def close(self) -> None:
        """The pane is about to go."""
        self._seconds.stop()

    def _again(self) -> None:
        """Read which messages there are; the transcript asks for those that it shows."""
        outline = self._chats.outline(self.chat_id) if self.chat_id else []
        self._branches = self._chats.branches(self.chat_id)
        self._versions = {told.id: told.versions for told in outline}
        pair = self._chats.compared(self.chat_id) if outline and outline[-1].pair == "open" else ()
        alone = outline[:-1] if pair else outline
        self._last = outline[-1].id if outline else ""
        self._ui.transcript.fill([Stub(o.id, o.role, o.length) for o in alone], self._load)
        self._ui.show_transcript(bool(outline))
        self._show_pair(pair)
        self._show_streaming()

    def _show_pair(self, pair: tuple[Message, ...]) -> None:
        """The two replies of a comparison take the transcript's place until one is kept."""
        self._comparing.show(pair, [self._entry(message) for message in pair])
        if pair:
            self._streams |= {message.id: message for message in pair if message.reply.is_open}

    def _transcript(self, message_id: str) -> Transcript:
        return self._comparing.transcript(message_id) or self._ui.transcript

    def _load(self, message_id: str) -> Entry:
        message = self._streams.get(message_id) or self._chats.message(message_id)
        assert message is not None, "the outline named it"
        return self._entry(message)

    def _entry(self, message: Message) -> Entry:
        who = self._models.label(message.draft.model) or self._default_name(message)
        return entry_of(
            message,
            who=who,
            now=time.time(),
            opened=self._opened.get(message.id),
            quiet=self._chats.quiet_for(message),
            versions=self._shown_version(message),
        )

    def _default_name(self, message: Message) -> str:
        told = str(message.reply.extra.get("model") or "")
        return self._models.label(told) or self.tr("Service default")

    def _shown_version(self, message: Message) -> tuple[int, int]:
        """Which version a message is, of how many: of a reply's, or of an edited message's branches."""
        if message.role == "assistant":
            count = self._versions.get(message.id, 1)
            return message.version, max(count, message.version)
        others = self._branches.versions(message.turn)
        return (others.index(message.branch) + 1, len(others)) if message.branch in others else (1, 1)

    def _put(self, message: Message) -> None:
        self._streams[message.id] = message
        self._show_entry(message)

    def _show_entry(self, message: Message) -> None:
        entry = self._entry(message)
        if self._comparing.transcript(message.id):
            self._comparing.put(entry)
        else:
            self._ui.transcript.put(entry)

    def _message_added(self, message: Message) -> None:
        if message.chat_id != self.chat_id:
            return
        if message.pair and self._comparing.transcript(message.id):
            return
        if message.pair or message.version > 1 or message.branch != self._branches.front:
            self._again()
            if message.version > 1 and message.id != self._last:  # asked again further up: its place stays in view
                self._ui.transcript.show_entry(message.id)
            return
        self._ui.show_transcript(True)
        self._put(message)
        self._ui.transcript.to_end()
        self._show_streaming()

    def _reply_changed(self, chat_id: str, message_id: str, reply: Reply) -> None:
        if chat_id != self.chat_id or self._transcript(message_id).entry(message_id) is None:
            return
        message = self._streams.get(message_id) or self._chats.message(message_id)
        if message is not None:
            begins = message.reply.state == "thinking" != reply.state
            if begins and self._transcript(message_id).is_thinking_read(message_id):
                self._opened[message_id] = True  # it would fold under whoever reads it
            self._put(replace(message, reply=reply))

    def _reply_ended(self, chat_id: str, message_id: str, reply: Reply) -> None:
        if chat_id != self.chat_id:
            return
        self._streams.pop(message_id, None)
        self._ui.transcript.settle(message_id)
        self._comparing.show_state()
        self._show_streaming()
        announce(self._ui.transcript, self.tr("The reply is complete.") if reply.state == "complete" else reply.error)

    def _show_streaming(self) -> None:
        streaming = self._chats.is_streaming(self.chat_id)
        self.streaming.emit(streaming)
        if streaming:
            self._seconds.start()
        else:
            self._seconds.stop()

    def _tick(self) -> None:
        """While a model thinks, its seconds go on without an event."""
        for message in list(self._streams.values()):
            if message.role == "assistant" and message.reply.state == "thinking":
                self._put(message)

    # What can be done with a message

    def _act(self, message_id: str, key: str) -> None:
        message = self._streams.get(message_id) or self._chats.message(message_id)
        if message is None:
            return
        match key:
            case "thinking":
                self._turn_thinking(message)
            case "copy":
                clip = Clip(message.text, "markdown" if message.role == "assistant" else "plain")
                copy_rich(self._owner, clip, said=self.tr("Copied with its formatting."))
            case "thinking_copy":
                copy(message.reply.thinking)
                self._owner.shell.toast(self.tr("Copied what was thought."))
            case "quote":
                self.quoted.emit(self._transcript(message.id).selected_in(message.id) or message.text)
            case "edit":
                self.editing.emit(message)
            case "again" | "again_with":
                self._begin_again(message, key)
            case "older" | "newer":
                self._turn_version(message, -1 if key == "older" else 1)
            case _:
                self._tell_more(message, key)

    def _tell_more(self, message: Message, key: str) -> None:
        """What a reply has beside its words: details, redaction, questions to go on with."""
        if key == "details":
            Details(self._ui, message, self._chats.events(message.id), self._owner.shell).open()
        elif key == "redaction" and (told := redaction_of(message.reply.extra)) is not None:
            RedactionView(self._ui, told).open()
        elif key.startswith("question:"):
            self.suggested.emit(related_questions(message.reply.extra)[int(key.partition(":")[2])])

    def _turn_thinking(self, message: Message) -> None:
        shown = self._transcript(message.id).entry(message.id)
        self._opened[message.id] = not (shown is not None and shown.thinking_open)
        self._show_entry(message)

    def _begin_again(self, message: Message, key: str) -> None:
        if self._chats.is_streaming(self.chat_id):
            self._owner.shell.toast(self.tr("Another reply can be asked for when this one has ended."))
        elif key == "again":
            self._ask_again(message, None)
        else:
            self._offer_models(message)

    def _ask_again(self, message: Message, model: str | None) -> None:
        self._owner.start(f"chat.again.{message.id}", self._chats.ask_again(message.id, model))

    def _offer_models(self, message: Message) -> None:
        menu = QMenu(self._ui)
        menu.setObjectName("chat.again_models")
        for model in self._models.all:
            action = menu.addAction(model.label.replace("&", "&&"))
            action.setEnabled(model.is_available)
            action.triggered.connect(lambda _=False, m=model.id: self._ask_again(message, m))
        menu.popup(QCursor.pos())
        menu.aboutToHide.connect(menu.deleteLater)

    def _turn_version(self, message: Message, step: int) -> None:
        if message.role == "user":
            others = self._branches.versions(message.turn)
            number = others[others.index(message.branch) + step]
            self._owner.start("chat.branch", self._show_branch(number, message.turn))
            return
        versions = self._chats.versions(message)
        wanted = next((m for m in versions if m.version == message.version + step), None)
        if wanted is not None:
            self._owner.start("chat.version", self._show_version(wanted.id))

    async def _show_version(self, message_id: str) -> None:
        await self._chats.show_version(message_id)
        self._again()
        self._ui.transcript.show_entry(message_id)

    async def _show_branch(self, number: int, turn: int) -> None:
        await self._chats.show_branch(self.chat_id, number)
        self._again()
        shown = next((o.id for o in self._chats.outline(self.chat_id) if o.turn == turn), "")
        self._ui.transcript.show_entry(shown)
