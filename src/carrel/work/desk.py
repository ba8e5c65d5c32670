"""Everything that lives as long as the program: the home, its accounts, the built-in service, the open session."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from psygnal import Signal

from carrel.model import Account, ServiceError
from carrel.paths import Paths
from carrel.store.db import Database, open_database
from carrel.store.secrets import SERVICE, Secrets
from carrel.store.settings import Settings, SettingsFile
from carrel.work.accounts import Accounts
from carrel.work.builtin import BuiltIn
from carrel.work.context import BUILT_IN
from carrel.work.session import Session
from carrel.work.sweeping import sweep
from carrel.work.tasks import Tasks

log = logging.getLogger("carrel.desk")


@dataclass(frozen=True, slots=True)
class Notice:
    """What the whole session should know, until it is `cleared`; `actions` are (key, words)."""

    key: str
    tone: str
    title: str
    text: str = ""
    actions: tuple[tuple[str, str], ...] = ()


class Desk:
    """The program without its window."""

    session_changed = Signal()
    settings_changed = Signal(Settings)
    noticed = Signal(Notice)
    cleared = Signal(str)

    def __init__(
        self,
        paths: Paths,
        settings: SettingsFile,
        secrets: Secrets | None = None,
        service_options: tuple[str, ...] = ("--samples",),
    ) -> None:
        """`open` does the work that may take a moment."""
        self.paths = paths
        self._settings = settings
        self.accounts = Accounts(settings, secrets or Secrets(), self.change_settings)
        self.tasks = Tasks()
        self.built_in = BuiltIn(paths.service, service_options)
        self.built_in.ended.connect(self._built_in_ended)
        self.session: Session | None = None
        self._db: Database | None = None
        self._restarts = 0
        self._writing = asyncio.Lock()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings.value

    def change_settings(self, **values: object) -> None:
        """Set some settings; they act at once, also where the disk then refuses them: that is said."""
        self._settings.change(**values)
        self.settings_changed.emit(self.settings)
        self.tasks.start_beside("settings", self._write_settings())

    async def open(self) -> None:
        """Open the journal; StoreError where that cannot be done."""
        db, notice = await asyncio.to_thread(open_database, self.paths.database, self.paths.backups)
        self._db, db.told = db, self._tell_journal
        await sweep(self.paths.cache, db)
        if notice:
            self.noticed.emit(Notice("journal", "warn", "A new journal was begun", notice))
        if self._settings.told:
            self.noticed.emit(Notice("unreadable", "warn", "The settings could not be read", self._settings.told))

    async def open_built_in(self) -> None:
        """Start the service on this computer and open it; `ServiceError` where it does not start."""
        self.tasks.cancel("built-in")
        self._restarts = 0
        await self._enter(BUILT_IN, await self.built_in.start())

    async def open_account(self, account_id: str) -> bool:
        """Open a kept account; False where its secrets are not to be had any more."""
        account = await self.accounts.load(account_id)
        if account is None:
            return False
        await self._enter(account_id, account)
        await self._stop_built_in()
        return True

    async def add_account(self, account: Account, asked: str = "") -> None:
        """Keep an account and open it, also the kept one of the id `asked` that is signed in to again.

        Says so where its secrets last for this session only.
        """
        account_id, is_safe = await self.accounts.keep(account, asked)
        if not is_safe:
            why = self.accounts.secrets.why_not
            self.noticed.emit(
                Notice("keychain", "warn", "Signed in for this session only", f"{why} You will be asked again.")
            )
        kept = await self.accounts.load(account_id)
        if kept is not None and self.session is not None and self.session.account_id == account_id:
            await self.tasks.to_the_end(self.session.reconnect(kept))
        else:
            await self.open_account(account_id)

    async def remove_account(self, account_id: str) -> None:
        """Forget an account, and close it; says so where the keychain does not let go of its credentials."""
        account = self.settings.account(account_id)
        is_gone = await self.accounts.remove(account_id)
        why = self.accounts.secrets.why_not
        if self.session is not None and self.session.account_id == account_id:
            await self.leave()
        if account is not None and not is_gone:
            title = f"The credentials of {account.name or account.base_url} are still in the keychain"
            text = f"{why} Delete them there by hand: the item is called {SERVICE}, its user {account_id}."
            self.noticed.emit(Notice("keychain", "warn", title, text))

    def keep_account(self, session: Session) -> None:
        """Write down the settings that an open account has changed (the built-in one has none to keep)."""
        kept = [
            a.model_copy(update={"names": session.account.names, "use_reference": session.account.use_reference})
            if a.id == session.account_id
            else a
            for a in self.accounts.all
        ]
        self.change_settings(accounts=kept)

    async def leave(self) -> None:
        """Close the session, back to the welcome page."""
        await self._leave_session()
        await self._stop_built_in()
        self.session_changed.emit()

    async def close(self) -> None:
        """Close everything, in reverse order."""
        await self.tasks.close()
        await self._leave_session()
        await self.built_in.stop()
        await self._write_settings()
        if self._db is not None:
            await self._db.close()

    async def _enter(self, account_id: str, account: Account) -> None:
        assert self._db is not None, "open() comes first"
        session = await Session(account_id, account, self._db, self.paths, lambda: self.settings).open()
        former, self.session = self.session, session
        self.change_settings(last_account=account_id)
        self.cleared.emit("open")
        self.session_changed.emit()
        if former is not None:
            await self.tasks.to_the_end(former.close())

    async def _write_settings(self) -> None:
        async with self._writing:  # one thread at a time: what was changed meanwhile goes with the next
            try:
                await asyncio.to_thread(self._settings.write)
            except OSError as error:
                log.warning("the settings cannot be written: %s", error.strerror)
                why = f"{error.filename or self.paths.settings}: {error.strerror or error}."
                self.noticed.emit(Notice("settings", "warn", "The settings could not be written", why))

    async def _leave_session(self) -> None:
        former, self.session = self.session, None
        if former is not None:
            await self.tasks.to_the_end(former.close())

    async def _stop_built_in(self) -> None:
        """End the service on this computer; nor is it to be started again any more."""
        self.tasks.cancel("built-in")
        self.cleared.emit("built-in")
        await self.built_in.stop()

    def _tell_journal(self, why: str) -> None:
        """What is done now is not kept, until the disk takes it again (`why` empty): which may be a moment later."""
        if why:
            text = f"{why} What you do now may be lost; Carrel tries again by itself with what the service has sent."
            self.noticed.emit(Notice("unwritten", "danger", "The journal cannot be written", text))
        else:
            text = "Replies and results are kept whole. Look whether what you changed yourself meanwhile is there."
            self.noticed.emit(Notice("unwritten", "info", "The journal can be written again", text))

    def _built_in_ended(self, code: int) -> None:
        if self.session is None or not self.session.is_built_in:
            return
        if self._restarts:
            self._tell_ended(f"It ended again (code {code}); {self.paths.service / 'service.log'} says why.")
            return
        self._restarts += 1
        self.tasks.start("built-in", self.restart_built_in())

    async def restart_built_in(self) -> None:
        """Start the service anew under the open session; says so, or says that it cannot."""
        self.noticed.emit(Notice("built-in", "warn", "The built-in service has ended", "Carrel starts it anew…"))
        try:
            account = await self.built_in.start()
        except ServiceError as error:
            log.warning("the built-in service does not start again: %s", error.message)
            self._tell_ended(error.message)
            return
        if self.session is not None and self.session.is_built_in:
            await self.session.reconnect(account)
        self.noticed.emit(
            Notice(
                "built-in",
                "info",
                "The built-in service had ended and was started again",
                "What was under way is marked and can be tried again.",
            )
        )

    def _tell_ended(self, why: str) -> None:
        again = (("restart-built-in", "Start it again"),)
        self.noticed.emit(Notice("built-in", "danger", "The built-in service has ended", why, again))
