"""What goes along with a message: files from anywhere, pictures, long pastes that become files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from carrel.model import LibraryFile
from carrel.model.draft import Attachment, Draft
from carrel.ui.chat.attaching import Attaching, Going
from carrel.ui.chat.drafts import Drafts
from carrel.ui.chat.pane import ChatPane
from carrel.ui.picking import pick_files
from carrel.ui.presenter import Presenter


class Along(QObject):
    """Joins what the composer is given to the uploads. `attaching` has what is on its way."""

    def __init__(self, owner: Presenter, ui: ChatPane, drafts: Drafts) -> None:
        """What has arrived is put into `drafts`."""
        super().__init__(ui)
        self._owner, self._ui, self._box, self._drafts = owner, ui, ui.composer, drafts
        self._pasted = ""
        self.attaching = Attaching(owner, ui)
        self._connect()

    def attach_files(self, paths: Sequence[Path]) -> None:
        """Upload files, then attach them to this message."""
        if self._takes_files():
            self.attaching.upload(self._drafts.chat_id, paths, kept=self._drafts.is_kept)

    def attach_picture(self, picture: QImage) -> None:
        """Upload a picture as a PNG, then attach it to this message."""
        if not self._takes_files():
            return
        if not self._drafts.is_kept:
            words = self.tr("This chat is not kept, and a pasted picture would lie on the disk while it is sent.")
            self._ui.hint.say("warn", "", f"{words} {self.tr('Files that you attach are sent from where they are.')}")
            return
        self.attaching.upload_image(self._drafts.chat_id, picture)

    def mind(self, draft: Draft) -> None:
        """The message reads so now: a paste that was changed is no longer offered as a file."""
        if self._pasted and self._pasted not in draft.text:
            self.forget_paste()

    def forget_paste(self) -> None:
        """Offer the last paste as a file no longer."""
        if self._pasted:
            self._pasted = ""
            self._ui.hint.hide()

    def show(self) -> None:
        """Say how far what goes into the chat in front has come."""
        self._moved(self._drafts.chat_id)

    def _connect(self) -> None:
        owner, box = self._owner, self._box
        box.files_pasted.connect(self.attach_files)
        box.image_pasted.connect(self.attach_picture)
        box.long_pasted.connect(self._offer_file)
        box.attach_asked.connect(lambda: owner.shell.choose_files(self.tr("Attach files"), self.attach_files))
        box.library_asked.connect(lambda: pick_files(owner, self.tr("Attach from the library"), self._attach_listed))
        box.held.upload_stopped.connect(lambda: self.attaching.stop(self._drafts.chat_id))
        self.attaching.attached.connect(self._attached)
        self.attaching.moved.connect(self._moved)
        self._ui.hint.acted.connect(self._hint_acted)

    def _attach_listed(self, files: Sequence[LibraryFile]) -> None:
        self._box.attach([Attachment(id=f.id, name=f.file_name) for f in files])

    def _takes_files(self) -> bool:
        able = self._owner.session.capabilities.documents
        if not able:
            words = self.tr("This account's interface takes no files in a chat. The library takes them.")
            self._ui.hint.say("warn", "", words)
        return able

    def _offer_file(self, text: str) -> None:
        if not self._drafts.is_kept:
            return  # as a file it would lie on the disk for a moment
        self._pasted = text
        words = self.tr("A long paste: {n} characters. As a file it is read like a document.")
        ways = (("as-file", self.tr("Attach as a file instead")), ("as-text", self.tr("Keep as text")))
        self._ui.hint.say("info", "", words.format(n=f"{len(text):,}"), ways)

    def _hint_acted(self, key: str) -> None:
        pasted, self._pasted = self._pasted, ""
        if key == "as-file" and pasted in self._box.draft().text:
            self.attaching.upload_text(self._drafts.chat_id, pasted)

    def _attached(self, going: Going, attachments: list[Attachment]) -> None:
        if self._drafts.attach(going.chat_id, going.edits, attachments, going.text):
            self._moved(going.chat_id)
            return
        words = self.tr("The paste was changed since: it stays as text. Its file is in the library.")
        self._ui.hint.say("info", "", words)

    def _moved(self, chat_id: str) -> None:
        if chat_id == self._drafts.chat_id:
            self._box.held.show_uploading(self.attaching.words(chat_id))
