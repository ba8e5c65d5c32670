"""Messages that wait in line: written down at once, sent one after another when the reply before them has ended."""

from __future__ import annotations

from psygnal import Signal

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.line import LineRows, Waiting
from carrel.store.memory import new_id
from carrel.work.chat import Chats
from carrel.work.context import Context

__all__ = ["Line", "Waiting"]


class Line:
    """The lines of all chats of one account. `changed` tells the chat whose line is another, or goes on, or is held.

    A line goes on by itself while a reply is under way. It is held, until a person says so, where the person pressed
    Stop, and after a restart: nothing is sent that nobody expects. It waits too while two replies stand side by side
    and nobody has said which of them goes on.
    """

    changed = Signal(str)

    def __init__(self, context: Context, chats: Chats) -> None:
        """Send through `chats`."""
        self._tasks, self._chats = context.tasks, chats
        self._rows = LineRows(chats.at)
        chats.reply_ended.connect(self._reply_ended)
        chats.decided.connect(self._decided)

    def of(self, chat_id: str) -> list[Waiting]:
        """What waits in a chat, the first to go first."""
        return self._rows.of(chat_id) if chat_id else []

    def is_going(self, chat_id: str) -> bool:
        """Whether the line moves on by itself; else it is held, or empty."""
        return self._tasks.running(f"line:{chat_id}")

    async def add(self, chat_id: str, draft: Draft) -> None:
        """Put a message at the end of the line, and let the line go on."""
        await self._rows.add(Waiting(new_id(chat_id), chat_id, draft))
        self.go_on(chat_id)

    async def take(self, waiting_id: str) -> Draft | None:
        """Take a message out of the line; None where it has just been sent, or taken by another press."""
        held = self._rows.one(waiting_id)
        if held is None or not await self._rows.remove(waiting_id):
            return None
        self.changed.emit(held.chat_id)
        return held.draft

    def go_on(self, chat_id: str) -> None:
        """Send what waits, as soon as no reply is under way."""
        if not self.is_going(chat_id):
            self._tasks.start(f"line:{chat_id}", self._work_off(chat_id))
        self.changed.emit(chat_id)

    async def _work_off(self, chat_id: str) -> None:
        """Send one after another. What is first is read only when it can go: until then it may be edited or removed,
        and where that happens in the very moment in which it goes, the next one is read.
        """
        while True:
            await self._tasks.ended(f"reply:{chat_id}")
            waiting = self.of(chat_id)
            if not waiting or self._chats.chat(chat_id) is None or self._chats.compared(chat_id):
                return
            await self._chats.send(chat_id, waiting[0].draft, waiting_id=waiting[0].id)
            self.changed.emit(chat_id)

    def _decided(self, chat_id: str) -> None:
        if self.of(chat_id):
            self.go_on(chat_id)

    def _reply_ended(self, chat_id: str, _: str, reply: Reply) -> None:
        if reply.state == "stopped" and self._tasks.cancel(f"line:{chat_id}"):
            self.changed.emit(chat_id)
