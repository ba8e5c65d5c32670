"""Opens what a use case stands on, without a window: a throw-away home and an account of a real service."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from carrel.model import Account
from carrel.paths import paths
from carrel.store.db import open_database
from carrel.store.settings import Settings
from carrel.work.session import Session
from running import RunningService


def account_of(service: RunningService, generation: str = "current") -> Account:
    """The account that a running built-in service made."""
    base = service.base_url if generation == "current" else service.legacy_base_url
    return Account(
        base_url=base,
        client_id=service.client_id,
        api_key=service.api_key,
        secret=service.secret,
        generation=generation,
    )


@asynccontextmanager
async def open_session(
    home: Path, account: Account, account_id: str = "tester", settings: Callable[[], Settings] = Settings
) -> AsyncIterator[Session]:
    """A session on `home`, closed in the end as the desk closes it."""
    where = paths(home)
    db, _ = open_database(where.database, where.backups)
    session = await Session(account_id, account, db, where, settings).open()
    try:
        yield session
    finally:
        await session.close()
        await db.close()


def on_disk(home: Path, sql: str) -> list[Any]:
    """The rows of a query, read from a home's file by a connection of their own."""
    with closing(sqlite3.connect(paths(home).database)) as db:
        return db.execute(sql).fetchall()


async def until(holds: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Wait until `holds()` is true; the time is only there to end a broken test."""
    try:
        async with asyncio.timeout(seconds):
            while not holds():  # noqa: ASYNC110  # what is waited for has no event
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"waited {seconds:.0f} s in vain: {what}") from None
