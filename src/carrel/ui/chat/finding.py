"""Find in the open chat: asks the store, jumps from place to place, marks the words."""

from __future__ import annotations

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
        self._at = 0
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
        self._ui.transcript.mark(())
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
        chat_id = self._conversation.chat_id
        self._spots = await self._owner.session.finding.in_chat(chat_id, words)
        self._ui.transcript.mark([words.strip()] if self._spots else ())
        if not stay:
            self._at = max(0, len(self._spots) - 1)
            await self._show()
        self._bar.show_place(min(self._at + 1, len(self._spots)), len(self._spots))

    def _step(self, step: int) -> None:
        if self._spots:
            self._at = (self._at + step) % len(self._spots)
            self._bar.show_place(self._at + 1, len(self._spots))
            self._owner.start("chat.find", self._show())

    async def _show(self) -> None:
        if self._spots:
            spot = self._spots[self._at]
            await self._conversation.reveal(spot.message_id, thinking=spot.where == "thinking")
