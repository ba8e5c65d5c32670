"""The composition root: puts the floors together, opens the window, closes everything in reverse order."""

from __future__ import annotations

import argparse
import json
import logging
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QSocketNotifier
from PySide6.QtWidgets import QApplication

from carrel import __version__, log, paths
from carrel.ui.icons import app_icon
from carrel.ui.theme import theme

if TYPE_CHECKING:
    from carrel.ui.window import Window

logger = logging.getLogger("carrel.run")

PATIENCE = 0.3
"""Seconds that the first paint may take before what comes after it begins."""

LEAVING = 10.0
"""Seconds that another Carrel on the same home has to begin to listen, or to end once its window is closed."""


def run(options: argparse.Namespace) -> int:
    """Open the window until it is closed; the exit code. A tour without a home gets one that is thrown away."""
    if options.tour and not options.home:
        with tempfile.TemporaryDirectory(prefix="carrel-home-") as home:
            return _run_at(paths.paths(Path(home)), options)
    return _run_at(paths.paths(options.home), options)


def _run_at(home: paths.Paths, options: argparse.Namespace) -> int:
    app = _application()
    try:
        home.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _refuse(home, error.strerror or "it cannot be made")
    lock = QLockFile(str(home.lock))
    lock.setStaleLockTime(0)  # only a holder that has ended makes it stale, however long it has been held
    if (code := _second(home, lock)) is not None:
        return code
    log.start(home.log)
    logger.info("Carrel %s begins", __version__)
    try:
        return _run_locked(app, home, options)
    finally:
        logger.info("Carrel ends")
        log.stop()
        lock.unlock()


def _second(home: paths.Paths, lock: QLockFile) -> int | None:
    """The exit code where another Carrel has this home; None once it is ours: one that just ends is waited for."""
    deadline = time.monotonic() + LEAVING
    while not lock.tryLock(100):
        if lock.error() == QLockFile.LockError.PermissionError:
            return _refuse(home, "it may not be written")
        if _raise_the_first(home):
            return 0
        if time.monotonic() > deadline:
            print(f"Another program holds {home.lock}. If no Carrel runs, remove that file.", file=sys.stderr)
            return 1
    return None


def _refuse(home: paths.Paths, why: str) -> int:
    print(f"Carrel cannot keep anything in {home.data}: {why}. Choose another folder with --home.", file=sys.stderr)
    return 1


def _application() -> QApplication:
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("Carrel")
    app.setDesktopFileName("carrel")
    app.setApplicationVersion(__version__)
    app.setQuitOnLastWindowClosed(False)  # closing waits for what still has to be written
    return app


def _run_locked(app: QApplication, home: paths.Paths, options: argparse.Namespace) -> int:
    from carrel.ui.window import Window

    look = _last_look(home)
    theme.start(str(look.get("theme", "system")), _grow_of(look.get("text_size")))
    app.setWindowIcon(app_icon())
    placed = look.get("window")
    window = Window(str(placed.get("geometry", "")) if isinstance(placed, dict) else "")
    window.show()
    _first_paint(app, window)
    from carrel.life import live  # all that the first paint does not need is imported after it

    with _signals(window), _first_one(home, window):
        return live(app, home, window, options)


def _first_paint(app: QApplication, window: Window) -> None:
    """Wait until the window is on the screen, or a moment at most: a hidden or covered one is never painted."""
    deadline = time.monotonic() + PATIENCE
    while not window.is_painted and time.monotonic() < deadline:
        app.processEvents()
        time.sleep(0.001)


def _last_look(home: paths.Paths) -> dict[str, object]:
    """What the settings say of the window, read without the machinery that checks them; empty where they do not."""
    try:
        held = json.loads(home.settings.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}


def _grow_of(size: object) -> int:
    """A text size of the settings, whatever stands there."""
    return size if isinstance(size, int) else 0


@contextmanager
def _signals(window: object) -> Iterator[None]:
    """Have SIGINT and SIGTERM close the window as its button does."""
    ours, pythons = socket.socketpair()
    pythons.setblocking(False)
    former = {s: signal.signal(s, lambda *_: None) for s in (signal.SIGINT, signal.SIGTERM)}
    former_fd = signal.set_wakeup_fd(pythons.fileno(), warn_on_full_buffer=False)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: (ours.recv(64), window.close()))
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(former_fd)
        for number, handler in former.items():
            signal.signal(number, handler)
        ours.close()
        pythons.close()


@contextmanager
def _first_one(home: paths.Paths, window: Window) -> Iterator[None]:
    """Listen for a second start on the same home, and come to the front then; not once the window is closed."""
    from PySide6.QtNetwork import QLocalServer

    server = QLocalServer()
    QLocalServer.removeServer(_channel(home))
    server.newConnection.connect(lambda: (server.nextPendingConnection().close(), window.to_front()))
    server.listen(_channel(home))
    window.closing.connect(server.close)
    try:
        yield
    finally:
        server.close()


def _raise_the_first(home: paths.Paths) -> bool:
    """Have the Carrel that is open on this home come to the front; False where it does not listen (any more)."""
    from PySide6.QtNetwork import QLocalSocket

    channel = QLocalSocket()
    channel.connectToServer(_channel(home))
    if not channel.waitForConnected(1000):
        return False
    print("Carrel is open already; its window comes to the front.")
    return True


def _channel(home: paths.Paths) -> str:
    import hashlib

    return "carrel-" + hashlib.sha256(str(home.data).encode()).hexdigest()[:16]
