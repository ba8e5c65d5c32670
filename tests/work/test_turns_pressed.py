"""A turn that was written is asked once, whatever else is pressed while the disk is slow."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from carrel.model.draft import Draft
from carrel.store.db import StoreError
from carrel.store.line import Waiting
from carrel.work.session import Session
from faulty import Faulty, Peer, faulty, routes
from sessions import open_session, until


async def answer(peer: Peer) -> None:
    await peer.reply("hello")


ROUTES = routes({"POST /external/conversations": answer, "POST /external/conversations/c1": answer})


@asynccontextmanager
async def a_chat(home: Path) -> AsyncIterator[tuple[Session, Faulty, str]]:
    """A session with a chat in which one question was answered; no task may fail in it."""
    async with faulty(ROUTES) as server, open_session(home, server.account()) as session:
        chat_id = await session.chats.send("", Draft(text="one"))
        await until(lambda: not session.chats.is_streaming(chat_id), "it was answered")
        failed: list[str] = []
        session.tasks.failed.connect(lambda key, error: failed.append(f"{key}: {error!r}"))
        yield session, server, chat_id
        assert failed == []


@contextmanager
def slow_disk(session: Session) -> Iterator[Callable[[int], bool]]:
    """Nothing is written meanwhile; gives whether so many writes wait."""
    goes_on = threading.Event()
    writer = session.context.db._thread
    stuck = writer.submit(goes_on.wait)
    try:
        yield lambda count: stuck.running() and writer._work_queue.qsize() >= count
    finally:
        goes_on.set()


def asked(session: Session, chat_id: str) -> list[str]:
    return [m.text for m in session.chats.messages(chat_id) if m.role == "user"]


def replies(session: Session, chat_id: str) -> list[tuple[int, str]]:
    return [(m.version, m.reply.state) for m in session.chats.messages(chat_id) if m.role == "assistant"]


async def test_again_pressed_twice_asks_once(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, server, chat_id):
        reply = session.chats.outline(chat_id)[-1].id
        with slow_disk(session) as waiting:
            first = session.tasks.start("again", session.chats.ask_again(reply))
            await until(lambda: waiting(1), "the first press is being written")
            second = session.tasks.start("again", session.chats.ask_again(reply))
            await until(second.done, "the second press is over")
        assert second.result() is False
        await asyncio.wait([first])
        await until(lambda: replies(session, chat_id) == [(1, "complete"), (2, "complete")], "one more came")
        assert len(server.seen) == 2


async def test_a_message_whose_press_was_broken_off_is_asked(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, server, chat_id):
        with slow_disk(session) as waiting:
            pressed = session.tasks.start("press", session.chats.send(chat_id, Draft(text="two")))
            await until(lambda: waiting(1), "it is being written")
            session.tasks.cancel("press")
        await asyncio.wait([pressed])
        await until(lambda: replies(session, chat_id) == [(1, "complete"), (1, "complete")], "it was answered")
        assert len(server.seen) == 2


async def test_two_messages_in_one_breath_stand_one_after_the_other(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, _, chat_id):
        await asyncio.gather(*(session.chats.send(chat_id, Draft(text=text)) for text in ("two", "three")))
        await until(lambda: not session.chats.is_streaming(chat_id), "both have ended")
        assert [told.turn for told in session.chats.outline(chat_id)] == [1, 1, 2, 2, 3, 3]
        assert asked(session, chat_id) == ["one", "two", "three"]


async def test_a_first_message_is_asked_though_its_draft_could_not_be_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(_: Draft) -> None:
        raise StoreError("The disk is full.")

    async with a_chat(tmp_path) as (session, _, _):
        monkeypatch.setattr(session.chats._new_drafts, "save", refused)
        chat_id = await session.chats.send("", Draft(text="another"))
        await until(lambda: replies(session, chat_id) == [(1, "complete")], "it was answered")


async def in_line(session: Session, chat_id: str) -> None:
    """A message waits, as after a restart."""
    await session.line._rows.add(Waiting("w", chat_id, Draft(text="two")))


async def test_what_the_line_has_begun_to_send_is_not_taken_back(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, _, chat_id):
        await in_line(session, chat_id)
        with slow_disk(session) as waiting:
            session.line.go_on(chat_id)
            await until(lambda: waiting(1), "the message is being written")
            taking = asyncio.ensure_future(session.line.take("w"))
            await until(lambda: waiting(2), "it is being taken")
        assert await taking is None
        await until(lambda: len(replies(session, chat_id)) == 2, "it was sent")
        assert asked(session, chat_id) == ["one", "two"]


async def test_what_is_being_taken_back_is_not_sent(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, server, chat_id):
        await in_line(session, chat_id)
        with slow_disk(session) as waiting:
            taking = [asyncio.ensure_future(session.line.take("w")) for _ in range(2)]
            await until(lambda: waiting(2), "it is being taken, twice")
            session.line.go_on(chat_id)
            await until(lambda: waiting(3), "the line wants to send it")
        assert await asyncio.gather(*taking) == [Draft(text="two"), None]
        await until(lambda: not session.line.is_going(chat_id), "the line has nothing more")
        assert asked(session, chat_id) == ["one"]
        assert len(server.seen) == 1


async def test_a_draft_that_was_emptied_stays_empty(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, _, chat_id):
        with slow_disk(session) as waiting:
            typed = asyncio.ensure_future(session.chats.save_draft(chat_id, Draft(text="a secret")))
            await until(lambda: waiting(1), "what was typed is being written")
            emptied = asyncio.ensure_future(session.chats.save_draft(chat_id, Draft()))
            await asyncio.sleep(0)  # it has looked by now
        await asyncio.gather(typed, emptied)
        assert session.chats.draft(chat_id) == Draft()


async def test_a_misspelt_verb_is_no_verb(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, _, chat_id):
        store: Any = session.chats._store
        assert not hasattr(store, "mesages")
        unkept = await session.chats.send("", Draft(text="not kept"), kept=False)
        assert [m.text for m in store.of(unkept).messages(unkept) if m.role == "user"] == ["not kept"]
        assert all(session.chats.message(m.id) for m in session.chats.messages(unkept))
        assert store.of(chat_id).chat(unkept) is None
        await until(lambda: replies(session, unkept) == [(1, "complete")], "it was answered")


def write_turns(count: int) -> Callable[[sqlite3.Connection], None]:
    """Writes further turns of the only chat, some with another version of the reply."""

    def work(db: sqlite3.Connection) -> None:
        [chat_id] = db.execute("SELECT id FROM chats").fetchone()
        [first] = db.execute("SELECT max(turn) + 1 FROM messages").fetchone()
        for turn in range(first, first + count):
            for role, version in (("user", 1), ("assistant", 1), ("assistant", 2)):
                db.execute(
                    """INSERT INTO messages (id, chat_id, turn, version, role, text, request, state, created_at)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, json_object('text', ?6), 'complete', 1)""",
                    (f"{role}-{turn}-{version}", chat_id, turn, version, role, f"{role} {turn}.{version}"),
                )

    return work


@contextmanager
def steps(session: Session) -> Iterator[Callable[[], int]]:
    """How many hundreds of steps SQLite does meanwhile."""
    db, done = session.context.db, [0]

    def step() -> int:
        done[0] += 1
        return 0

    for connection in (db._reader, db._writer):
        connection.set_progress_handler(step, 100)
    yield lambda: done[0]
    for connection in (db._reader, db._writer):
        connection.set_progress_handler(None, 0)


async def test_a_message_costs_no_more_in_a_long_chat(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, _, chat_id):

        async def cost() -> int:
            before = len(replies(session, chat_id))
            with steps(session) as done:
                assert session.chats.compared(chat_id) == ()
                await session.chats.send(chat_id, Draft(text="next"))
                spent = done()
            await until(lambda: not session.chats.is_streaming(chat_id), "it was answered")
            assert len(replies(session, chat_id)) == before + 1
            return spent

        await session.context.db.write(write_turns(50))
        short = await cost()
        await session.context.db.write(write_turns(1000))
        assert await cost() <= 2 * short + 20


async def test_what_was_said_before_is_read_in_one_go(tmp_path: Path) -> None:
    async with a_chat(tmp_path) as (session, _, _):
        said: list[str] = []

        def statements(message_id: str) -> int:
            """How many it takes to tell again what was said before a message."""
            told = session.chats.message(message_id)
            said.clear()
            session.context.db._reader.set_trace_callback(said.append)
            [quote] = session.chats.wording(told).quotes
            session.context.db._reader.set_trace_callback(None)
            assert quote.startswith("You: one\n\nReply: hello")
            assert quote.endswith(f"You: user {told.turn - 1}.1\n\nReply: assistant {told.turn - 1}.2")
            return len(said)

        await session.context.db.write(write_turns(60))
        await session.chats.show_version("assistant-40-1")
        assert "Reply: assistant 40.1\n\nYou" in session.chats.wording(session.chats.message("user-60-1")).quotes[0]
        assert statements("user-30-1") == statements("user-60-1")
