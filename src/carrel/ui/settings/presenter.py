"""Joins the settings pane to the desk: every change acts at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from carrel.model import ServiceError
from carrel.ui.presenter import Presenter
from carrel.ui.settings.pane import WIRE_NAMES, SettingsPane
from carrel.ui.shell import Shell
from carrel.ui.signin import SignIn, safety_words
from carrel.ui.theme import theme
from carrel.work.session import Session


class SettingsPresenter(Presenter):
    """Settings are the desk's; the names that the service does not say are the account's."""

    def __init__(self, session: Session, shell: Shell) -> None:
        """Build the pane and show what is set."""
        super().__init__(session, shell)
        self.desk = shell.desk
        self.pane = self.ui = SettingsPane()
        self._sign_in = SignIn(self.desk, self.ui.form)
        self._connect()
        self._show()

    def shown(self) -> None:
        """Show what is set now."""
        self._show()
        self.shell.notices.look()

    def accept(self, intent: object) -> None:
        """Open a page by its key."""
        if isinstance(intent, str):
            self.ui.open_page(intent)

    def _connect(self) -> None:
        self.ui.changed.connect(self._changed)
        self.ui.built_in.clicked.connect(lambda: self.desk.tasks.start("open", self._open_built_in()))
        self.ui.account_opened.connect(lambda a: self.desk.tasks.start("open", self._open(a)))
        self.ui.account_removed.connect(self._ask_to_remove)
        self.ui.pick_downloads.clicked.connect(
            lambda: self.shell.choose_folder(self.ui.tr("Downloads go to"), self._downloads)
        )
        self.ui.open_data.clicked.connect(lambda: self.shell.open_file(self.desk.paths.data))
        self.ui.reference.read_asked.connect(lambda: self.start("settings.learned", self._learn(again=True)))
        self.ui.redact.toggled.connect(self._always_redact)
        self.hear(self.session.reference.changed, self._show_learned)
        self.shell.notices.found.connect(self.ui.notifications.show_found)
        self.hear(self.desk.settings_changed, lambda _: self._show())

    def _changed(self, name: str, value: object) -> None:
        if name in WIRE_NAMES or name == "use_reference":
            self.start("settings.account", self._change_account(name, value))
            return
        self.desk.change_settings(**{name: value})
        settings = self.desk.settings
        if name in {"theme", "text_size"}:
            theme.choose(settings.theme, settings.text_size)

    async def _change_account(self, name: str, value: object) -> None:
        await self.session.change_account(name, value)
        self.desk.keep_account(self.session)

    def _show(self) -> None:
        settings, ui = self.desk.settings, self.ui
        ui.show_choice(ui.theme, settings.theme)
        ui.show_choice(ui.send_with, settings.send_with)
        ui.text_size.blockSignals(True)
        ui.text_size.setValue(settings.text_size)
        ui.text_size.blockSignals(False)
        ui.downloads.setText(settings.downloads or str(self.desk.paths.downloads))
        ui.notifications.show_settings({name: getattr(settings, name) for name in ui.notifications.switches})
        for name, field in ui.names.items():
            field.setText(getattr(self.session.account.names, name))
        ui.reference.show_use(self.session.account.use_reference)
        ui.places.setText(self._places())
        ui.built_in.setVisible(not self.session.is_built_in)
        self._show_redaction()
        self._show_accounts()
        self.start("settings.safety", self._say_safety())
        self.start("settings.learned", self._learn())

    def _places(self) -> str:
        where = self.desk.paths
        return self.ui.tr(
            "Chats, runs and transfers: {data}\nSettings: {settings}\nLog: {log}\nThe journal is not encrypted."
        ).format(data=where.database, settings=where.settings, log=where.log)

    def _show_redaction(self) -> None:
        ui, able = self.ui, self.session.capabilities.metadata
        ui.redact.blockSignals(True)
        ui.redact.setChecked(self.session.account_id in self.desk.settings.always_redact)
        ui.redact.blockSignals(False)
        ui.redact.setEnabled(able)
        words = ui.tr(
            "Every message of a chat and every agent run asks the service to replace personal data; nobody can switch "
            "it off there."
        )
        ui.redact_words.setText(words if able else ui.tr("The earlier interface has no such request."))

    def _always_redact(self, on: bool) -> None:
        others = [a for a in self.desk.settings.always_redact if a != self.session.account_id]
        self._changed("always_redact", [*others, self.session.account_id] if on else others)

    def _show_accounts(self) -> None:
        opened = self.session.account_id
        kept = [
            (a.id, a.name or a.base_url.split("://")[-1], f"{a.base_url} · {a.generation}", a.id == opened)
            for a in self.desk.accounts.all
        ]
        if self.session.is_built_in:
            words = self.ui.tr("On this computer; nothing leaves it.")
            kept.insert(0, (opened, self.ui.tr("Built-in service"), words, True))
        self.ui.show_accounts(kept)

    async def _learn(self, *, again: bool = False) -> None:
        """Read the service's own description where that is due, and say what it told."""
        found = await self.session.learn(again=again)
        self._show_learned()
        if again and not found:
            self.shell.toast(self.ui.tr("The service has no description that can be read now."))

    def _show_learned(self) -> None:
        box, kept = self.ui.reference, self.session.reference.kept
        if kept is not None:
            box.show_learned(kept.learned, kept.read_at)
        elif self.session.account.use_reference:
            box.show_nothing(self.ui.tr("Nothing was learned from a description of the service."))
        else:
            box.show_nothing(self.ui.tr("It is not read, and what it told before is not used."))

    async def _say_safety(self) -> None:
        self.ui.safety.setText(await safety_words(self.desk))

    async def _open_built_in(self) -> None:
        try:
            await self.desk.open_built_in()
        except ServiceError as error:
            self.ui.form.show_error(error)

    async def _open(self, account_id: str) -> None:
        try:
            if not await self.desk.open_account(account_id):
                self.shell.toast(self.ui.tr("The credentials are not in the keychain: add the account again."))
        except ServiceError as error:
            self.ui.form.show_error(error)

    def _ask_to_remove(self, account_id: str) -> None:
        account = self.desk.settings.account(account_id)
        if account is None:
            return
        box = QMessageBox(self.ui)
        box.setObjectName("settings.confirm")
        box.setIcon(QMessageBox.Icon.Question)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.ui.tr("Remove {name}?").format(name=account.name or account.base_url))
        box.setInformativeText(self.ui.tr("Its credentials are deleted here. Its chats and runs stay in the journal."))
        remove = box.addButton(self.ui.tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.buttonClicked.connect(lambda b: b is remove and self._remove(account_id))
        box.finished.connect(box.deleteLater)
        box.open()

    def _remove(self, account_id: str) -> None:
        self.desk.tasks.start("remove", self._remove_now(account_id))

    async def _remove_now(self, account_id: str) -> None:
        is_open = account_id == self.session.account_id
        await self.desk.remove_account(account_id)
        if not is_open:
            self._show_accounts()

    def _downloads(self, chosen: list[Path]) -> None:
        self._changed("downloads", str(chosen[0]))
        self._show()
