"""From the first paint to the last commit: opens what was asked for, waits for the window to close, closes all."""

from __future__ import annotations

import argparse
import asyncio
import logging

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from carrel.loop import Loop
from carrel.model import ServiceError
from carrel.paths import Paths
from carrel.store.db import StoreError
from carrel.store.settings import SettingsFile, StoredAccount
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
        if not await _journal(desk, window, closing):
            return 1
        desk.tasks.start("open", _open(desk, window, options))
        return await _tour(desk, window, options) if options.tour else await closing
    finally:
        window.hide()
        await desk.close()


async def _journal(desk: Desk, window: Window, closing: asyncio.Future[int]) -> bool:
    """Open the journal, as often as a person tries; False where the window is closed instead."""
    while True:
        try:
            await desk.open()
        except StoreError as error:
            text = f"{error}\nTo keep another journal, start Carrel with --home and another folder."
            actions = (("again", "Try again"), ("quit", "Quit"))
            page = window.show_opening("Carrel cannot open its journal", text, actions)
            pressed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            acted = page.acted.connect(pressed.set_result, Qt.ConnectionType.SingleShotConnection)
            await asyncio.wait({pressed, closing}, return_when=asyncio.FIRST_COMPLETED)
            page.disconnect(acted)
            if not closing.done() and pressed.result() == "quit":
                window.close()
            if closing.done():
                return False
            window.show_opening("Opening the journal…")
        else:
            return True


async def _open(desk: Desk, window: Window, options: argparse.Namespace) -> None:
    """Open what the command line names, else what was open last, else the welcome page."""
    wanted = _wanted(desk, options)
    account = desk.settings.account(wanted)
    if wanted == BUILT_IN:
        window.show_opening("Starting the built-in service…", "It runs on this computer; nothing leaves it.")
    elif account is not None:
        window.show_opening(f"Opening {_name(account)}…", "The keychain is asked for its credentials.")
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
        names = ", ".join(dict.fromkeys(_name(a) for a in desk.accounts.all))
        kept = f"These are kept: {names}." if names else "No account is kept yet."
        return Notice("open", "warn", f"There is no account called {options.account}", kept)
    account = desk.settings.account(wanted)
    if account is None:
        return None
    title = f"The credentials of {_name(account)} are not to be had"
    secrets = desk.accounts.secrets
    silent = "Unlock it and press the account, or type them in again."
    return Notice("open", "warn", title, f"{secrets.why_not} {silent if secrets.is_silent else 'Type them in again.'}")


def _wanted(desk: Desk, options: argparse.Namespace) -> str:
    """The id of the account to open; empty where that is none."""
    if options.built_in or options.tour:
        return BUILT_IN
    last = desk.settings.last_account
    if options.account:
        called = options.account.rstrip("/")
        alike = [a.id for a in desk.accounts.all if called in {a.id, a.name, a.base_url, _host(a)}]
        return last if last in alike else next(iter(alike), "")
    return last


def _name(account: StoredAccount) -> str:
    """What a person calls it, here and after --account."""
    return account.name or _host(account)


def _host(account: StoredAccount) -> str:
    return account.base_url.split("://")[-1]


async def _tour(desk: Desk, window: Window, options: argparse.Namespace) -> int:
    from carrel.tour import walk

    return 0 if await walk(desk, window, options.tour) else 1
