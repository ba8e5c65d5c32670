"""What must not be broken off has an owner: closing the tasks waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from carrel.model import Content, Event, Reply
from carrel.work.replying import Replying
from carrel.work.tasks import Tasks


class Gate:
    """A store whose disk takes a batch only once it is opened."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.opened = asyncio.Event()
        self.written: list[Event] = []

    async def journal(self, _: str, __: int, events: tuple[Event, ...]) -> None:
        self.asked.set()
        await self.opened.wait()
        self.written += events


async def words(*texts: str) -> AsyncGenerator[Event, None]:
    for text in texts:
        yield Content(text, at=1.0)
    await asyncio.Event().wait()


async def closes_after(tasks: Tasks, prefix: str, gate: Gate) -> None:
    """Close, with the disk still busy: it must not be over before the disk is."""
    closing = asyncio.ensure_future(tasks.close(prefix))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not closing.done()
    gate.opened.set()
    await closing


@pytest.fixture
def scene() -> tuple[Tasks, Gate, Replying]:
    tasks, gate = Tasks(), Gate()
    store: Any = gate
    return tasks, gate, Replying(tasks, store, "reply", Reply(), lambda _: None)


async def test_a_batch_on_its_way_to_the_disk_is_waited_for(scene: tuple[Tasks, Gate, Replying]) -> None:
    tasks, gate, replying = scene
    tasks.start("journal:reply", replying.keep())
    replying.take(Content("one", at=1.0))
    await gate.asked.wait()
    await closes_after(tasks, "journal:", gate)
    assert replying.reply.text == "one"
    assert len(gate.written) == 1


async def test_a_reply_that_is_cancelled_twice_is_still_ended(scene: tuple[Tasks, Gate, Replying]) -> None:
    tasks, gate, replying = scene
    following = tasks.start("reply:chat", replying.follow(words("one", "two")))
    while len(replying._pending) < 2:  # noqa: ASYNC110  # what is pending has no event
        await asyncio.sleep(0)
    tasks.cancel("reply:chat")
    await gate.asked.wait()
    following.cancel()
    await closes_after(tasks, "reply:", gate)
    assert (replying.reply.text, replying.reply.state) == ("onetwo", "interrupted")
    assert following.cancelled()
