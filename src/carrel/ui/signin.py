"""Trying and connecting an account: what the welcome page and the settings have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from carrel.model import ServiceError
from carrel.ui.widgets.accountform import AccountFields
from carrel.work import accounts
from carrel.work.desk import Desk


class SignIn(QObject):
    """Joins the fields to the desk. `done` tells that an account is connected."""

    done = Signal()

    def __init__(
        self, desk: Desk, fields: AccountFields, leave: Callable[[str, Callable[[], object]], object] | None = None
    ) -> None:
        """Listen to the fields; `leave` goes on with connecting (to the kept account of that id) where it may be."""
        super().__init__(fields)
        self._desk, self._fields = desk, fields
        self._leave = leave or (lambda _, go_on: go_on())
        self._is_open = True
        self._key = ""
        self.asked = ""
        """The id of the kept account that the fields are about; empty where that is a new one."""
        fields.test_asked.connect(lambda v: self._start("sign-in", self._test(v)))
        # "open" is the key of all that opens a session: the one that was asked for last is the one that is meant.
        fields.connect_asked.connect(lambda v: self._leave(self.asked, lambda: self._start("open", self._connect(v))))
        fields.cancel_asked.connect(self.cancel)

    def ask_about(self, account_id: str) -> None:
        """Fill in what is kept of an account: what is typed beside it signs in to that one again."""
        account = self._desk.settings.account(account_id)
        if account is not None:
            self.asked = account_id
            self._fields.show_account(account.base_url, account.tenant_id or "", account.generation)

    def cancel(self) -> bool:
        """Stop asking a service; False where none is asked."""
        return bool(self._key) and self._desk.tasks.cancel(self._key)

    def close(self) -> None:
        """The fields are about to go: what still runs leaves them alone."""
        self._is_open = False
        self._desk.tasks.cancel("sign-in")

    def _start(self, key: str, work: Coroutine[Any, Any, None]) -> None:
        self._desk.tasks.start(key, self._say(key, work))

    async def _say(self, key: str, work: Coroutine[Any, Any, None]) -> None:
        """Do it, and show in the fields how that ends."""
        self._key = key
        try:
            await work
        except ServiceError as error:
            if self._is_open:
                self._fields.show_error(error)
        except asyncio.CancelledError:
            if self._is_open:
                self._fields.show_idle()
            raise
        finally:
            self._key = ""

    async def _test(self, values: dict[str, str]) -> None:
        found = await self._ask(accounts.AccountForm(**values))
        words = self.tr("It works: the service answers and offers {n} models.").format(n=found)
        one = self.tr("It works: the service answers and offers 1 model.")
        self._fields.show_done(one if found == 1 else words)

    async def _connect(self, values: dict[str, str]) -> None:
        form = accounts.AccountForm(**values)
        await self._ask(form)
        await self._desk.add_account(accounts.check(form), self.asked)
        if self._is_open:  # a session that takes the place of another takes the fields of its settings with it
            self.asked = ""
            self._fields.clear()
            self.done.emit()

    async def _ask(self, form: accounts.AccountForm) -> int:
        accounts.check(form)
        self._fields.show_busy(self.tr("Asking {address}…").format(address=form.base_url.strip()))
        return await accounts.test(form)


async def safety_words(desk: Desk) -> str:
    """Where the secrets will be kept, in a sentence."""
    why_not = await desk.accounts.secrets.look()
    if why_not:
        return _tr("{why} Credentials are kept for this session only.").format(why=why_not)
    return _tr("Kept in your system's keychain ({name}), never in a file.").format(name=desk.accounts.secrets.kept_in)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SignIn", text)
