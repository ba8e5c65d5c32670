"""The composer's side of a chat: the draft that is kept, files that are attached, the models and switches on offer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from carrel.model import ServiceError
from carrel.model.draft import Attachment, Draft
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import AskAbout, Presenter
from carrel.work.attaching import attach


class Composing(QObject):
    """Joins the composer to the chats. `sent` gives a draft that shall be sent."""

    sent = Signal(Draft)

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the composer; ask for the models."""
        super().__init__(ui)
        self._owner, self._ui, self._box = owner, ui, ui.composer
        self._chats = owner.session.chats
        self._chat_id = ""
        self._box.sent.connect(self.sent)
        self._box.edited.connect(self.keep)
        self._box.files_pasted.connect(self.attach_files)
        self._box.attach_asked.connect(lambda: owner.shell.choose_files(self.tr("Attach files"), self.attach_files))
        ui.note.acted.connect(lambda _: self.load_models())
        owner.hear(owner.session.models.changed, self._show_models)
        owner.hear(owner.session.reconnected, self.load_models)
        owner.hear(owner.shell.desk.settings_changed, lambda _: self._take_settings())
        self._take_settings()
        self._offer_switches()
        self.load_models()

    def show(self, chat_id: str) -> None:
        """Keep what is typed, and show what was typed into another chat."""
        self.keep(self._box.draft())
        self._chat_id = chat_id
        chat = self._chats.chat(chat_id) if chat_id else None
        self._box.show_draft(chat.draft if chat else Draft())

    def belongs_to(self, chat_id: str) -> None:
        """The new chat that is being written has this id from now on."""
        self._chat_id = chat_id

    def keep(self, draft: Draft) -> None:
        """Write down what is typed and not sent."""
        if self._chat_id:
            self._owner.start("chat.draft", self._chats.save_draft(self._chat_id, draft))

    def take(self, intent: AskAbout) -> None:
        """Attach documents and quote a passage."""
        self._box.attach([Attachment(id=d.id, name=d.name) for d in intent.documents])
        if intent.quoted:
            self._box.quote(intent.quoted)
        if intent.note:
            self._ui.note.say("info", "", intent.note)

    def attach_files(self, paths: Sequence[Path]) -> None:
        """Upload files, then attach them to this message."""
        self._owner.start("chat.attach", self._upload(list(paths)))

    def load_models(self) -> None:
        """Ask for the models, again where that failed before."""
        self._owner.start("chat.models", self._load_models())

    def _take_settings(self) -> None:
        self._box.field.send_with = self._owner.shell.desk.settings.send_with

    def _offer_switches(self) -> None:
        able = self._owner.session.capabilities
        names = ["think"] if able.thinking else []
        if able.metadata:
            names += ["agentic_mode", "redact_pii"]
            if not self._owner.session.is_built_in:  # nothing on this computer searches the web
                names.insert(1, "web_search")
        self._box.show_switches(names)

    def _show_models(self) -> None:
        self._box.show_models(self._owner.session.models.all)

    async def _load_models(self) -> None:
        try:
            await self._owner.session.models.load()
            self._ui.note.hide()
        except ServiceError as error:
            self._ui.note.say_error(error, (("again", self.tr("Try again")),))

    async def _upload(self, paths: list[Path]) -> None:
        self._ui.note.say("info", "", self.tr("Uploading, to attach to this message…"))
        rows = await attach(self._owner.session.uploads, paths)
        self._box.attach([Attachment(id=r.file_id, name=r.name, is_upload=True) for r in rows if r.file_id])
        wrong = [f"{r.name}: {r.error}" for r in rows if not r.file_id]
        if wrong:
            self._ui.note.say("danger", self.tr("Not attached"), "\n".join(wrong[:5]))
        else:
            self._ui.note.hide()
