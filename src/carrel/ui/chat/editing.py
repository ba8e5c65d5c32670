"""Another wording of an earlier message: what it begins with, what is laid aside for it, how it is left."""

from __future__ import annotations

from PySide6.QtCore import QObject

from carrel.model.draft import Draft
from carrel.ui.chat.composing import Composing
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter, ShowChat
from carrel.work.chat import Message


class Editing(QObject):
    """An edit is a draft as any other, kept with its chat; in it lies what was typed before."""

    def __init__(self, owner: Presenter, ui: ChatPane, composing: Composing) -> None:
        """Say over the composer that it holds an edit, for as long as it does."""
        super().__init__(ui)
        self._owner, self._ui, self._box = owner, ui, ui.composer
        self._chats, self._composing, self._drafts = owner.session.chats, composing, composing.drafts
        ui.editing.acted.connect(self.cancel)
        ui.composer.edits_changed.connect(self._show)

    def begin(self, message: Message) -> None:
        """Take an earlier message into the composer; sending it makes a new version beside the old."""
        typed = self._box.draft()
        if self._chats.is_streaming(message.chat_id):
            self._owner.shell.toast(self.tr("A message can be edited when the reply has ended."))
        elif self._composing.waits_for_files(message.chat_id):
            self._owner.shell.toast(self.tr("A message can be edited when the one that waits for its files has gone."))
        elif typed.edits != message.id:
            self._drafts.put(message.chat_id, self._chats.wording(message).as_edit(message.id, typed))
            self._tell_left(message.chat_id, typed)
        self._box.field.setFocus()

    def cancel(self) -> bool:
        """Back to what was typed before; False where nothing is edited."""
        left, chat_id = self._box.draft(), self._drafts.chat_id
        if not left.edits:
            return False
        self._composing.do_not_send(chat_id)
        self._drafts.put(chat_id, left.next_turn())
        self._tell_left(chat_id, left)
        self._box.field.setFocus()
        return True

    def _tell_left(self, chat_id: str, left: Draft) -> None:
        """What was changed in an edit that was left can be had back."""
        message = self._chats.message(left.edits) if left.edits else None
        if message is None:
            return
        first = self._chats.wording(message)
        if (left.text, left.attachments, left.quotes) != (first.text, first.attachments, first.quotes):
            words = self.tr("The edit was put away.")
            self._owner.shell.toast(words, self.tr("Undo"), lambda: self._take_up(chat_id, left))

    def _take_up(self, chat_id: str, left: Draft) -> None:
        if chat_id != self._drafts.chat_id:
            self._owner.shell.go("chat", ShowChat(chat_id))
        self._drafts.put(chat_id, left.as_edit(left.edits, self._box.draft()))
        self._box.field.setFocus()

    def _show(self) -> None:
        draft = self._box.draft()
        if not draft.edits:
            self._ui.editing.hide()
            return
        words = self.tr("The service starts a new conversation for it; earlier turns go along as the quote below.")
        if not self._owner.session.capabilities.documents:
            words = self.tr("The service starts a new conversation for it, which knows nothing of earlier turns.")
        elif not draft.quotes:
            words = self.tr("The service starts a new conversation for it.")
        self._ui.editing.say("info", self.tr("Editing an earlier message"), words, (("stop", self.tr("Cancel")),))
