"""What is typed and not sent: of each chat one draft, written down as it grows, and never lost on the way."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.model.draft import Attachment, Draft
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter


class Drafts:
    """The composer holds the draft of the chat in front; the others lie in the store.

    That of a new chat which shall not be kept lies in memory alone.
    """

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """No chat is in front yet."""
        self._owner, self._box = owner, ui.composer
        self._chats = owner.session.chats
        self.chat_id = ""
        self.new_is_kept = True
        self._unkept = Draft()
        self._has_shown = False
        self._unsaved: dict[str, Draft] = {}

    @property
    def is_kept(self) -> bool:
        """Whether the chat in front is written to the disk."""
        return self._chats.is_kept(self.chat_id) if self.chat_id else self.new_is_kept

    def show(self, chat_id: str) -> None:
        """Keep what is typed, and show what was typed into another chat."""
        if self._has_shown:
            self.keep(self._box.draft())
        self._has_shown, self.chat_id = True, chat_id
        self._box.show_draft(self._held(chat_id))

    def of(self, chat_id: str) -> Draft:
        """What is typed into a chat at this moment."""
        return self._box.draft() if chat_id == self.chat_id else self._held(chat_id)

    def keep(self, draft: Draft) -> None:
        """Write down what is typed into the chat in front."""
        self._keep(self.chat_id, draft)

    def put(self, chat_id: str, draft: Draft) -> None:
        """Let a chat have this draft from now on."""
        if chat_id == self.chat_id:
            self._box.show_draft(draft)
        self._keep(chat_id, draft)

    def take_back(self, chat_id: str, draft: Draft) -> None:
        """A message comes back; what was typed since stays with it."""
        self.put(chat_id, self.of(chat_id).with_returned(draft))

    def attach(self, chat_id: str, edits: str, attachments: Sequence[Attachment], instead_of: str = "") -> bool:
        """Files have arrived for what was typed when they were begun, an edit of a message or not; False where the
        text whose place they take is no longer there.
        """
        whole = self.of(chat_id)
        is_aside = whole.edits != edits and whole.aside is not None
        held = whole.aside if is_aside and whole.aside is not None else whole
        if instead_of not in held.text:
            return False
        if chat_id == self.chat_id and not is_aside:
            if instead_of:
                self._box.field.take_out(instead_of)
            self._box.attach(attachments)
            return True
        held = held.with_files(attachments)
        held = held.model_copy(update={"text": held.text.replace(instead_of, "", 1)})
        self.put(chat_id, whole.model_copy(update={"aside": held}) if is_aside else held)
        return True

    def belongs_to(self, chat_id: str) -> None:
        """The new chat that is being written has this id from now on."""
        self.chat_id = chat_id
        self.new_has_gone()

    def new_has_gone(self) -> None:
        """The next new chat begins with nothing, and is kept like any other."""
        self.new_is_kept, self._unkept = True, Draft()

    def unkept_returns(self, draft: Draft) -> None:
        """The message of a new chat that is not kept could not go; what was typed into another one stays with it."""
        typed = self.of("")
        self.keep_new(False)
        self.put("", typed.with_returned(draft))

    def keep_new(self, kept: bool) -> None:
        """Whether the new chat is kept; what was kept of it already is erased."""
        self.new_is_kept = kept
        if not kept:
            self._save("", Draft())

    def _held(self, chat_id: str) -> Draft:
        """What was typed, though it may not have reached the store yet."""
        if not chat_id and not self.new_is_kept:
            return self._unkept
        held = self._unsaved.get(chat_id)
        return self._chats.draft(chat_id) if held is None else held

    def _keep(self, chat_id: str, draft: Draft) -> None:
        if not chat_id and not self.new_is_kept:
            self._unkept = draft
        else:
            self._save(chat_id, draft)

    def _save(self, chat_id: str, draft: Draft) -> None:
        self._unsaved[chat_id] = draft
        self._owner.start(f"chat.draft.{chat_id}", self._save_now(chat_id, draft))

    async def _save_now(self, chat_id: str, draft: Draft) -> None:
        await self._chats.save_draft(chat_id, draft)
        if self._unsaved.get(chat_id) is draft:
            del self._unsaved[chat_id]
