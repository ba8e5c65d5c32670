"""The owner of every asyncio task: each has a key, and a new one under a key ends the former."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from psygnal import EmitLoopError, Signal

from carrel.store.db import StoreError

log = logging.getLogger("carrel.tasks")


class Tasks:
    """Tasks by key. `failed` tells of a bug of ours: an exception that no verb expected."""

    failed = Signal(str, BaseException)

    def __init__(self) -> None:
        """Own nothing yet."""
        self._running: dict[str, asyncio.Task[Any]] = {}
        self._ending: set[asyncio.Task[Any]] = set()
        self._closing = asyncio.Event()
        self._numbers = itertools.count(1)

    def start(self, key: str, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run `work` under `key`; what ran under it is cancelled."""
        self.cancel(key)
        task = asyncio.get_running_loop().create_task(work, name=key)
        self._running[key] = task
        task.add_done_callback(self._ended)
        return task

    def start_beside(self, key: str, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """As `start`, under a key of its own that begins with `key`: what was started so before goes on."""
        return self.start(f"{key}.{next(self._numbers)}", work)

    def cancel(self, key: str) -> bool:
        """Ask the task under `key` to end; False where there is none."""
        task = self._running.pop(key, None)
        if task is None:
            return False
        self._ending.add(task)
        _end(task)
        return True

    def running(self, key: str) -> bool:
        """Whether a task runs under `key`."""
        return key in self._running

    def keys(self) -> list[str]:
        """The keys of all that runs."""
        return list(self._running)

    @property
    def is_closing(self) -> bool:
        """Whether all is to end."""
        return self._closing.is_set()

    async def pause(self, seconds: float) -> None:
        """Wait, but no longer than until all is to end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()

    async def ended(self, key: str) -> None:
        """Wait until no task of that key is at work any more, nor its `finally`."""
        while left := [t for t in {*self._running.values(), *self._ending} if t.get_name() == key]:
            await asyncio.wait(left)

    async def close(self, prefix: str = "") -> None:
        """Cancel all tasks whose key begins with `prefix` and wait for their `finally`."""
        if not prefix:
            self._closing.set()
        while left := self._cancel_all(prefix):
            # Not gather: of tasks that have ended it makes no wait at all, and `_ended` would never come to run.
            await asyncio.wait(left)

    async def to_the_end(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what must not be broken off, also where whoever waits for it here is cancelled meanwhile."""
        current = asyncio.current_task()
        task = asyncio.get_running_loop().create_task(work, name=current.get_name() if current else None)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            self._ended(task)
            raise

    def _cancel_all(self, prefix: str) -> list[asyncio.Task[Any]]:
        """Cancel, and give what is still at work; a `finally` may have started something more."""
        current = asyncio.current_task()
        for key in [k for k, t in self._running.items() if k.startswith(prefix) and t is not current]:
            self.cancel(key)
        return [t for t in self._ending if t.get_name().startswith(prefix) and t is not current]

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._ending.discard(task)
        if self._running.get(task.get_name()) is task:
            del self._running[task.get_name()]
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, EmitLoopError):  # its words repeat the local variables of whoever heard the signal
            error = error.__cause__ or error
        if isinstance(error, StoreError):  # no bug: the desk says that the journal cannot be written
            log.error("task %s: %s", task.get_name(), error)
            return
        log.error("task %s failed", task.get_name(), exc_info=error)
        self.failed.emit(task.get_name(), error)


def _end(task: asyncio.Task[Any]) -> None:
    """Cancel a task, but not before its first step: what never began would never come to its `finally`."""
    coroutine = task.get_coro()
    if asyncio.iscoroutine(coroutine) and inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
        task.get_loop().call_soon(_end, task)
    else:
        task.cancel()
