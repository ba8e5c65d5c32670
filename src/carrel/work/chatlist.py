"""The chats as a list: their titles, what is pinned, archived, unread, deleted, and what is typed into each."""

from __future__ import annotations

import time

from psygnal import Signal

from carrel.model.draft import Draft
from carrel.store.chats import Chat, ChatLine
from carrel.store.db import Database
from carrel.store.drafts import NewDrafts
from carrel.store.erasing import erase_deleted
from carrel.store.memory import is_kept
from carrel.store.shelves import Shelves
from carrel.work.context import Context

TITLE = 60
"""Characters of a title made from the first message."""


DELETED = 24 * 3600.0
"""Seconds for which a deleted chat lies in the store, before the next start erases it."""


class ChatList:
    """What can be done with a chat without a word to the service. `list_changed` tells that the list is another."""

    list_changed = Signal()

    def __init__(self, context: Context) -> None:
        """Read from the context's store."""
        self._account_id = context.account_id
        self._store = Shelves(context.db, context.account_id)
        self._new_drafts = NewDrafts(context.db, context.account_id)
        self.in_front = ""
        """The chat that the person looks at: its replies do not count as unread."""

    def all(self) -> list[Chat]:
        """The chats, pinned ones first, then the latest."""
        return self._store.chats()

    def lines(self) -> list[ChatLine]:
        """As `all`, but only what a list shows of each chat."""
        return self._store.lines()

    def chat(self, chat_id: str) -> Chat | None:
        """One chat."""
        return self._store.of(chat_id).chat(chat_id)

    def draft(self, chat_id: str) -> Draft:
        """What was typed into a chat and not sent; an empty id is the chat that has no row yet."""
        if not chat_id:
            return self._new_drafts.read()
        chat = self._store.of(chat_id).chat(chat_id)
        return chat.draft if chat else Draft()

    def is_kept(self, chat_id: str) -> bool:
        """Whether a chat is written to the disk."""
        return is_kept(chat_id)

    def at(self, key: str) -> Database:
        """Where what belongs to a chat is written: on the disk, or in memory for one that is not kept."""
        return self._store.at(key)

    async def save_draft(self, chat_id: str, draft: Draft) -> None:
        """Keep what is typed and not sent."""
        if not chat_id:
            await self._new_drafts.save(draft)
        else:
            await self._store.of(chat_id).save_draft(chat_id, draft)

    async def rename(self, chat_id: str, title: str) -> None:
        """Give a chat another title."""
        if chosen := title.strip()[: 4 * TITLE]:
            await self._change(chat_id, title=chosen)

    async def pin(self, chat_id: str, pinned: bool) -> None:
        """Keep a chat at the top, or no longer."""
        await self._change(chat_id, pinned=pinned)

    async def archive(self, chat_id: str, archived: bool) -> None:
        """Take a chat out of the way, or back into the list; a further message brings it back too."""
        await self._change(chat_id, archived=archived)

    async def seen(self, chat_id: str) -> None:
        """The person looks at this chat."""
        self.in_front = chat_id
        chat = self._store.of(chat_id).chat(chat_id)
        if chat is not None and chat.unread:
            await self._change(chat_id, unread=False)

    async def delete(self, chat_id: str) -> None:
        """Take a chat out of the list here; the service keeps its own copy."""
        await self._store.of(chat_id).delete(chat_id, time.time())
        self.list_changed.emit()

    async def restore(self, chat_id: str) -> None:
        """Undo `delete`."""
        await self._store.of(chat_id).delete(chat_id, None)
        self.list_changed.emit()

    async def erase_deleted(self) -> int:
        """Erase what was deleted more than a day ago; how many chats that were."""
        return await erase_deleted(self._store.at(""), self._account_id, time.time() - DELETED)

    async def _change(self, chat_id: str, **values: object) -> None:
        await self._store.of(chat_id).change(chat_id, **values)
        self.list_changed.emit()
