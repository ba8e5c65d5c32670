"""Joins the welcome page to the desk."""

from __future__ import annotations

import asyncio

from carrel.model import ServiceError
from carrel.ui.shell import Shell
from carrel.ui.signin import SignIn, safety_words
from carrel.ui.welcome.pane import WelcomePane
from carrel.work.desk import Desk


class WelcomePresenter:
    """There is no session yet, so it speaks to the desk itself."""

    def __init__(self, desk: Desk, shell: Shell) -> None:
        """Build the page and offer what is kept."""
        self.pane = WelcomePane()
        self._desk, self._shell = desk, shell
        self._sign_in = SignIn(desk, self.pane.form)
        self.pane.start.clicked.connect(lambda: desk.tasks.start("open", self._start()))
        self.pane.account_chosen.connect(lambda a: desk.tasks.start("open", self._open(a)))
        desk.session_changed.connect(self._forget)
        self.refresh()

    def refresh(self) -> None:
        """Offer the accounts that are kept now."""
        kept = self._desk.accounts.all
        self.pane.show_accounts([(a.id, a.name or a.base_url.split("://")[-1]) for a in kept])
        self._desk.tasks.start("keychain", self._say_safety())

    def escape(self) -> bool:
        """Esc stops asking a service."""
        return self._sign_in.cancel()

    def _forget(self) -> None:
        """What was typed is of no use once a session is open, however that came."""
        if self._desk.session is not None:
            self.pane.form.clear()

    async def _say_safety(self) -> None:
        self.pane.safety.setText(await safety_words(self._desk))

    async def _start(self) -> None:
        self.pane.note.hide()
        self.pane.show_starting(True)
        try:
            await self._desk.open_built_in()
        except ServiceError as error:
            self.pane.note.say_error(error)
        finally:
            self.pane.show_starting(False)

    async def _open(self, account_id: str) -> None:
        account = self._desk.settings.account(account_id)
        if account is None:
            return
        name = account.name or account.base_url.split("://")[-1]
        self.pane.note.say("info", "", self.pane.tr("Opening {name}…").format(name=name))
        try:
            is_open = await self._desk.open_account(account_id)
        except ServiceError as error:
            self.pane.note.say_error(error)
            return
        except asyncio.CancelledError:
            self.pane.note.hide()
            raise
        if is_open:
            self.pane.note.hide()
        else:
            self._ask_again(account_id)

    def _ask_again(self, account_id: str) -> None:
        """Without its credentials an account is signed in to again, or its keychain unlocked."""
        self._sign_in.ask_about(account_id)
        secrets = self._desk.accounts.secrets
        title = self.pane.tr("The credentials are not in the keychain")
        words = self.pane.tr("Type them in again on the right; the address is filled in.")
        if secrets.is_silent:
            title = self.pane.tr("The keychain does not answer")
            words = self.pane.tr("Unlock it and press the account again, or type the credentials in on the right.")
        self.pane.note.say("warn", title, words)
