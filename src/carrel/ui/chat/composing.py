"""The composer's side of a chat: how a message goes, what waits, the models and switches."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from carrel.model import ServiceError
from carrel.model.draft import Attachment, Draft
from carrel.ui.chat.along import Along
from carrel.ui.chat.drafts import Drafts
from carrel.ui.chat.inline import InLine
from carrel.ui.chat.pane import ChatPane
from carrel.ui.chat.suggesting import Suggesting
from carrel.ui.presenter import AskAbout, Presenter


class Composing(QObject):
    """Joins the composer to the chats. `sent` gives a draft that shall be sent now, in the chat that is shown."""

    sent = Signal(Draft)

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the composer; ask for the models."""
        super().__init__(ui)
        self._owner, self._ui, self._box = owner, ui, ui.composer
        self._chats = owner.session.chats
        self.drafts = Drafts(owner, ui)
        self._starting: set[str] = set()
        self._send_later: set[str] = set()
        self.along = Along(owner, ui, self.drafts)
        self._attaching = self.along.attaching
        self._line = InLine(owner, ui)
        self._line.returned.connect(self.drafts.take_back)
        self._suggesting = Suggesting(owner, ui)
        self._connect()
        self._take_settings()
        self._offer_switches()
        self._box.show_styles(owner.session.styles.all())
        self.load_models()

    def show(self, chat_id: str) -> None:
        """Keep what is typed, and show what was typed into another chat."""
        self.along.forget_paste()
        self._ui.hint.hide()
        self.drafts.show(chat_id)
        self._show_chat()

    def belongs_to(self, chat_id: str) -> None:
        """The new chat that is being written has this id from now on."""
        self.drafts.belongs_to(chat_id)
        self._attaching.belongs_to(chat_id)
        self._show_chat()

    def waits_for_files(self, chat_id: str) -> bool:
        """Whether a message goes by itself as soon as its files have arrived."""
        return chat_id in self._send_later

    def do_not_send(self, chat_id: str) -> None:
        """What waits for its files does not go by itself any more."""
        if chat_id in self._send_later:
            self._send_later.discard(chat_id)
            self._ui.hint.hide()

    async def send(self, chat_id: str, draft: Draft) -> str:
        """Send, and give the chat's id; where it cannot even be written down, the text comes back."""
        try:
            if not draft.edits:
                return await self._chats.send(chat_id, draft, kept=self.drafts.new_is_kept)
            if not await self._chats.edit(draft.edits, draft):
                self._hold_edit(chat_id, draft)
        except Exception:  # whatever it was, it is told by the window
            self.drafts.take_back(chat_id, draft)
            raise
        finally:
            self._starting.discard(chat_id)
        return chat_id

    def take(self, intent: AskAbout) -> None:
        """Attach documents and quote a passage."""
        self._box.attach([Attachment(id=d.id, name=d.name) for d in intent.documents])
        if intent.quoted:
            self._box.quote(intent.quoted)
        if intent.note:
            self._ui.hint.say("info", "", intent.note)

    def quote(self, text: str) -> None:
        """Quote a passage; an interface that takes none gets it as part of the text."""
        if self._owner.session.capabilities.documents:
            self._box.quote(text)
        else:
            self.suggest("\n".join(f"> {line}" for line in text.strip().splitlines()) + "\n\n")

    def suggest(self, text: str) -> None:
        """Put words into the message, below what is typed there."""
        draft = self._box.draft()
        typed = f"{draft.text.rstrip()}\n\n" if draft.text.strip() else ""
        draft = draft.model_copy(update={"text": typed + text})
        self._box.show_draft(draft)
        self._box.field.setFocus()
        self.drafts.keep(draft)

    def load_models(self) -> None:
        """Ask for the models, again where that failed before."""
        self._owner.start("chat.models", self._load_models())

    def _connect(self) -> None:
        owner, box, session = self._owner, self._box, self._owner.session
        box.sent.connect(self._sent)
        box.edited.connect(self._edited)
        box.options.kept_changed.connect(self._keep_new)
        styles, beside = session.styles, owner.start_beside
        box.options.style_saved.connect(lambda name, said: beside("chat.style", styles.save(name, said)))
        box.options.style_deleted.connect(lambda name: beside("chat.style", styles.delete(name)))
        self._attaching.settled.connect(self._settled)
        self._ui.note.acted.connect(lambda key: key == "again" and self.load_models())
        self._ui.hint.acted.connect(self._hint_acted)
        owner.hear(session.styles.changed, lambda: box.show_styles(session.styles.all()))
        owner.hear(session.models.changed, lambda: box.show_models(session.models.all))
        owner.hear(session.reconnected, self.load_models)
        owner.hear(session.reference.changed, self._show_chat)
        owner.hear(owner.shell.desk.settings_changed, lambda _: self._take_settings())

    # Sending

    def _sent(self, draft: Draft) -> None:
        chat_id = self.drafts.chat_id
        if chat_id in self._starting and not self._line.is_busy(chat_id):  # the one before is not written yet
            self.drafts.put(chat_id, draft)
        elif self._attaching.is_busy(chat_id):
            self.drafts.put(chat_id, draft)
            self._send_later.add(chat_id)
            words = self.tr("The message goes as soon as its files have arrived.")
            self._ui.hint.say("info", "", words, (("not-yet", self.tr("Do not send yet")),))
        elif draft.edits and self._line.is_busy(chat_id):
            self._hold_edit(chat_id, draft)
        elif not draft.edits and self._line.takes(chat_id):
            self._ui.hint.hide()
            self._line.add(chat_id, draft)
            if self._chats.compared(chat_id):
                self._ui.hint.say("info", "", self.tr("The message goes once you keep one of the two replies."))
        else:
            self._ui.hint.hide()
            self._starting.add(chat_id)
            self.sent.emit(draft)

    def _hold_edit(self, chat_id: str, draft: Draft) -> None:
        """Another wording cannot wait in line: it goes back to before what the line would follow."""
        self.drafts.take_back(chat_id, draft)
        self._ui.hint.say("info", "", self.tr("The edited message can be sent when the reply has ended."))

    def _settled(self, chat_id: str, all_arrived: bool) -> None:
        if chat_id not in self._send_later:
            return
        self._send_later.discard(chat_id)
        if not all_arrived:
            return
        if chat_id == self.drafts.chat_id:
            self._box.send.click()
        else:
            self._owner.start(f"chat.send.{chat_id}", self._send_behind(chat_id))

    async def _send_behind(self, chat_id: str) -> None:
        """Send the draft of a chat that is not in front."""
        draft = self.drafts.of(chat_id)
        if draft.edits:
            await self._chats.edit(draft.edits, draft)
        elif self._line.takes(chat_id):
            await self._owner.session.line.add(chat_id, draft)
            await self._chats.save_draft(chat_id, draft.next_turn())
        elif chat_id:
            await self._chats.send(chat_id, draft)
        elif self.drafts.new_is_kept:
            await self._chats.send("", draft)
        else:
            self.drafts.new_has_gone()  # at once: whoever opens a new chat meanwhile begins another one
            try:
                await self._chats.send("", draft, kept=False)
            except BaseException:
                self.drafts.unkept_returns(draft)
                raise

    def _edited(self, draft: Draft) -> None:
        self.drafts.keep(draft)
        self.along.mind(draft)

    def _hint_acted(self, key: str) -> None:
        self._ui.hint.hide()
        if key == "not-yet":
            self.do_not_send(self.drafts.chat_id)

    # The chat, the account

    def _keep_new(self, kept: bool) -> None:
        """The person says whether the new chat is kept; what was kept of it already is erased."""
        self.drafts.keep_new(kept)
        self._show_chat()

    def _show_chat(self) -> None:
        chat_id, is_kept = self.drafts.chat_id, self.drafts.is_kept
        self._ui.unkept.setVisible(not is_kept)
        session = self._owner.session
        taken = session.reference.continues_with("additional_metadata")
        self._box.show_chat(continuing=bool(chat_id), kept=is_kept, taken=taken)
        if chat_id and session.reference.kept is None:
            self._owner.start("chat.learn", session.learn())
        self.along.show()
        self._line.show(chat_id)

    def _take_settings(self) -> None:
        self._box.field.send_with = self._owner.shell.desk.settings.send_with
        self._box.lock_redaction(self._chats.always_redacts)

    def _offer_switches(self) -> None:
        able = self._owner.session.capabilities
        names = ["think"] if able.thinking else []
        if able.metadata:
            names += ["agentic_mode", "redact_pii"]
            if not self._owner.session.is_built_in:  # nothing on this computer searches the web
                names.insert(1, "web_search")
        self._box.show_switches([*names, "compare"])
        self._box.comparing.take_one_stream(able.metadata)
        self._box.options.sound.setVisible(able.metadata)
        self._box.clip.setVisible(able.documents)
        if not able.documents:
            self._box.field.setPlaceholderText(self.tr("Ask about your documents"))

    async def _load_models(self) -> None:
        try:
            await self._owner.session.models.load()
            self._ui.note.hide()
        except ServiceError as error:
            self._ui.note.say_error(error, (("again", self.tr("Try again")),))
