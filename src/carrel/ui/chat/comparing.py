"""Two replies side by side, until a person keeps one of them: joins the compare view to the chats."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from carrel.model.columns import APART
from carrel.model.differences import differences
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import Entry, Stub, Transcript
from carrel.work.chat import Message

ALLOWED = {"copy", "quote", "note_copy", "details", "again", "again_with", "settings"}
"""What can be done with a reply while nobody has decided. Asked again, it takes the side of the former one."""


class Comparing(QObject):
    """Shows a pair. What each reply says comes from the conversation, as entries."""

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the view and to the chats."""
        super().__init__(ui)
        self._owner, self._ui, self._view = owner, ui, ui.compare
        self._chats = owner.session.chats
        self._pair: tuple[Message, ...] = ()
        self._entries: dict[str, Entry] = {}
        self._view.kept.connect(self._keep)
        self._view.note.acted.connect(lambda _: self._pair and self._ask_apart())
        self._view.differences_asked.connect(self._turn_differences)
        self._view.earlier.clicked.connect(lambda: self.step_aside(True))
        ui.undecided.acted.connect(lambda _: self.step_aside(False))
        owner.hear(self._chats.decided, self._decided)
        theme.follow(self._view, lambda: self._turn_differences(self._view.differences.isChecked()))

    @property
    def is_open(self) -> bool:
        """Whether a pair is shown."""
        return bool(self._pair)

    def show(self, pair: Sequence[Message], entries: Sequence[Entry]) -> None:
        """Show these two, or none."""
        is_other = [m.id for m in pair] != [m.id for m in self._pair]
        self._pair = tuple(pair)
        self.step_aside(False)
        if not pair:
            return
        self._view.show_earlier(pair[0].turn > 1)
        if is_other:
            self._view.ask(pair[0].draft.text)
            self._view.differences.setChecked(False)
        self._entries = {entry.id: entry for entry in entries}
        for side, entry in zip(self._view.sides, entries, strict=True):
            if is_other:
                side.fill([Stub(entry.id, entry.role, len(entry.text))], lambda _, held=entry: self._limited(held))
            side.put(self._limited(entry))
        self.show_state()

    def step_aside(self, aside: bool) -> None:
        """Let what was said before the two replies be seen, with a way back to them; or come back."""
        if not self._pair:
            self._ui.undecided.hide()
        elif aside:
            self._ui.show_transcript(True)
            words = self.tr("Two replies to the last message wait for your choice.")
            self._ui.undecided.say("info", "", words, (("back", self.tr("Show them")),))
        else:
            self._ui.undecided.hide()
            self._ui.show_comparison()

    def transcript(self, message_id: str) -> Transcript | None:
        """The side that shows a reply."""
        return next((side for m, side in zip(self._pair, self._view.sides, strict=False) if m.id == message_id), None)

    def put(self, entry: Entry) -> None:
        """Show another state of one of the two."""
        side = self.transcript(entry.id)
        if side is not None:
            self._entries[entry.id] = entry
            side.put(self._limited(entry))

    def show_state(self) -> None:
        """Offer what can be done now; say where the stream did not tell the two apart."""
        if not self._pair:
            return
        self._view.show_state(ended=not self._is_streaming)
        for message, side in zip(self._pair, self._view.sides, strict=True):
            side.put(self._limited(self._entries[message.id]))
        now = [self._chats.message(m.id) for m in self._pair]
        if any(m is not None and m.reply.extra.get(APART) for m in now):
            words = self.tr("The service did not say which words are whose: all of them stand in one column.")
            again = (("apart", self.tr("Ask in two conversations")),) if not self._is_streaming else ()
            self._view.note.say("warn", "", words + " " + self.tr("Two conversations always work."), again)

    def _keep(self, side: int) -> None:
        if self._pair:
            self._owner.start_beside("chat.keep", self._chats.keep(self._pair[side].id))

    def _ask_apart(self) -> None:
        """Ask both again, each in a conversation of its own, beside what came; what is typed stays."""
        chat_id, turn = self._pair[0].chat_id, self._pair[0].turn
        asked_ids = [told.id for told in self._chats.outline(chat_id) if told.role == "user" and told.turn == turn]
        asked = self._chats.message(asked_ids[0]) if asked_ids else None
        if asked is None or asked.draft.comparison is None:
            return
        apart = asked.draft.comparison.model_copy(update={"way": "conversations"})
        values = {"comparison": apart, "edits": asked.id, "aside": self._ui.composer.draft()}
        draft = self._chats.wording(asked).model_copy(update=values)
        self._owner.start_beside("chat.apart", self._chats.edit(asked.id, draft))

    def _decided(self, chat_id: str) -> None:
        if self._pair and self._pair[0].chat_id == chat_id:
            self._ui.composer.use_model(self._chats.draft(chat_id).model)
            self._ui.composer.field.setFocus()

    def _turn_differences(self, wanted: bool) -> None:
        if not self._pair:
            return
        if wanted:
            self._owner.start("chat.differences", self._mark())
        else:
            self._view.say_count(None)
            for message, side in zip(self._pair, self._view.sides, strict=True):
                side.differ(message.id, ())

    async def _mark(self) -> None:
        """Find and mark what only one side has; long texts take their time in a thread."""
        pair = self._pair
        left, right = (side.texts(message.id) for message, side in zip(pair, self._view.sides, strict=True))
        found = await asyncio.to_thread(differences, left, right)
        if pair != self._pair or not self._view.differences.isChecked():
            return
        for message, side, spans in zip(pair, self._view.sides, found, strict=True):
            side.differ(message.id, spans)
        self._view.say_count(sum(len(spans) for side in found for spans in side))

    @property
    def _is_streaming(self) -> bool:
        return bool(self._pair) and self._chats.is_streaming(self._pair[0].chat_id)

    def _limited(self, entry: Entry) -> Entry:
        """What can be done now; one side is asked again only when the other has ended too."""
        able = ALLOWED - {"again", "again_with"} if self._is_streaming else ALLOWED
        return replace(entry, actions=tuple(a for a in entry.actions if a[0] in able), versions=(1, 1))
