"""One open account: its service, its activity, and everything that a person can do with it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

from psygnal import Signal

from carrel import log
from carrel.api import Capabilities, Service, connect
from carrel.model import Account, WireNames
from carrel.paths import Paths
from carrel.store.db import Database
from carrel.store.settings import Settings
from carrel.work.activity import Activity
from carrel.work.agents import Agents
from carrel.work.chat import Chats
from carrel.work.context import BUILT_IN, Context
from carrel.work.downloads import Downloads
from carrel.work.export.exports import Exports
from carrel.work.finding import Finding
from carrel.work.library import Library
from carrel.work.line import Line
from carrel.work.models import Models
from carrel.work.prompts import Prompts
from carrel.work.reference import Reference
from carrel.work.search import Search
from carrel.work.styles import Styles
from carrel.work.tasks import Tasks
from carrel.work.uploads import Uploads
from carrel.work.workflows import Workflows


class Session:
    """An account while it is open. `reconnected` tells that the service behind it was replaced."""

    reconnected = Signal()

    def __init__(
        self, account_id: str, account: Account, db: Database, paths: Paths, settings: Callable[[], Settings]
    ) -> None:
        """Prepare; `open` connects."""
        self.account_id = account_id
        self.account = account
        self.activity = Activity()
        self.tasks = Tasks()
        self.reference = Reference(db, account_id)
        self._db, self._paths, self._settings = db, paths, settings
        self._connection = AsyncExitStack()

    @property
    def is_built_in(self) -> bool:
        """Whether the service behind it is the one on this computer."""
        return self.account_id == BUILT_IN

    @property
    def capabilities(self) -> Capabilities:
        """What the account's interface generation can do."""
        return self.context.service.capabilities

    async def open(self) -> Session:
        """Connect (nothing is sent yet), and take up what an earlier session left unfinished.

        Where that fails, or another account was picked meanwhile, nothing of it stays at work.
        """
        try:
            await self._open()
        except BaseException:
            await self.tasks.to_the_end(self.close())
            raise
        return self

    async def _open(self) -> None:
        service = await self._connect(self._connection)
        self.context = Context(
            self.account_id, service, self._db, self.tasks, self._paths, self.reference, self._settings
        )
        self.models = Models(self.context)
        self.chats = Chats(self.context)
        self.finding = Finding(self.context, self.chats)
        self.exports = Exports(self.context, self.chats, self.models)
        self.line = Line(self.context, self.chats)
        self.prompts = Prompts(self.context)
        self.styles = Styles(self.context)
        self.downloads = Downloads(self.context)
        self.library = Library(self.context)
        self.uploads = Uploads(self.context, self.library)
        self.search = Search(self.context, self.library)
        self.agents = Agents(self.context, self.downloads)
        self.workflows = Workflows(self.context)
        for unfinished in (self.chats, self.downloads, self.uploads, self.agents, self.workflows):
            await unfinished.recover()

    async def reconnect(self, account: Account) -> None:
        """Speak to another address from now on: the built-in service has another one at each start."""
        former, self._connection, self.account = self._connection, AsyncExitStack(), account
        self.context.service = await self._connect(self._connection)
        await former.aclose()
        self.reconnected.emit()

    async def learn(self, *, again: bool = False) -> bool:
        """Read the service's own description, as `Reference.learn` does."""
        return await self.reference.learn(self.context.service, again=again)

    async def change_account(self, name: str, value: object) -> None:
        """Change one of the account's own settings (a wire name, or `use_reference`); it acts at once."""
        if name == "use_reference":
            account = self.account.model_copy(update={name: bool(value)})
        else:
            names = self.account.names.model_copy(update={name: str(value) or WireNames.model_fields[name].default})
            account = self.account.model_copy(update={"names": names})
        if account != self.account:
            await self.reconnect(account)

    async def close(self) -> None:
        """Cancel all tasks, wait for what they still have to write, then disconnect."""
        await self.tasks.close()
        await self._connection.aclose()

    async def _connect(self, stack: AsyncExitStack) -> Service:
        log.secrets.hide(self.account.secrets())
        return await stack.enter_async_context(
            connect(
                self.account,
                observer=self.activity.note,
                budget=self.activity.note_budget,
                learned=self.reference.recall(self.account),
            )
        )
