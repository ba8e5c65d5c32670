"""The line of a chat as rows over the composer: what waits, and what a person does with it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from carrel.model.draft import Draft
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter


class InLine(QObject):
    """Joins the rows to the line of the chat that is shown."""

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the rows and to the line."""
        super().__init__(ui)
        self._owner, self._box, self._line = owner, ui.composer, owner.session.line
        self._chats = owner.session.chats
        self._chat_id = ""
        rows = self._box.waiting
        rows.edit_asked.connect(lambda waiting_id: owner.start(f"line.{waiting_id}", self._edit(waiting_id)))
        rows.remove_asked.connect(lambda waiting_id: owner.start(f"line.{waiting_id}", self._line.take(waiting_id)))
        rows.go_asked.connect(lambda: self._line.go_on(self._chat_id))
        owner.hear(self._line.changed, lambda chat_id: chat_id == self._chat_id and self.show(chat_id))

    def takes(self, chat_id: str) -> bool:
        """Whether a message has to wait here: a reply is under way, others are about to go before it, or it is open
        which of two replies the chat goes on with.
        """
        if not chat_id:
            return False
        busy = self._chats.is_streaming(chat_id) or self._line.is_going(chat_id)
        return busy or bool(self._chats.compared(chat_id))

    def add(self, chat_id: str, draft: Draft) -> None:
        """Put a message in line; where it cannot be written down, it comes back into the composer."""
        self._owner.start(f"line.add.{id(draft)}", self._add(chat_id, draft))

    def show(self, chat_id: str) -> None:
        """Show the line of a chat."""
        self._chat_id = chat_id
        waiting = [(w.id, w.draft.text) for w in self._line.of(chat_id)]
        self._box.waiting.say(waiting, goes=self._line.is_going(chat_id))

    async def _add(self, chat_id: str, draft: Draft) -> None:
        try:
            await self._line.add(chat_id, draft)
        except Exception:  # whatever it was, it is told by the window
            self._take_back(draft)
            raise

    async def _edit(self, waiting_id: str) -> None:
        draft = await self._line.take(waiting_id)
        if draft is not None:
            self._take_back(draft)

    def _take_back(self, draft: Draft) -> None:
        """Into the composer; what is typed there stays below."""
        typed = self._box.draft()
        text = "\n\n".join(t for t in (draft.text, typed.text) if t.strip())
        held = draft.with_files(typed.attachments).with_quotes(*typed.quotes)
        self._box.show_draft(held.model_copy(update={"text": text}))
        self._box.field.setFocus()
