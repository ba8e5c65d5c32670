"""The chats of an account, on the disk, and in memory those that a person does not want kept."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.store.branches import Fork
from carrel.store.chats import Chat, ChatLine, ChatStore, Message
from carrel.store.db import Database
from carrel.store.memory import MemoryDatabase, is_kept


class Shelves:
    """Two stores of chats; an id says which of them has its row, and none is about the disk."""

    def __init__(self, db: Database, account: str) -> None:
        """Keep in `db` what is kept."""
        self._db, self._memory = db, MemoryDatabase()
        self._kept, self._unkept = ChatStore(db, account), ChatStore(self._memory, account)

    def at(self, key: str) -> Database:
        """The database that holds what has this id."""
        return self._db if is_kept(key) else self._memory

    def of(self, key: str) -> ChatStore:
        """The store that holds the chat or the message with this id."""
        return self._kept if is_kept(key) else self._unkept

    def chats(self) -> list[Chat]:
        """All chats that were not deleted, pinned ones first, then the latest."""
        held = [*self._unkept.chats(), *self._kept.chats()]
        return sorted(held, key=lambda chat: (chat.pinned, chat.updated_at), reverse=True)

    def lines(self) -> list[ChatLine]:
        """See `ChatStore.lines`."""
        unkept, kept = self._unkept.lines(), self._kept.lines()
        if not unkept:
            return kept
        return sorted([*unkept, *kept], key=lambda line: (line.pinned, line.updated_at), reverse=True)

    async def add_turn(
        self,
        chat: Chat,
        messages: Sequence[Message],
        waiting_id: str = "",
        in_place_of: str = "",
        fork: Fork | None = None,
    ) -> list[Message]:
        """See `ChatStore.add_turn`."""
        return await self.of(chat.id).add_turn(chat, messages, waiting_id, in_place_of, fork)
