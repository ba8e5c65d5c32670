"""From the first paint to the last commit: opens what was asked for, waits for the window to close, closes all."""

from __future__ import annotations

import argparse
import asyncio
import logging

from PySide6.QtWidgets import QApplication

from carrel.loop import Loop
from carrel.model import ServiceError
from carrel.paths import Paths
from carrel.store.db import StoreError
from carrel.store.settings import SettingsFile
from carrel.ui.window import Window
from carrel.work.context import BUILT_IN
from carrel.work.desk import Desk, Notice

logger = logging.getLogger("carrel.run")


def live(app: QApplication, home: Paths, window: Window, options: argparse.Namespace) -> int:
    """Give the window its desk, and run the loop that Qt and asyncio share; the exit code."""
    desk = Desk(home, SettingsFile(home.settings))
    window.attach(desk)
    with asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
        return runner.run(_live(desk, window, options))


async def _live(desk: Desk, window: Window, options: argparse.Namespace) -> int:
    closing = asyncio.get_running_loop().create_future()
    window.closing.connect(lambda: closing.done() or closing.set_result(0))
    try:
        await desk.open()
    except StoreError as error:
        window.say(Notice("journal", "danger", "Carrel cannot open its journal", str(error)))
        await closing
        await desk.close()
        return 1
    try:
        desk.tasks.start("open", _open(desk, window, options))
        return await _tour(desk, window, options) if options.tour else await closing
    finally:
        window.hide()
        await desk.close()


async def _open(desk: Desk, window: Window, options: argparse.Namespace) -> None:
    """Open what the command line names, else what was open last, else the welcome page."""
    wanted = _wanted(desk, options)
    try:
        if wanted == BUILT_IN:
            await desk.open_built_in()
            return
        if wanted and await desk.open_account(wanted):
            return
        notice = _why_not(desk, options, wanted)
    except ServiceError as error:
        notice = Notice("open", "danger", error.title, f"{error.message} {error.remedy}".strip())
    except Exception:
        window.show_session()  # whoever owns this task tells of it, over a page that something can be done on
        raise
    window.show_session()
    if notice is not None:
        desk.noticed.emit(notice)


def _why_not(desk: Desk, options: argparse.Namespace, wanted: str) -> Notice | None:
    """Why the welcome page is shown instead of an account that was asked for; None at a first start."""
    if options.account and not wanted:
        names = ", ".join(a.name or a.base_url for a in desk.accounts.all)
        kept = f"These are kept: {names}." if names else "No account is kept yet."
        return Notice("open", "warn", f"There is no account called {options.account}", kept)
    account = desk.settings.account(wanted)
    if account is None:
        return None
    title = f"The credentials of {account.name or account.base_url} are not to be had"
    return Notice("open", "warn", title, f"{desk.accounts.secrets.why_not} Type them in again.".strip())


def _wanted(desk: Desk, options: argparse.Namespace) -> str:
    if options.built_in or options.tour:
        return BUILT_IN
    if options.account:
        named = (a.id for a in desk.accounts.all if options.account in {a.id, a.name})
        return next(named, "")
    return desk.settings.last_account


async def _tour(desk: Desk, window: Window, options: argparse.Namespace) -> int:
    from carrel.tour import walk

    return 0 if await walk(desk, window, options.tour) else 1
