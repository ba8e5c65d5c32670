"""What was said before a message, told again where it is sent in a conversation of its own."""

from __future__ import annotations

from carrel.model.draft import Draft
from carrel.store.branches import Told
from carrel.store.chats import Message
from carrel.store.shelves import Shelves
from carrel.work.asking import Asking, Question
from carrel.work.context import Context

SPEAKERS = {"user": "You", "assistant": "Reply"}


class Retelling:
    """Earlier turns go along as a quotation, where the interface takes one."""

    def __init__(self, context: Context, store: Shelves, asking: Asking) -> None:
        """Read from `store`; a reply that streams is told as it stands at this moment."""
        self._context, self._store, self._asking = context, store, asking

    def wording(self, message: Message) -> Draft:
        """What was sent, with what was said before it."""
        if message.draft.quotes or not self._context.service.capabilities.documents:
            return message.draft
        return message.draft.with_quotes(self._quoted(message, self._told_before(message)))

    def question(self, asked: Message, answer: Message) -> Question:
        """A question outside the chat's conversation: what was said and attached before goes along with it."""
        if not self._context.service.capabilities.documents:
            return Question(answer.draft, "")
        told = self._told_before(asked)
        files = [file for one in told for file in one.attachments]
        quotes = tuple(text for text in (self._quoted(asked, told), *answer.draft.quotes) if text)
        return Question(answer.draft.with_files(files).model_copy(update={"quotes": quotes}), "")

    def _told_before(self, message: Message) -> list[Told]:
        return self._store.of(message.chat_id).told(message.chat_id, message.turn)

    def _quoted(self, message: Message, told: list[Told]) -> str:
        """The turns before a message, as words to quote."""
        said = []
        for one in told:
            replying = self._asking.replying(message.chat_id, one.id)
            if text := (replying.reply.text if replying else one.text).strip():
                said.append(f"{SPEAKERS[one.role]}: {text}")
        return "\n\n".join(said)
