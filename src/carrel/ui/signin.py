"""Trying and connecting an account: what the welcome page and the settings have in common."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject

from carrel.model import ServiceError
from carrel.ui.widgets.accountform import AccountFields
from carrel.work import accounts
from carrel.work.desk import Desk


class SignIn(QObject):
    """Joins the fields to the desk."""

    def __init__(self, desk: Desk, fields: AccountFields) -> None:
        """Listen to the fields."""
        super().__init__(fields)
        self._desk, self._fields = desk, fields
        fields.test_asked.connect(lambda v: desk.tasks.start("sign-in", self._test(v)))
        fields.connect_asked.connect(lambda v: desk.tasks.start("sign-in", self._connect(v)))

    async def _test(self, values: dict[str, str]) -> None:
        try:
            form = accounts.AccountForm(**values)
            self._busy(form)
            found = await accounts.test(form)
        except ServiceError as error:
            self._fields.show_error(error)
        else:
            words = self.tr("It works: the service answers and offers {n} models.").format(n=found)
            self._fields.show_done(words)

    async def _connect(self, values: dict[str, str]) -> None:
        try:
            form = accounts.AccountForm(**values)
            self._busy(form)
            await accounts.test(form)
            await self._desk.add_account(accounts.check(form))
        except ServiceError as error:
            self._fields.show_error(error)
        else:
            self._fields.clear()

    def _busy(self, form: accounts.AccountForm) -> None:
        accounts.check(form)
        self._fields.show_busy(self.tr("Asking {address}…").format(address=form.base_url.strip()))


async def safety_words(desk: Desk) -> str:
    """Where the secrets will be kept, in a sentence."""
    why_not = await desk.accounts.secrets.look()
    if why_not:
        return _tr("{why} Credentials are kept for this session only.").format(why=why_not)
    return _tr("Kept in your system's keychain ({name}), never in a file.").format(name=desk.accounts.secrets.kept_in)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SignIn", text)
