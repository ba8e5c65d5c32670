"""Owns the tasks that outlive a request: started by name, ended and awaited when the service closes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)


class Background:
    """Belongs to one event loop, from `open` to `close`."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def open(self) -> None:
        """Take the running loop as the one that tasks run on."""
        self._loop = asyncio.get_running_loop()

    def submit(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """Start `run()` under `name`, from any thread; while one of that name runs, nothing is started."""
        if self._loop is None:
            raise RuntimeError("the service is not open")
        self._loop.call_soon_threadsafe(self._start, name, run)

    def cancel(self, name: str) -> None:
        """Ask the task of that name, if there is one, to end. On the loop's own thread."""
        if task := self._tasks.get(name):
            task.cancel()

    async def close(self) -> None:
        """Cancel all tasks and wait until each has ended; nothing can be submitted after it."""
        self._loop = None
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        if self._loop is None or name in self._tasks:
            return
        task = self._loop.create_task(_logged(name, run), name=name)
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._tasks.pop(name, None))


async def _logged(name: str, run: Callable[[], Awaitable[None]]) -> None:
    try:
        await run()
    except Exception:  # a seam: nobody awaits a background task, so its error would be lost
        log.exception("Background task %s ended with an error", name)
