"""Find in the open chat: asks the store, jumps from place to place, marks the words."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from carrel.model.finding import Spot
from carrel.ui.chat.conversation import Conversation
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter


class FindInChat(QObject):
    """Joins the find bar to the store and the transcript."""

    def __init__(self, owner: Presenter, ui: ChatPane, conversation: Conversation) -> None:
        """Listen to the bar."""
        super().__init__(ui)
        self._owner, self._ui, self._conversation = owner, ui, conversation
        self._bar = ui.find
        self._spots: list[Spot] = []
        self._at = self._nth = 0
        self._words = ""
        self._bar.typed.connect(self._typed)
        self._bar.stepped.connect(self._step)
        self._bar.closed.connect(self.close)
        owner.hear(owner.session.chats.reply_ended, lambda chat_id, *_: self._changed(chat_id))

    def begin(self, words: str = "") -> None:
        """Open the bar, where a chat is open."""
        if self._conversation.chat_id:
            self._bar.begin(words)

    def begin_or_close(self) -> None:
        """What the button does."""
        if not self.close():
            self.begin()

    def close(self, *, refocus: bool = True) -> bool:
        """Put the bar away; False where it was not there."""
        if self._bar.isHidden():
            return False
        self._bar.hide()
        self._words = ""
        self._owner.session.tasks.cancel("chat.find")
        self._conversation.mark(())
        if refocus:
            self._ui.transcript.setFocus()
        return True

    def _typed(self, words: str) -> None:
        if self._bar.isVisible() and words != self._words:
            self._words = words
            self._owner.start("chat.find", self._look(words, stay=False))

    def _changed(self, chat_id: str) -> None:
        """A reply ended: it may have the words too."""
        if self._bar.isVisible() and self._words and chat_id == self._conversation.chat_id:
            self._owner.start("chat.find", self._look(self._words, stay=True))

    async def _look(self, words: str, *, stay: bool) -> None:
        """The newest place comes first, as a chat is read from its end."""
        held = self._spots[self._at] if stay and self._spots else None
        self._spots = await self._owner.session.finding.in_chat(self._conversation.chat_id, words)
        self._conversation.mark([words] if self._spots else ())
        if held is None:
            self._at = max(0, len(self._spots) - 1)
            self._nth = self._spots[-1].count - 1 if self._spots else 0
            await self._show(-1)
        else:
            place = (held.message_id, held.where)
            self._at = next((n for n, s in enumerate(self._spots) if (s.message_id, s.where) == place), 0)
            self._say_place()

    def _step(self, step: int) -> None:
        if self._spots:
            self._move(step)
            self._owner.start("chat.find", self._show(step))

    def _move(self, step: int) -> None:
        """To the next place or the one before; after the last comes the first."""
        self._nth += step
        if not 0 <= self._nth < self._spots[self._at].count:
            self._at = (self._at + step) % len(self._spots)
            self._nth = 0 if step > 0 else self._spots[self._at].count - 1

    async def _show(self, step: int) -> None:
        """Bring the place into view. What was counted in the store is counted again where it is shown, and a message
        that turns out to show none is left out: the next one in the direction of `step` comes then.
        """
        while self._spots:
            spot = self._spots[self._at]
            self._nth, count = await self._conversation.reveal(spot.message_id, spot.where, self._nth)
            if count:
                self._spots[self._at] = replace(spot, count=count)
                break
            del self._spots[self._at]
            if self._spots:
                self._at = (self._at - (step < 0)) % len(self._spots)
                self._nth = self._spots[self._at].count - 1 if step < 0 else 0
        self._say_place()

    def _say_place(self) -> None:
        before = sum(spot.count for spot in self._spots[: self._at])
        count = sum(spot.count for spot in self._spots)
        self._bar.show_place(before + self._nth + 1 if count else 0, count)
