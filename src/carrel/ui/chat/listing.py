"""The list of chats: which one is open, and what can be done with each."""

from __future__ import annotations

import time
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, QPoint, QTimer, Signal

from carrel.ui.chat.chatlist import archived_items, items_of
from carrel.ui.chat.side import ChatSide
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.notes import Toast
from carrel.work.chat import Chat

TOGETHER = 30
"""Milliseconds in which changes of the list are painted as one."""


class Listing(QObject):
    """Joins the list to the chats. `opened` tells the chat that a person picked, `closed` that it went away,
    `export_asked` one that shall be saved.
    """

    opened = Signal(str)
    closed = Signal(str)
    export_asked = Signal(str)

    def __init__(self, owner: Presenter, side: ChatSide) -> None:
        """Listen to the list and to the chats."""
        super().__init__(side)
        self._owner, self._side, self._chats = owner, side, owner.session.chats
        self._current = ""
        self._shows_archive = False
        self._deleted: dict[str, bool] = {}
        """What the toast offers to bring back: whether each was open."""
        self._deleted_at = 0.0
        self._soon = QTimer(self, singleShot=True, interval=TOGETHER)
        self._soon.timeout.connect(self.fill)
        side.list.chosen.connect(self.opened)
        side.list.menu_asked.connect(self._offer)
        side.list.delete_asked.connect(self._delete)
        side.renamed.connect(lambda key, title: owner.start_beside("chat.rename", self._chats.rename(key, title)))
        side.archived.clicked.connect(self._turn_archive)
        owner.hear(self._chats.list_changed, self._fill_soon)
        owner.hear(owner.shell.desk.settings_changed, lambda _: self._take_motion())
        self._take_motion()

    def point(self, chat_id: str) -> None:
        """Show which chat is open; empty for a new one."""
        self._current = chat_id
        self._side.list.select(chat_id)

    def fill(self) -> None:
        """Read the list again; selection and scroll stay."""
        self._soon.stop()
        lines = self._chats.lines()
        archived = [line for line in lines if line.archived]
        self._shows_archive = self._shows_archive and bool(archived)
        if self._shows_archive:
            items = archived_items(archived, self._chats.is_streaming)
        else:
            shown = (line for line in lines if not line.archived)
            items = items_of(shown, self._chats.is_streaming, datetime.now().astimezone())
        self._side.list.fill(items)
        self._side.list.select(self._current)
        self._side.place_rename()
        self._side.show_archived_count(len(archived), self._shows_archive)

    def _fill_soon(self) -> None:
        self._soon.start()

    def _turn_archive(self) -> None:
        self._shows_archive = not self._shows_archive
        self.fill()

    def _take_motion(self) -> None:
        self._side.list.set_motion(not self._owner.shell.desk.settings.reduce_motion)

    def _offer(self, chat_id: str, place: QPoint) -> None:
        chat = self._chats.chat(chat_id)
        if chat is None:
            return
        pin = self.tr("Unpin") if chat.pinned else self.tr("Pin to the top")
        archive = self.tr("Move back to the list") if chat.archived else self.tr("Archive")
        verbs = [
            (self.tr("Rename"), partial(self._side.rename, chat_id)),
            (pin, lambda: self._owner.start_beside("chat.pin", self._chats.pin(chat_id, not chat.pinned))),
            (archive, lambda: self._owner.start_beside("chat.archive", self._archive(chat))),
            (self.tr("Export…"), partial(self.export_asked.emit, chat_id)),
            ("", None),
            (self.tr("Delete here"), partial(self._delete, chat_id)),
        ]
        self._side.show_menu(place, verbs)

    async def _archive(self, chat: Chat) -> None:
        await self._chats.archive(chat.id, not chat.archived)
        words = self.tr("Back in the list: {title}.") if chat.archived else self.tr("Archived: {title}.")
        self._say(words.format(title=chat.title), lambda: self._chats.archive(chat.id, chat.archived))

    def _delete(self, chat_id: str) -> None:
        chat = self._chats.chat(chat_id)
        if chat is not None:
            self._owner.start(f"chat.delete.{chat_id}", self._delete_now(chat))

    async def _delete_now(self, chat: Chat) -> None:
        was_open = chat.id == self._current
        await self._chats.delete(chat.id)
        self.closed.emit(chat.id)
        if time.monotonic() - self._deleted_at > Toast.STAY / 1000:  # the offer to undo the former ones is gone
            self._deleted.clear()
        self._deleted_at = time.monotonic()
        self._deleted[chat.id] = was_open
        words = self.tr("Deleted here: {title}. The service keeps its own copy.").format(title=chat.title)
        if len(self._deleted) > 1:
            words = self.tr("{n} chats deleted here. The service keeps its own copies.").format(n=len(self._deleted))
        self._say(words, self._restore)

    async def _restore(self) -> None:
        """Bring back what was deleted one after another; to the front too where nothing was opened in its place."""
        deleted, self._deleted = self._deleted, {}
        for chat_id, was_open in deleted.items():
            await self._chats.restore(chat_id)
            if was_open and not self._current:
                self.opened.emit(chat_id)

    def _say(self, words: str, undo: object) -> None:
        self._owner.shell.toast(words, self.tr("Undo"), lambda: self._owner.start_beside("chat.undo", undo()))
