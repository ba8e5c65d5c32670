"""Runs uvicorn for one process on loopback: says when it answers, wakes only for work, ends quietly."""

import asyncio
import contextlib
import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator

import uvicorn
from fastapi import FastAPI

_GRACE = 1.0
"""Seconds that requests still have when the service closes; then streams are cut."""


class LoopbackServer(uvicorn.Server):
    """Uvicorn, whose own loop wakes ten times a second; this one waits for the word to end."""

    def __init__(self, app: FastAPI, ready: Callable[[], None]) -> None:
        config = uvicorn.Config(
            app, log_config=None, access_log=False, date_header=False, server_header=False, lifespan="on"
        )
        super().__init__(config)
        self._ready = ready
        self._end = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        self._ready()

    async def main_loop(self) -> None:
        """Wait for a signal, or for standard input to close."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            _on_signal(loop, number, self._end.set)
        if _is_held(sys.stdin.fileno() if sys.stdin else -1):
            watch = threading.Thread(target=_wait_for_end_of_input, args=(loop, self._end), daemon=True)
            watch.start()
        await self._end.wait()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give what runs a moment, cut what streams on, then close the application."""
        for listener in (*self.servers, *(sockets or ())):
            listener.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            _, late = await asyncio.wait(self.server_state.tasks, timeout=_GRACE)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=_GRACE)
        await self.lifespan.shutdown()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn would raise the signal again at the end, and the process would seem killed by it."""
        yield


def _on_signal(loop: asyncio.AbstractEventLoop, number: int, act: Callable[[], None]) -> None:
    try:
        loop.add_signal_handler(number, act)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(act))


def _is_held(descriptor: int) -> bool:
    """Whether somebody holds the other end: a pipe, a socket or a terminal, and not /dev/null or a file."""
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


def _wait_for_end_of_input(loop: asyncio.AbstractEventLoop, end: asyncio.Event) -> None:
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 4096):
            pass
    with contextlib.suppress(RuntimeError):  # the loop has ended before its input
        loop.call_soon_threadsafe(end.set)
