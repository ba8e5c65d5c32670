"""Messages in line, chats that are not kept, drafts, the lock on redaction: against the real built-in service."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from carrel.model.draft import Draft
from carrel.store.settings import Settings
from carrel.work.session import Session
from running import RunningService, built_in_service
from sessions import account_of, open_session, until


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service"), "--pace", "40", "--rate-limit", "100000") as running:
        yield running


def turns(session: Session, chat_id: str) -> list[tuple[str, str]]:
    """What was asked, and how each reply stands."""
    held = session.chats.messages(chat_id)
    replies = {m.turn: m.reply.state for m in held if m.role == "assistant"}
    return [(m.text, replies[m.turn]) for m in held if m.role == "user"]


def assert_left_nothing(home: Path, secret: str) -> None:
    written = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert written
    assert secret.encode() not in written
    with closing(sqlite3.connect(next(home.rglob("carrel.sqlite")))) as db:
        for table in ("chats", "messages", "journal", "waiting", "new_drafts"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


async def test_what_waits_goes_in_order_when_the_reply_has_ended(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await session.chats.send("", Draft(text="one"))
        key, running = f"reply:{chat_id}", []
        session.chats.message_added.connect(
            lambda m: m.role == "user" and running.append(sum(t.get_name() == key for t in asyncio.all_tasks()))
        )
        await session.line.add(chat_id, Draft(text="two"))
        await session.line.add(chat_id, Draft(text="three"))
        assert [w.draft.text for w in session.line.of(chat_id)] == ["two", "three"]
        assert session.line.is_going(chat_id)
        await until(lambda: turns(session, chat_id)[-1] == ("three", "complete"), "all were answered")
        assert turns(session, chat_id) == [("one", "complete"), ("two", "complete"), ("three", "complete")]
        assert session.line.of(chat_id) == []
        assert running == [0, 0], "a reply was under way when the next was asked for"


async def test_stop_holds_the_line_until_a_person_says_so(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await session.chats.send("", Draft(text="Write a long answer, please."))
        await session.line.add(chat_id, Draft(text="later"))
        session.chats.stop(chat_id)
        await until(lambda: not session.line.is_going(chat_id), "the line is held")
        await session.tasks.ended(f"reply:{chat_id}")
        assert turns(session, chat_id) == [("Write a long answer, please.", "stopped")]
        [waiting] = session.line.of(chat_id)
        assert waiting.draft.text == "later"
        session.line.go_on(chat_id)
        await until(lambda: turns(session, chat_id)[-1] == ("later", "complete"), "it was sent")


async def test_a_message_in_line_can_be_taken_back(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await session.chats.send("", Draft(text="one"))
        await session.line.add(chat_id, Draft(text="two", think=True))
        [waiting] = session.line.of(chat_id)
        assert await session.line.take(waiting.id) == Draft(text="two", think=True)
        assert await session.line.take(waiting.id) is None
        await until(lambda: turns(session, chat_id) == [("one", "complete")], "only the first was answered")
        await until(lambda: not session.line.is_going(chat_id), "nothing more goes")
        assert len(turns(session, chat_id)) == 1


async def test_after_a_restart_what_waited_is_there_and_held(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await session.chats.send("", Draft(text="one"))
        await session.line.add(chat_id, Draft(text="two"))
    async with open_session(tmp_path, account_of(service)) as session:
        assert [w.draft.text for w in session.line.of(chat_id)] == ["two"]
        assert not session.line.is_going(chat_id)
        assert turns(session, chat_id) == [("one", "interrupted")]


async def test_a_chat_that_is_not_kept_works_and_leaves_nothing(service: RunningService, tmp_path: Path) -> None:
    secret = "zanzibar-4711"
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await session.chats.send("", Draft(text=f"About {secret}"), kept=False)
        await session.line.add(chat_id, Draft(text=f"Once more {secret}"))
        await session.chats.save_draft(chat_id, Draft(text=f"typed {secret}"))
        assert not session.chats.is_kept(chat_id)
        assert session.chats.draft(chat_id).text == f"typed {secret}"
        await until(lambda: turns(session, chat_id)[-1] == (f"Once more {secret}", "complete"), "both were answered")
        first, second = [m.reply for m in session.chats.messages(chat_id) if m.role == "assistant"]
        assert first.conversation_id
        assert second.conversation_id == first.conversation_id
        [reply] = [m for m in session.chats.messages(chat_id) if m.role == "assistant"][-1:]
        await session.chats.ask_again(reply.id)
        await until(lambda: not session.chats.is_streaming(chat_id), "another version came")
        assert [chat.id for chat in session.chats.all()] == [chat_id]
        await session.chats.rename(chat_id, "Not for the disk")
        assert session.chats.chat(chat_id).title == "Not for the disk"
    assert_left_nothing(tmp_path, secret)
    async with open_session(tmp_path, account_of(service)) as session:
        assert session.chats.all() == []


async def test_drafts_are_kept_for_each_chat_and_for_the_new_one(service: RunningService, tmp_path: Path) -> None:
    typed = Draft(text="half a thought", model="m", think=True, web_search=False, agent_id="a")
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await session.chats.send("", Draft(text="one"))
        await session.chats.save_draft(chat_id, typed)
        await session.chats.save_draft("", Draft(text="new"))
    async with open_session(tmp_path, account_of(service)) as session:
        assert session.chats.draft(chat_id) == typed
        assert session.chats.draft("") == Draft(text="new")
    async with open_session(tmp_path, account_of(service), "another") as session:
        assert session.chats.draft("") == Draft()
        await session.chats.send("", Draft(text="new"))
        assert session.chats.draft("") == Draft()


async def test_a_draft_kept_at_the_last_moment_is_written(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        session.tasks.start("chat.draft.", session.chats.save_draft("", Draft(text="at the last moment")))
    async with open_session(tmp_path, account_of(service)) as session:
        assert session.chats.draft("").text == "at the last moment"


@pytest.mark.parametrize("locked", [False, True])
async def test_a_lock_on_the_account_redacts_every_message(
    service: RunningService, tmp_path: Path, locked: bool
) -> None:
    settings = Settings(always_redact=("tester",) if locked else ("another",))
    async with open_session(tmp_path, account_of(service), settings=lambda: settings) as session:
        assert session.chats.always_redacts is locked
        chat_id = await session.chats.send("", Draft(text="one"))
        await until(lambda: not session.chats.is_streaming(chat_id), "it was answered")
        await session.chats.send(chat_id, Draft(text="two"))
        await until(lambda: not session.chats.is_streaming(chat_id), "it was answered")
        bodies = [json.loads(e.request) for e in session.activity.exchanges if e.stream]
        asked = [body.get("additional_metadata", {}).get("redact_pii") for body in bodies]
        assert asked == ([True, True] if locked else [None, None])
