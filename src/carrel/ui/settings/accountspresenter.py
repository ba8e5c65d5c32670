"""Joins the accounts page of the settings to the desk: open, sign in again, add, remove, always redact."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from carrel.model import ServiceError
from carrel.ui.settings.accounts import Kept
from carrel.ui.signin import SignIn, safety_words

if TYPE_CHECKING:
    from carrel.ui.settings.pane import SettingsPane
    from carrel.ui.settings.presenter import SettingsPresenter


class AccountsPage(QObject):
    """A part of the settings' presenter, `owner`."""

    def __init__(self, owner: SettingsPresenter, ui: SettingsPane) -> None:
        """Listen to the page."""
        super().__init__(ui)
        self._owner, self._ui = owner, ui
        self._desk, self._session = owner.desk, owner.session
        self._sign_in = SignIn(self._desk, ui.form, self._leave_for)
        self._sign_in.done.connect(self._signed_in)
        ui.form.fields["base_url"].textEdited.connect(self._another)
        ui.accounts.chosen.connect(self._chosen)
        ui.accounts.built_in.clicked.connect(self._built_in)
        ui.redact.toggled.connect(self._always_redact)
        owner.hear(self._desk.noticed, lambda _: self._show_built_in())

    def show(self) -> None:
        """Show which accounts are kept, and how the open one is set."""
        opened = self._session.account_id
        kept = [
            Kept(a.id, a.name or a.base_url.split("://")[-1], f"{a.base_url} · {a.generation}", a.id == opened)
            for a in self._desk.accounts.all
        ]
        if self._session.is_built_in:
            words = self.tr("On this computer; nothing leaves it.")
            kept.insert(0, Kept(opened, self.tr("Built-in service"), words, is_open=True, is_built_in=True))
        self._ui.accounts.fill(kept)
        self._show_built_in()
        self._show_redaction()

    async def say_safety(self) -> None:
        """Say where credentials are kept."""
        self._ui.safety.setText(await safety_words(self._desk))

    def escape(self) -> bool:
        """Esc stops asking a service."""
        return self._sign_in.cancel()

    def close(self) -> None:
        """The page is about to go."""
        self._sign_in.close()

    def _show_built_in(self) -> None:
        self._ui.accounts.show_built_in(self._session.is_built_in, self._desk.built_in.pid is not None)

    def _show_redaction(self) -> None:
        ui, able = self._ui, self._session.capabilities.metadata
        ui.redact.blockSignals(True)
        ui.redact.setChecked(self._session.account_id in self._desk.settings.always_redact)
        ui.redact.blockSignals(False)
        ui.redact.setEnabled(able)
        words = self.tr(
            "Every message of a chat and every agent run asks the service to replace personal data; nobody can switch "
            "it off there."
        )
        ui.redact_words.setText(words if able else self.tr("The earlier interface has no such request."))

    def _always_redact(self, on: bool) -> None:
        others = [a for a in self._desk.settings.always_redact if a != self._session.account_id]
        self._desk.change_settings(always_redact=[*others, self._session.account_id] if on else others)

    def _chosen(self, verb: str, account_id: str) -> None:
        match verb:
            case "open":
                words = self.tr("Opening {name}…").format(name=self._name(account_id))
                self._leave_for(account_id, lambda: self._start(words, self._open(account_id)))
            case "again":
                self._ask_again(account_id)
            case "remove":
                self._ask_to_remove(account_id)

    def _built_in(self) -> None:
        if self._session.is_built_in:
            self._desk.tasks.start("built-in", self._desk.restart_built_in())
        else:
            words = self.tr("Starting the built-in service…")
            self._leave_for("", lambda: self._start(words, self._desk.open_built_in()))

    def _leave_for(self, account_id: str, go_on: Callable[[], object]) -> None:
        """To sign in again to the account that is open does not leave it."""
        if account_id == self._session.account_id:
            go_on()
        else:
            self._owner.shell.leave(go_on)

    def _start(self, words: str, work: Coroutine[Any, Any, None]) -> None:
        self._owner.shell.toast(words)
        self._desk.tasks.start("open", self._say(work))

    async def _say(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ServiceError as error:
            self._ui.form.show_error(error)
            self._ui.show_form(again=self._name(self._sign_in.asked))

    async def _open(self, account_id: str) -> None:
        if not await self._desk.open_account(account_id):
            self._ask_again(account_id)

    def _ask_again(self, account_id: str) -> None:
        """Have the credentials of a kept account typed in anew."""
        self._sign_in.ask_about(account_id)
        words = self.tr("Type in the credentials of {name} as they are now. Its chats and its settings stay.")
        if self._desk.accounts.secrets.is_silent:
            words = self.tr(
                "The keychain does not answer. Unlock it and open {name} again, or type its credentials in."
            )
        self._ui.form.note.say("info", "", words.format(name=self._name(account_id)))
        self._ui.show_form(again=self._name(account_id))

    def _another(self) -> None:
        """At another address it is another account."""
        if self._sign_in.asked:
            self._sign_in.asked = ""
            self._ui.form.note.hide()
            self._ui.show_form()

    def _signed_in(self) -> None:
        self._ui.show_form()
        self._owner.start("settings.safety", self.say_safety())
        self._owner.shell.toast(self.tr("You are signed in again."))

    def _name(self, account_id: str) -> str:
        account = self._desk.settings.account(account_id)
        return (account.name or account.base_url.split("://")[-1]) if account else ""

    def _ask_to_remove(self, account_id: str) -> None:
        box = QMessageBox(self._ui)
        box.setObjectName("settings.confirm")
        box.setIcon(QMessageBox.Icon.Question)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Remove {name}?").format(name=self._name(account_id)))
        box.setInformativeText(self.tr("Its credentials are deleted here. Its chats and runs stay in the journal."))
        remove = box.addButton(self.tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.buttonClicked.connect(lambda b: b is remove and self._remove(account_id))
        box.finished.connect(box.deleteLater)
        box.open()

    def _remove(self, account_id: str) -> None:
        def remove() -> None:
            self._desk.tasks.start("remove", self._desk.remove_account(account_id))

        if account_id == self._session.account_id:
            self._owner.shell.leave(remove)
        else:
            remove()
