"""One chat in the transcript: its messages, and its streaming reply."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from carrel.model import Reply
from carrel.model.finding import Where
from carrel.ui.chat.acting import Acting
from carrel.ui.chat.comparing import Comparing
from carrel.ui.chat.entries import entry_of, note_of
from carrel.ui.chat.generated import Generated
from carrel.ui.chat.limit import Limit
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.notes import announce
from carrel.ui.widgets.transcript import Entry, FileChip, Stub, Transcript, warm
from carrel.work.chat import Message


class Conversation(QObject):
    """Joins the transcript to one chat at a time.

    `streaming` tells whether a reply of the chat is under way. Messages are read when they come near the view.
    """

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
        self._limit = Limit(owner)
        self.generated = Generated(owner, self)
        self.generated.moved.connect(self._file_moved)
        self.acting = Acting(owner, ui, self)
        self._seconds = QTimer(self, interval=1000)
        self._seconds.timeout.connect(self._tick)
        owner.hear(self._chats.message_added, self._message_added)
        owner.hear(self._chats.reply_changed, self._reply_changed)
        owner.hear(self._chats.reply_ended, self._reply_ended)
        owner.hear(self._chats.decided, lambda chat_id: chat_id == self.chat_id and self.refresh())
        owner.hear(self._models.changed, self.refresh)
        owner.start("chat.warm", asyncio.to_thread(warm))

    def show(self, chat_id: str) -> None:
        """Show a chat from its end; empty shows none."""
        self.chat_id = chat_id
        self._streams.clear()
        self.refresh()

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
        transcript = self.transcript(message_id)
        if transcript.entry(message_id) is None:
            if self.branches.owner(message.turn) != message.branch:
                await self._chats.show_branch(self.chat_id, message.branch)
            if message.role == "assistant":
                await self._chats.show_version(message_id)
            self.refresh()
        shown = transcript.entry(message_id)
        if where == "thinking" and shown is not None and not shown.thinking_open:
            self.turn_thinking(message)
        self._comparing.step_aside(transcript is self._ui.transcript)
        return transcript.show_place(message_id, where, place, around)

    def last_asked(self) -> Message | None:
        """The last message of the person."""
        asked = [told.id for told in self._chats.outline(self.chat_id) if told.role == "user"] if self.chat_id else []
        return self._chats.message(asked[-1]) if asked else None

    def refresh(self) -> None:
        """Read which messages there are; the transcript asks for those that it shows."""
        outline = self._chats.outline(self.chat_id) if self.chat_id else []
        self.branches = self._chats.branches(self.chat_id)
        self._versions = {told.id: told.versions for told in outline}
        pair = self._chats.compared(self.chat_id) if outline and outline[-1].pair == "open" else ()
        alone = outline[:-1] if pair else outline
        self._last = outline[-1].id if outline else ""
        self._ui.transcript.fill([Stub(o.id, o.role, o.length) for o in alone], self._load)
        self._ui.show_transcript(bool(outline))
        self._show_pair(pair)
        if self._last and self._chats.is_streaming(self.chat_id):
            self._mind(self._chats.message(self._last))
        self._show_streaming()

    def transcript(self, message_id: str) -> Transcript:
        """Where a message of the chat is shown."""
        return self._comparing.transcript(message_id) or self._ui.transcript

    def message(self, message_id: str) -> Message | None:
        """A message as it is shown."""
        return self._streams.get(message_id) or self._chats.message(message_id)

    def turn_thinking(self, message: Message) -> None:
        """Fold what was thought, or unfold it."""
        shown = self.transcript(message.id).entry(message.id)
        self._opened[message.id] = not (shown is not None and shown.thinking_open)
        self._show_entry(message)

    def close(self) -> None:
        """The pane is about to go."""
        self._seconds.stop()

    def _show_pair(self, pair: tuple[Message, ...]) -> None:
        """The two replies of a comparison take the transcript's place until one is kept."""
        self._comparing.show(pair, [self._entry(message) for message in pair])
        for message in pair:
            self._mind(message)

    def _mind(self, message: Message | None) -> None:
        """A reply that is under way has a clock, though nothing may come of it for long."""
        if message is not None and message.role == "assistant" and message.reply.is_open:
            self._streams[message.id] = message

    def _load(self, message_id: str) -> Entry:
        message = self.message(message_id)
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
            held=self._limit.seconds,
            versions=self._shown_version(message),
            files=self.generated.chips(message),
        )

    def _default_name(self, message: Message) -> str:
        told = str(message.reply.extra.get("model") or "")
        return self._models.label(told) or self.tr("Service default")

    def _shown_version(self, message: Message) -> tuple[int, int]:
        """Which version a message is, of how many: of a reply's, or of an edited message's branches."""
        if message.role == "assistant":
            count = self._versions.get(message.id, 1)
            return message.version, max(count, message.version)
        others = self.branches.versions(message.turn)
        return (others.index(message.branch) + 1, len(others)) if message.branch in others else (1, 1)

    def _put(self, message: Message) -> None:
        self._streams[message.id] = message
        self._show_entry(message)

    def _show_entry(self, message: Message) -> None:
        self._put_entry(self._entry(message))

    def _put_entry(self, entry: Entry) -> None:
        if self._comparing.transcript(entry.id):
            self._comparing.put(entry)
        else:
            self._ui.transcript.put(entry)

    def _message_added(self, message: Message) -> None:
        if message.chat_id != self.chat_id:
            return
        self._mind(message)
        if message.pair and self._comparing.transcript(message.id):
            return
        if message.pair or message.version > 1 or message.branch != self.branches.front:
            self.refresh()
            if message.version > 1 and message.id != self._last:  # asked again further up: its place stays in view
                self._ui.transcript.show_entry(message.id)
            return
        self._ui.show_transcript(True)
        self._put(message)
        self._ui.transcript.to_end()
        self._show_streaming()

    def _reply_changed(self, chat_id: str, message_id: str, reply: Reply) -> None:
        if chat_id != self.chat_id or self.transcript(message_id).entry(message_id) is None:
            return
        message = self.message(message_id)
        if message is not None:
            begins = message.reply.state == "thinking" != reply.state
            if begins and self.transcript(message_id).is_thinking_read(message_id):
                self._opened[message_id] = True  # it would fold under whoever reads it
            self._put(replace(message, reply=reply))

    def _reply_ended(self, chat_id: str, message_id: str, reply: Reply) -> None:
        if chat_id != self.chat_id:
            return
        self._streams.pop(message_id, None)
        self._ui.transcript.settle(message_id)
        self._comparing.show_state()
        self._show_streaming()
        said = self.tr("The reply is complete.") if reply.state == "complete" else ""
        announce(self._ui.transcript, said or note_of(reply))

    def _file_moved(self, message_id: str, files: tuple[FileChip, ...]) -> None:
        entry = self.transcript(message_id).entry(message_id)
        if entry is not None:
            self._put_entry(replace(entry, files=files))

    def _show_streaming(self) -> None:
        streaming = self._chats.is_streaming(self.chat_id)
        self.streaming.emit(streaming)
        if streaming:
            self._seconds.start()
        else:
            self._seconds.stop()

    def _tick(self) -> None:
        """While nothing came yet, or a model thinks, the seconds go on without an event."""
        for message in list(self._streams.values()):
            is_shown = self.transcript(message.id).entry(message.id) is not None
            if is_shown and message.role == "assistant" and message.reply.state in {"waiting", "thinking"}:
                self._put(message)
