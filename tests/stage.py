"""A stage for stories in the real window: a throw-away home, the real built-in service, one loop for Qt and asyncio."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from carrel.hand import Hand
from carrel.loop import Loop
from carrel.paths import paths
from carrel.store.secrets import Secrets
from carrel.store.settings import SettingsFile
from carrel.ui.theme import theme
from carrel.ui.window import Window
from carrel.work.desk import Desk
from desktops import Recorder
from keychains import Keeps
from prepared import put_samples

FAST = ("--samples", "--pace", "0")


@dataclass
class Stage:
    """What a story acts on."""

    desk: Desk
    window: Window
    hand: Hand


Story = Callable[[Stage], Awaitable[None]]


def application() -> QApplication:
    """The one QApplication of the test process, dressed."""
    app = QApplication.instance() or QApplication(["carrel"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    if not theme._started:
        theme.start("light")
    return app


def play(
    home: Path,
    story: Story,
    *,
    options: tuple[str, ...] = FAST,
    built_in: bool = True,
    keychain: object | None = None,
    desktop: Recorder | None = None,
    ready: bool = True,
) -> None:
    """Open a window on `home` (on the built-in service unless told otherwise), run the story, close as a user does.

    In a new home the service has its samples indexed already, unless the story is about that (`ready=False`).
    """
    app = application()
    service = paths(home).service
    if ready and built_in and "--samples" in options and not service.exists():
        put_samples(service)
    with asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
        runner.run(_play(home, story, options, built_in, keychain=keychain or Keeps(), desktop=desktop or Recorder()))
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


async def _play(
    home: Path, story: Story, options: tuple[str, ...], built_in: bool, *, keychain: object, desktop: Recorder
) -> None:
    where = paths(home)
    secrets = Secrets(trusted=("keychains",), backend=keychain)
    desk = Desk(where, SettingsFile(where.settings), secrets, service_options=options)
    window = Window()
    window.attach(desk, desktop)
    window.resize(1280, 800)
    window.show()
    try:
        await desk.open()
        if built_in:
            await desk.open_built_in()
        else:
            window.show_session()
        await story(Stage(desk, window, Hand(window)))
    finally:
        window.hide()
        await desk.close()
        window.deleteLater()
