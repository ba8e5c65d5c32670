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
from starlette.types import ASGIApp, Receive, Scope, Send

_GRACE = 1.0
"""Seconds that requests have at each step of the end: to finish, to notice that nobody listens, to be cancelled."""


class LoopbackServer(uvicorn.Server):
    """Uvicorn, whose own loop wakes ten times a second; this one waits for the word to end."""

    def __init__(self, app: ASGIApp, ready: Callable[[], None]) -> None:
        config = uvicorn.Config(
            _ends_quietly(app), log_config=None, access_log=False, date_header=False, server_header=False, lifespan="on"
        )
        super().__init__(config)
        self._ready = ready
        self._end = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):  # before anyone is told: the first thing said may be to end
            _on_signal(loop, number, self._end.set)
        self._ready()

    async def main_loop(self) -> None:
        """Wait for the end: a signal, or standard input that closes."""
        loop = asyncio.get_running_loop()
        if _is_held(sys.stdin.fileno() if sys.stdin else -1):
            watch = threading.Thread(target=_wait_for_end_of_input, args=(loop, self._end), daemon=True)
            watch.start()
        await self._end.wait()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give what runs a moment, cut what streams on, end what does not notice; then close the application."""
        for listener in (*self.servers, *(sockets or ())):
            listener.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if await self._still_running():
            for connection in list(self.server_state.connections):
                connection.transport.close()
        for task in await self._still_running():
            task.cancel()
        await self._still_running()
        await self.lifespan.shutdown()

    async def _still_running(self) -> set["asyncio.Task[None]"]:
        """The requests that are not through after the grace."""
        tasks = set(self.server_state.tasks)
        return (await asyncio.wait(tasks, timeout=_GRACE))[1] if tasks else tasks

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn would raise the signal again at the end, and the process would seem killed by it."""
        yield


def _ends_quietly(app: ASGIApp) -> ASGIApp:
    """Uvicorn would log a request that is cut off at the end as if it had failed."""

    async def outermost(scope: Scope, receive: Receive, send: Send) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await app(scope, receive, send)

    return outermost


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
