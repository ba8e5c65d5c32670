"""The chats of an account behind one face: those on the disk, and those in memory that a person does not want kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from carrel.store.branches import Fork
from carrel.store.chats import Chat, ChatLine, ChatStore, Message
from carrel.store.db import Database
from carrel.store.memory import UNKEPT, MemoryDatabase

if TYPE_CHECKING:
    _Face = ChatStore  # what `__getattr__` answers as
else:
    _Face = object


class Shelves(_Face):
    """Answers as a `ChatStore` does: a question about an id goes to the store that has it.

    Every method of a `ChatStore` names first the chat or the message that it is about, so none needs to know that
    there are two stores; one that names neither is about the disk.
    """

    def __init__(self, db: Database, account: str) -> None:
        """Keep in `db` what is kept."""
        self._db, self._memory = db, MemoryDatabase()
        self._kept, self._unkept = ChatStore(db, account), ChatStore(self._memory, account)
        self._messages: set[str] = set()

    def at(self, key: str) -> Database:
        """The database that holds what has this id."""
        return self._memory if key.startswith(UNKEPT) or key in self._messages else self._db

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
        if self.at(chat.id) is self._memory:
            self._messages |= {message.id for message in messages}
        return await self._of(chat).add_turn(chat, messages, waiting_id, in_place_of, fork)

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        """Any other method of a `ChatStore`."""

        def ask(subject: object, *rest: object, **named: object) -> Any:
            return getattr(self._of(subject), verb)(subject, *rest, **named)

        return ask

    def _of(self, subject: object) -> ChatStore:
        key = subject if isinstance(subject, str) else getattr(subject, "id", "")
        return self._unkept if self.at(key) is self._memory else self._kept
