"""Joins the welcome page to the desk."""

from __future__ import annotations

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
        self.refresh()

    def refresh(self) -> None:
        """Offer the accounts that are kept now."""
        kept = self._desk.accounts.all
        self.pane.show_accounts([(a.id, a.name or a.base_url.split("://")[-1]) for a in kept])
        self._desk.tasks.start("keychain", self._say_safety())

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
        try:
            if await self._desk.open_account(account_id):
                return
        except ServiceError as error:
            self.pane.note.say_error(error)
            return
        account = self._desk.settings.account(account_id)
        if account is None:
            return
        self.pane.form.fields["base_url"].setText(account.base_url)
        self.pane.form.fields["tenant_id"].setText(account.tenant_id or "")
        self.pane.form.fields["client_id"].setFocus()
        self.pane.note.say(
            "warn",
            self.pane.tr("The credentials are not in the keychain"),
            self.pane.tr("Type them in again on the right; the address is filled in."),
        )
