"""One reply while it streams: each event is journalled, then folded, then told, at most thirty times a second."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace

from carrel.model import Event, Reply, ServiceError, SignInNeeded, StreamBroken, fold_all
from carrel.model.columns import Columns, close, route
from carrel.model.reply import ReplyState, end
from carrel.store.chats import ChatStore
from carrel.store.db import StoreError
from carrel.work.tasks import Tasks
from carrel.work.transfers import sentence
from carrel.work.writing import FIRST, LONGEST

log = logging.getLogger("carrel.replying")

FRAME = 1 / 30
"""Seconds between two paints; also the most that a crash can take from the journal."""


class Replying:
    """Follows a stream into `reply`. `changed` is called with each new value."""

    def __init__(
        self, tasks: Tasks, store: ChatStore, message_id: str, reply: Reply, changed: Callable[[Reply], None]
    ) -> None:
        """`tasks` own what must not be broken off; `reply` is the empty one that the store already holds."""
        self.tasks = tasks
        self.reply = reply
        self.quiet_for = 0.0
        self.is_stopped = False
        """Whether the person pressed Stop: a cancel for any other reason interrupts the reply."""
        self._store, self._message_id, self._changed = store, message_id, changed
        self._pending: list[Event] = []
        self._batch = 0
        self._wake = asyncio.Event()
        self._writing = asyncio.Lock()

    async def follow(self, events: AsyncGenerator[Event, None]) -> None:
        """Take all events; ends when the stream does, however it does."""
        await _follow(events, self.take, (self,))

    def take(self, event: Event) -> None:
        """Take one event; `keep` journals and tells it."""
        self._pending.append(event)
        self._wake.set()

    async def keep(self) -> None:
        """Journal and tell what came, a frame at a time, until cancelled; what the disk refuses is tried again."""
        pause = 0.0
        while True:
            await self._wake.wait()
            await asyncio.sleep(max(FRAME, pause))
            try:
                await self.flush()
                pause = 0.0
            except StoreError as error:
                log.warning("%s", error)
                self._wake.set()
                pause = min(2 * pause or FIRST, LONGEST)

    async def flush(self) -> None:
        """Journal what came since the last time, fold it, tell it; what could not be written is still to come."""
        await self.tasks.to_the_end(self._flush())  # cut in two, a batch would be journalled and never folded

    async def _flush(self) -> None:
        async with self._writing:
            self._wake.clear()
            batch = tuple(self._pending)
            if not batch:
                return
            await self._store.journal(self._message_id, self._batch, batch)
            self._batch += 1
            del self._pending[: len(batch)]
            self.reply = fold_all(self.reply, batch)
        self._changed(self.reply)

    async def finish(self, state: ReplyState, error: ServiceError | None = None) -> None:
        """Take in what is left, and end the reply where the stream itself did not.

        What the disk does not take stays for a later `flush`: the reply is whole all the same.
        """
        try:
            await self.flush()
        except StoreError as refusal:
            log.warning("%s", refusal)
        finally:
            words = _words(error, state) if error else {}
            self.reply = end(fold_all(self.reply, self._pending), state, time.time(), **words)
        if error is not None and (marks := _marks(error)):
            self.reply = replace(self.reply, extra={**self.reply.extra, **marks})
        if self._pending:
            self._changed(self.reply)

    def quiet(self, seconds: float) -> None:
        """The stream has been silent for so long (0: it speaks again)."""
        self.quiet_for = seconds
        self._changed(self.reply)


def _words(error: ServiceError, state: ReplyState) -> dict[str, str]:
    """What a reply keeps of an error; of one that was interrupted it says itself what can be done."""
    said = sentence(error, remedy=state == "failed")
    return {"error": said, "code": error.code, "error_id": error.error_id}


def _marks(error: ServiceError) -> dict[str, str]:
    """What can be done about a reply that the words do not say."""
    marks = {"sent": "no"} if error.sent == "no" else {}
    return marks | ({"needs": "account"} if isinstance(error, SignInNeeded) else {})


async def follow_both(
    events: AsyncGenerator[Event, None], models: tuple[str, str], left: Replying, right: Replying
) -> None:
    """Take the events of one stream into two replies; both end when the stream does."""
    both, columns = (left, right), Columns(models)

    def take(event: Event) -> None:
        nonlocal columns
        columns, dealt = route(columns, event)
        for number, part in dealt:
            both[number].take(part)

    def close_open() -> None:
        for number, part in close(columns):
            both[number].take(part)

    await _follow(events, take, both, close_open)


async def _follow(
    events: AsyncGenerator[Event, None],
    take: Callable[[Event], None],
    held: tuple[Replying, ...],
    at_end: Callable[[], None] = lambda: None,
) -> None:
    """Give `take` every event, then end what is held, as the stream ended. `at_end` is for one that ended well."""

    async def finish(state: ReplyState, error: ServiceError | None = None) -> None:
        for one in held:
            await one.finish(state, error)

    try:
        async with aclosing(events):
            async for event in events:
                take(event)
        at_end()
        await finish("interrupted")  # ends only what the stream left open without `done`
    except asyncio.CancelledError:
        await held[0].tasks.to_the_end(finish("stopped" if held[0].is_stopped else "interrupted"))
        raise
    except StreamBroken as error:
        await finish("interrupted", error)
    except ServiceError as error:
        await finish("failed", error)
    except Exception:
        await finish("interrupted")  # a bug of ours, told by the owner of the task: no reply stays open
        raise
