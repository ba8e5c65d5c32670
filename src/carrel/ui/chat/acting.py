"""What the buttons of a message do: copy, quote, edit, ask again, turn to another version, tell more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from carrel.model.redaction import redaction_of, related_questions
from carrel.ui.chat.details import Details
from carrel.ui.chat.exporting import copy_rich
from carrel.ui.chat.pane import ChatPane
from carrel.ui.chat.redactionview import RedactionView
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.notes import copy
from carrel.ui.widgets.transcript import Clip
from carrel.work.chat import Message

if TYPE_CHECKING:
    from carrel.ui.chat.conversation import Conversation


class Acting(QObject):
    """Acts on the chat that the conversation shows.

    `quoted` gives words for the composer, `suggested` a question, `editing` a message that shall be sent in other
    words.
    """

    quoted = Signal(str)
    suggested = Signal(str)
    editing = Signal(Message)

    def __init__(self, owner: Presenter, ui: ChatPane, conversation: Conversation) -> None:
        """Listen to the transcript, and to both sides of a comparison."""
        super().__init__(conversation)
        self._owner, self._ui, self._conversation = owner, ui, conversation
        self._chats, self._models = owner.session.chats, owner.session.models
        for transcript in (ui.transcript, *ui.compare.sides):
            transcript.acted.connect(self._act)
            transcript.linked.connect(owner.shell.open_link)
            transcript.quoted.connect(self.quoted)
            transcript.copied.connect(lambda clips: copy_rich(owner, *clips))

    def _act(self, message_id: str, key: str) -> None:
        message = self._conversation.message(message_id)
        if message is None:
            return
        match key:
            case "thinking":
                self._conversation.turn_thinking(message)
            case "copy":
                clip = Clip(message.text, "markdown" if message.role == "assistant" else "plain")
                copy_rich(self._owner, clip, said=self.tr("Copied with its formatting."))
            case "thinking_copy":
                copy(message.reply.thinking)
                self._owner.shell.toast(self.tr("Copied what was thought."))
            case "quote":
                self.quoted.emit(self._conversation.transcript(message.id).selected_in(message.id) or message.text)
            case "edit":
                self.editing.emit(message)
            case "again" | "again_with":
                self._begin_again(message, key)
            case "older" | "newer":
                self._turn_version(message, -1 if key == "older" else 1)
            case _:
                self._tell_more(message, key)

    def _tell_more(self, message: Message, key: str) -> None:
        """What a reply has beside its words: details, redaction, questions to go on with."""
        if key == "settings":
            self._owner.shell.go("settings")
        elif key == "details":
            self._owner.start("chat.details", self._show_details(message))
        elif key == "redaction" and (told := redaction_of(message.reply.extra)) is not None:
            RedactionView(self._ui, told).open()
        elif key.startswith("file:"):
            self._conversation.generated.press(message, int(key.partition(":")[2]))
        elif key.startswith("question:"):
            self.suggested.emit(related_questions(message.reply.extra)[int(key.partition(":")[2])])

    async def _show_details(self, message: Message) -> None:
        events = await self._chats.events(message.id)

        def save(place: Path) -> None:
            self._owner.start_beside("chat.events", self._save_events(message.id, place))

        Details(self._ui, message, events, self._owner.shell, save).open()

    async def _save_events(self, message_id: str, place: Path) -> None:
        shell = self._owner.shell
        try:
            await self._owner.session.exports.save_events(message_id, place)
        except OSError as error:
            shell.toast(self.tr("Not saved: {why}").format(why=error.strerror or error))
        else:
            words = self.tr("Saved {name}.").format(name=place.name)
            shell.toast(words, self.tr("Show"), lambda: shell.show_in_folder(place))

    def _begin_again(self, message: Message, key: str) -> None:
        if self._chats.is_streaming(self._conversation.chat_id):
            self._say_busy()
        elif key == "again":
            self._ask_again(message, None)
        else:
            self._offer_models(message)

    def _ask_again(self, message: Message, model: str | None) -> None:
        self._owner.start_beside("chat.again", self._ask_again_now(message.id, model))

    async def _ask_again_now(self, message_id: str, model: str | None) -> None:
        if not await self._chats.ask_again(message_id, model):
            self._say_busy()

    def _say_busy(self) -> None:
        self._owner.shell.toast(self.tr("Another reply can be asked for when this one has ended."))

    def _offer_models(self, message: Message) -> None:
        menu = QMenu(self._ui)
        menu.setObjectName("chat.again_models")
        for model in self._models.all:
            action = menu.addAction(model.label.replace("&", "&&"))
            action.setEnabled(model.is_available)
            action.triggered.connect(lambda _=False, m=model.id: self._ask_again(message, m))
        menu.popup(self._conversation.transcript(message.id).below(message.id, "again_with") or QCursor.pos())
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setActiveAction(next((action for action in menu.actions() if action.isEnabled()), None))

    def _turn_version(self, message: Message, step: int) -> None:
        if message.role == "user":
            others = self._conversation.branches.versions(message.turn)
            number = others[others.index(message.branch) + step]
            self._owner.start("chat.branch", self._show_branch(number, message.turn))
            return
        versions = self._chats.versions(message)
        wanted = next((m for m in versions if m.version == message.version + step), None)
        if wanted is not None:
            self._owner.start("chat.version", self._show_version(wanted.id))

    async def _show_version(self, message_id: str) -> None:
        await self._chats.show_version(message_id)
        self._conversation.refresh()
        self._ui.transcript.show_entry(message_id)

    async def _show_branch(self, number: int, turn: int) -> None:
        await self._chats.show_branch(self._conversation.chat_id, number)
        self._conversation.refresh()
        shown = next((o.id for o in self._chats.outline(self._conversation.chat_id) if o.turn == turn), "")
        self._ui.transcript.show_entry(shown)
