"""The list of chats: which one is open, and what can be done with each."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject, Signal

from carrel.ui.chat.chatlist import items_of, matches
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter
from carrel.work.chat import Chat


class Listing(QObject):
    """Joins the list to the chats. `opened` tells the chat that a person picked, `closed` that it went away."""

    opened = Signal(str)
    closed = Signal(str)

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the list and to the chats."""
        super().__init__(ui)
        self._owner, self._ui, self._chats = owner, ui, owner.session.chats
        self._current = ""
        ui.chats.chosen.connect(self.opened)
        ui.filter.textChanged.connect(lambda _: self.fill())
        ui.renamed.connect(lambda key, title: owner.start("chat.rename", self._chats.rename(key, title)))
        ui.menu_chosen.connect(self._menu)
        owner.hear(self._chats.list_changed, self.fill)

    def point(self, chat_id: str) -> None:
        """Show which chat is open; empty for a new one."""
        self._current = chat_id
        self._ui.chats.select(chat_id)

    def fill(self) -> None:
        """Read the list again; selection and scroll stay."""
        words = self._ui.filter.text()
        chats = [c for c in self._chats.all() if matches(c, words)]
        self._ui.chats.fill(items_of(chats, self._chats.is_streaming, datetime.now().astimezone()))
        self._ui.chats.select(self._current)

    def _menu(self, chat_id: str, verb: str) -> None:
        chat = self._chats.chat(chat_id)
        if chat is None:
            return
        if verb == "pin":
            self._owner.start("chat.pin", self._chats.pin(chat_id, not chat.pinned))
        elif verb == "delete":
            self._owner.start("chat.delete", self._delete(chat))

    async def _delete(self, chat: Chat) -> None:
        await self._chats.delete(chat.id)
        self.closed.emit(chat.id)
        words = self.tr("Deleted here: {title}. The service keeps its own copy.").format(title=chat.title)
        self._owner.shell.toast(
            words, self.tr("Undo"), lambda: self._owner.start("chat.undo", self._chats.restore(chat.id))
        )
