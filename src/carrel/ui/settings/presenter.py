"""Joins the settings pane to the desk: every change acts at once."""

from __future__ import annotations

from pathlib import Path

from carrel.ui.presenter import Presenter
from carrel.ui.settings.accountspresenter import AccountsPage
from carrel.ui.settings.pane import WIRE_NAMES, SettingsPane
from carrel.ui.shell import Shell
from carrel.ui.theme import theme
from carrel.work.session import Session


class SettingsPresenter(Presenter):
    """Settings are the desk's; the names that the service does not say are the account's."""

    def __init__(self, session: Session, shell: Shell) -> None:
        """Build the pane and show what is set."""
        super().__init__(session, shell)
        self.desk = shell.desk
        self.pane = self.ui = SettingsPane()
        self._accounts = AccountsPage(self, self.ui)
        self._connect()
        self._show()

    def shown(self) -> None:
        """Show what is set now."""
        self._show()
        self.start("settings.safety", self._accounts.say_safety())
        self.start("settings.learned", self._learn())
        self.shell.notices.look()

    def escape(self) -> bool:
        """Esc stops asking a service."""
        return self._accounts.escape()

    def close(self) -> None:
        """Stop listening, and stop what would still paint the pane."""
        super().close()
        self._accounts.close()
        for key in ("settings.safety", "settings.learned"):
            self.session.tasks.cancel(key)

    def accept(self, intent: object) -> None:
        """Open a page by its key."""
        if isinstance(intent, str):
            self.ui.open_page(intent)

    def _connect(self) -> None:
        self.ui.changed.connect(self._changed)
        self.ui.pick_downloads.clicked.connect(
            lambda: self.shell.choose_folder(self.ui.tr("Downloads go to"), self._downloads)
        )
        self.ui.open_data.clicked.connect(lambda: self.shell.open_file(self.desk.paths.data))
        self.ui.reference.read_asked.connect(lambda: self.start("settings.learned", self._learn(again=True)))
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
        await self._learn()

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
            if not (field.isModified() and field is ui.window().focusWidget()):  # letters that are being typed stay
                field.setText(getattr(self.session.account.names, name))
        ui.reference.show_use(self.session.account.use_reference)
        ui.places.setText(self._places())
        self._accounts.show()

    def _places(self) -> str:
        where = self.desk.paths
        return self.ui.tr(
            "Chats, runs and transfers: {data}\nSettings: {settings}\nLog: {log}\nThe journal is not encrypted."
        ).format(data=where.database, settings=where.settings, log=where.log)

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

    def _downloads(self, chosen: list[Path]) -> None:
        self._changed("downloads", str(chosen[0]))
        self._show()
