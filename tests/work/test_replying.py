"""A reply while it streams: journalled first, then folded, then told; however it ends, nothing is lost."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from carrel.model import Content, Done, Event, Reply, ServerFault, StreamBroken, StreamError, Thinking
from carrel.store.db import StoreError
from carrel.work import replying as room
from replyscene import Slow, scene, shown, stream, words

ENDING = {"conversation_id": "conv", "message_id": "msg", "credits": 1}


async def test_a_whole_reply_is_complete_and_the_journal_alone_gives_the_same(tmp_path: Path) -> None:
    events = [Thinking("hm", raw={"content": "hm"}, at=1.5), *words("a b c"), Done("conv", "msg", raw=ENDING, at=3.0)]
    async with scene(tmp_path) as here:
        await here.begin(stream(*events))
        reply = here.replying.reply
        assert (reply.state, reply.text, reply.thinking) == ("complete", "abc", "hm")
        assert (reply.conversation_id, reply.message_id, reply.extra) == ("conv", "msg", {"credits": 1})
        assert here.store.events("reply") == events
        assert here.folded().text == reply.text


async def test_what_is_told_is_in_the_journal_already(tmp_path: Path) -> None:
    async with scene(tmp_path) as here:
        here.store.pause = 0.01
        running = here.begin(stream(*words("one two three"), wait=True))
        await shown(here, 11)
        here.tasks.cancel("reply:chat")
        await asyncio.wait([running])
        for reply, journalled in zip(here.told, here.in_journal, strict=True):
            assert len(reply.text) <= sum(len(e.content) for e in here.store.events("reply")[:journalled])


@pytest.mark.parametrize("is_stopped", [True, False])
async def test_a_cancel_keeps_what_came(tmp_path: Path, is_stopped: bool) -> None:
    async with scene(tmp_path) as here:
        running = here.begin(stream(*words("what came so far"), wait=True))
        await shown(here, 4)
        here.replying.is_stopped = is_stopped
        here.tasks.cancel("reply:chat")
        await asyncio.wait([running])
        assert running.cancelled()
        assert here.replying.reply.state == ("stopped" if is_stopped else "interrupted")
        assert here.replying.reply.text == here.folded().text == "whatcamesofar"


async def test_stop_before_the_first_word_ends_the_reply(tmp_path: Path) -> None:
    async with scene(tmp_path) as here:
        running = here.begin(stream(wait=True))
        here.replying.is_stopped = True
        here.tasks.cancel("reply:chat")
        await asyncio.wait([running])
        assert here.replying.reply.state == "stopped"


async def test_a_cancel_while_the_end_is_being_written_writes_it_once(tmp_path: Path) -> None:
    async with scene(tmp_path) as here:
        here.store.pause = 0.05
        events = [*words("all of it"), Done("conv", "msg", raw=ENDING, at=3.0)]
        running = here.tasks.start("reply:chat", here.replying.follow(stream(*events)))
        await here.store.has_written.wait()
        here.tasks.cancel("reply:chat")
        await asyncio.wait([running])
        assert running.cancelled()
        assert here.replying.reply.state == "complete"
        assert here.replying.reply.text == here.folded().text == "allofit"


@pytest.mark.parametrize(
    ("then", "state", "said"),
    [
        (None, "interrupted", ""),
        (StreamBroken("the line was cut"), "interrupted", "the line was cut."),
        (ServerFault("down", code="boom", error_id="e-1"), "failed", "down. Try again in a moment."),
    ],
)
async def test_a_stream_that_ends_early_keeps_what_came_and_says_how(
    tmp_path: Path, then: Exception | None, state: str, said: str
) -> None:
    async with scene(tmp_path) as here:
        await here.begin(stream(*words("half a"), then=then))
        reply = here.replying.reply
        assert (reply.state, reply.text) == (state, "halfa")
        assert reply.ended_at is not None
        assert reply.error == said
        if state == "failed":
            assert (reply.error_code, reply.error_id) == ("boom", "e-1")


async def test_an_error_event_fails_the_reply_in_the_services_words(tmp_path: Path) -> None:
    error = StreamError("stream_error", "e-9", raw={"content": "stream_error", "message": "out of luck"}, at=3.0)
    async with scene(tmp_path) as here:
        await here.begin(stream(*words("half"), error))
        reply = here.replying.reply
        assert (reply.state, reply.text, reply.error, reply.error_id) == ("failed", "half", "out of luck", "e-9")


async def test_an_error_before_anything_was_sent_is_kept_as_such(tmp_path: Path) -> None:
    async with scene(tmp_path) as here:
        await here.begin(stream(then=ServerFault("no line", sent="no")))
        assert here.replying.reply.extra == {"sent": "no"}


async def test_a_bug_of_ours_is_told_and_leaves_no_reply_open(tmp_path: Path, log_watch) -> None:
    log_watch.expect("task reply:chat failed")
    async with scene(tmp_path) as here:
        running = here.begin(stream(*words("half"), then=ZeroDivisionError()))
        await asyncio.wait([running])
        assert isinstance(running.exception(), ZeroDivisionError)
        assert here.replying.reply.state == "interrupted"
        assert here.replying.reply.text == "half"


async def test_it_is_told_a_frame_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "FRAME", 0.2)
    events = [Content("x", raw={"content": "x"}, at=2.0) for _ in range(500)]
    async with scene(tmp_path) as here:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await here.begin(stream(*events, Done(raw={}, at=3.0)))
        frames = (loop.time() - began) / 0.2
        assert here.replying.reply.text == "x" * 500
        assert len(here.told) <= frames + 2


@pytest.mark.parametrize("moment", [0.0, 0.03, 0.05, 0.07, 0.09])
async def test_closing_while_a_batch_is_being_written_loses_nothing(tmp_path: Path, moment: float) -> None:
    async def talkative() -> AsyncGenerator[Event, None]:
        while True:
            sent.append("w")
            yield Content("w", raw={"content": "w"}, at=2.0)
            await asyncio.sleep(0.001)

    sent: list[str] = []
    async with scene(tmp_path) as here:
        here.store.pause = 0.03
        here.begin(talkative())
        await asyncio.sleep(moment)
        await here.tasks.close()
        reply = here.replying.reply
        assert reply.state == "interrupted"
        assert len(reply.text) >= len(sent) - 1
        assert here.folded().text == reply.text


async def test_a_journal_that_fails_by_a_mistake_of_ours_is_told_not_hidden(tmp_path: Path, log_watch) -> None:
    log_watch.expect("failed")

    class Wrong(Slow):
        async def journal(self, message_id: str, batch: int, events: list[Event]) -> None:
            raise sqlite3.OperationalError("no such table")

    async with scene(tmp_path) as here:
        here.replying._store = Wrong(here.store._db, "me")
        failed: list[str] = []
        here.tasks.failed.connect(lambda key, _: failed.append(key))
        running = here.begin(stream(*words("half a"), Done(raw={}, at=3.0)))
        await asyncio.wait([running])
        assert failed
        assert (here.replying.reply.state, here.replying.reply.text) == ("complete", "halfa")


async def test_a_write_that_the_disk_refuses_cuts_no_hole_into_the_reply(
    tmp_path: Path, log_watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_watch.expect("the disk is full")
    monkeypatch.setattr(room, "FIRST", 0.01)
    refusals = [2, 3]

    class Refusing(Slow):
        written = 0

        async def journal(self, message_id: str, batch: int, events: list[Event]) -> None:
            self.written += 1
            if self.written in refusals:
                raise StoreError("the disk is full")
            await super().journal(message_id, batch, events)

    async def slow() -> AsyncGenerator[Event, None]:
        for event in words("one two three four five"):
            yield event
            wanted = len(here.replying.reply.text) + len(event.content)
            await shown(here, wanted)
        yield Done(raw={}, at=3.0)

    async with scene(tmp_path) as here:
        here.replying._store = Refusing(here.store._db, "me")
        await here.begin(slow())
        assert (here.replying.reply.state, here.replying.reply.text) == ("complete", "onetwothreefourfive")
        assert here.folded().text == "onetwothreefourfive"
        assert here.folded().state == "complete"


async def test_a_disk_that_takes_nothing_leaves_the_reply_whole_and_what_it_owes(tmp_path: Path, log_watch) -> None:
    log_watch.expect("the disk is full")

    class Full(Slow):
        is_full = True

        async def journal(self, message_id: str, batch: int, events: list[Event]) -> None:
            if self.is_full:
                raise StoreError("the disk is full")
            await super().journal(message_id, batch, events)

    async with scene(tmp_path) as here:
        here.replying._store = store = Full(here.store._db, "me")
        await here.begin(stream(*words("half a"), Done(raw={}, at=3.0)))
        assert (here.replying.reply.state, here.replying.reply.text) == ("complete", "halfa")
        assert here.told[-1].text == "halfa"
        store.is_full = False
        await here.replying.flush()
        assert here.folded().text == here.replying.reply.text == "halfa"


async def test_a_silence_is_told_and_ends_with_the_next_word(tmp_path: Path) -> None:
    async with scene(tmp_path) as here:
        here.replying.quiet(15.0)
        assert here.replying.quiet_for == 15.0
        assert here.told == [Reply(asked_at=1.0)]
        here.replying.quiet(0.0)
        assert here.replying.quiet_for == 0.0
