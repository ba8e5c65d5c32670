"""The composition root: puts the floors together, opens the window, closes everything in reverse order."""

from __future__ import annotations

import argparse
import logging
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QLockFile, QSocketNotifier
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from carrel import __version__, log, paths
from carrel.store.settings import SettingsFile
from carrel.ui.icons import app_icon
from carrel.ui.theme import theme

logger = logging.getLogger("carrel.run")


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
    if not lock.tryLock(100):
        if lock.error() == QLockFile.LockError.PermissionError:
            return _refuse(home, "it may not be written")
        return _raise_the_first(home)
    log.start(home.log)
    logger.info("Carrel %s begins", __version__)
    try:
        return _run_locked(app, home, options)
    finally:
        logger.info("Carrel ends")
        log.stop()
        lock.unlock()


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
    from carrel.work.desk import Desk

    settings = SettingsFile(home.settings)
    theme.start(settings.value.theme, settings.value.text_size)
    app.setWindowIcon(app_icon())
    desk = Desk(home, settings)
    window = Window(desk)
    window.show()
    from carrel.life import live  # what follows is not needed for the first paint

    with _signals(window), _first_one(home, window):
        return live(app, desk, window, options)


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
def _first_one(home: paths.Paths, window: object) -> Iterator[None]:
    """Listen for a second start on the same home, and come to the front then."""
    server = QLocalServer()
    QLocalServer.removeServer(_channel(home))
    server.newConnection.connect(lambda: (server.nextPendingConnection().close(), _to_front(window)))
    server.listen(_channel(home))
    try:
        yield
    finally:
        server.close()


def _raise_the_first(home: paths.Paths) -> int:
    channel = QLocalSocket()
    channel.connectToServer(_channel(home))
    if channel.waitForConnected(1000):
        print("Carrel is open already; its window comes to the front.")
        return 0
    print(f"Another program holds {home.lock}. If no Carrel runs, remove that file.", file=sys.stderr)
    return 1


def _channel(home: paths.Paths) -> str:
    import hashlib

    return "carrel-" + hashlib.sha256(str(home.data).encode()).hexdigest()[:16]


def _to_front(window: object) -> None:
    window.showNormal() if window.isMinimized() else window.show()
    window.raise_()
    window.activateWindow()
