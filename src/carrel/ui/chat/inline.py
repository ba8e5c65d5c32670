"""The line of a chat as rows over the composer: what waits, and what a person does with it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from carrel.model.draft import Draft
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter


class InLine(QObject):
    """Joins the rows to the line of the chat that is shown. `returned` gives a chat a message back to be typed over."""

    returned = Signal(str, Draft)

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the rows and to the line."""
        super().__init__(ui)
        self._owner, self._box, self._line = owner, ui.composer, owner.session.line
        self._chats = owner.session.chats
        self._chat_id = ""
        rows = self._box.waiting
        rows.edit_asked.connect(self._edit)
        rows.remove_asked.connect(lambda waiting_id: owner.start(f"line.{waiting_id}", self._line.take(waiting_id)))
        rows.go_asked.connect(lambda: self._line.go_on(self._chat_id))
        for told in (self._chats.reply_ended, self._chats.message_added):  # what is waited for may be another thing now
            owner.hear(told, lambda *_: self.show(self._chat_id))
        owner.hear(self._chats.decided, lambda chat_id: chat_id == self._chat_id and self.show(chat_id))
        owner.hear(self._line.changed, lambda chat_id: chat_id == self._chat_id and self.show(chat_id))

    def takes(self, chat_id: str) -> bool:
        """Whether a message has to wait here: a reply is under way, others are about to go before it, or it is open
        which of two replies the chat goes on with.
        """
        if not chat_id:
            return False
        return self.is_busy(chat_id) or bool(self._chats.compared(chat_id))

    def is_busy(self, chat_id: str) -> bool:
        """Whether a reply is under way, or others are about to go."""
        return self._chats.is_streaming(chat_id) or self._line.is_going(chat_id)

    def add(self, chat_id: str, draft: Draft) -> None:
        """Put a message in line; where it cannot be written down, it comes back into the composer."""
        self._owner.start_beside("line.add", self._add(chat_id, draft))

    def show(self, chat_id: str) -> None:
        """Show the line of a chat."""
        self._chat_id = chat_id
        waiting = [(w.id, w.draft.text, self._along(w.draft)) for w in self._line.of(chat_id)]
        undecided = bool(self._chats.compared(chat_id)) and not self._chats.is_streaming(chat_id)
        self._box.waiting.say(waiting, goes=self._line.is_going(chat_id), undecided=undecided)

    def _along(self, draft: Draft) -> str:
        """What goes along with a message, by name."""
        names = [attachment.name for attachment in draft.attachments]
        quotes = len(draft.quotes)
        if quotes:
            names.append(self.tr("1 quotation") if quotes == 1 else self.tr("{n} quotations").format(n=quotes))
        return ", ".join(names)

    async def _add(self, chat_id: str, draft: Draft) -> None:
        try:
            await self._line.add(chat_id, draft)
        except Exception:  # whatever it was, it is told by the window
            self.returned.emit(chat_id, draft)
            raise

    def _edit(self, waiting_id: str) -> None:
        if self._box.draft().edits:
            self._owner.shell.toast(self.tr("Send or cancel the edit first."))
        else:
            self._owner.start_beside("line.edit", self._take_back(self._chat_id, waiting_id))

    async def _take_back(self, chat_id: str, waiting_id: str) -> None:
        draft = await self._line.take(waiting_id)
        if draft is not None:
            self.returned.emit(chat_id, draft)
            self._box.field.setFocus()
