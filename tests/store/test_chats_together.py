"""Chats written from several sides at once, and rows that a crash left damaged: nothing is lost, nothing kept shut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from carrel.model import Content, Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, ChatStore, Message
from carrel.store.db import Database, open_database


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    made, _ = open_database(tmp_path / "carrel.sqlite", tmp_path / "backups")
    yield made
    await made.close()


async def asked(store: ChatStore, chat_id: str = "c") -> Chat:
    """Write a chat whose reply is under way."""
    chat = Chat(chat_id, "", "Lease", "", 1.0, 1.0)
    question = Message(f"{chat_id}-u", chat_id, 1, 1, "user", 1.0, Draft(text="?"))
    await store.add_turn(chat, (question, Message(f"{chat_id}-a", chat_id, 1, 1, "assistant", 1.0)))
    return chat


async def test_what_is_written_in_one_moment_is_all_kept(db: Database) -> None:
    store = ChatStore(db, "me")
    chat = await asked(store)
    again = Message("c-b", "c", 1, 2, "assistant", 2.0)
    await asyncio.gather(
        store.save_draft("c", Draft(text="my next question")),
        store.change("c", title="Renamed"),
        store.change("c", pinned=True),
        store.save_reply("c-a", "c", Reply(text="x", state="complete"), snippet="x", updated_at=3.0, unread=True),
        store.add_turn(chat, (again,)),
    )
    held = store.chat("c")
    assert held is not None
    assert (held.title, held.pinned, held.unread, held.snippet) == ("Renamed", True, True, "x")
    assert held.draft.text == "my next question"


async def test_a_further_message_leaves_title_and_pin_as_they_are_by_then(db: Database) -> None:
    store = ChatStore(db, "me")
    chat = await asked(store)
    further = Message("c-u2", "c", 2, 1, "user", 2.0, Draft(text="and?"))
    await asyncio.gather(
        store.change("c", title="Renamed", pinned=True, archived=True), store.add_turn(chat, (further,))
    )
    held = store.chat("c")
    assert held is not None
    assert (held.title, held.pinned, held.archived) == ("Renamed", True, False)


async def test_keeping_a_side_leaves_what_is_being_typed(db: Database) -> None:
    store = ChatStore(db, "me")
    chat = await asked(store)
    sides = [Message(f"s{n}", "c", 2, n, "assistant", 2.0, Draft(model=f"m{n}"), pair="open") for n in (1, 2)]
    await store.add_turn(chat, sides)
    await asyncio.gather(store.save_draft("c", Draft(text="and then")), store.keep("s1"))
    held = store.chat("c")
    assert held is not None
    assert (held.draft.text, held.draft.model) == ("and then", "m1")


async def test_a_reply_that_was_cut_in_the_middle_of_a_character_is_recovered(db: Database) -> None:
    store = ChatStore(db, "me")
    await asked(store)
    words = "Hello \ud83d"  # the other half of an emoji was to come
    await store.journal("c-a", 0, [Content(words, raw={"content": words}, at=2.0)])
    assert await store.recover(99.0) == 1
    message = store.message("c-a")
    assert message is not None
    assert (message.reply.state, message.text, message.reply.ended_at) == ("interrupted", "Hello \ufffd", 2.0)
    assert await store.recover(99.0) == 0


@pytest.mark.parametrize(
    "damage", ["UPDATE messages SET reply = '{' WHERE id = 'c-a'", "UPDATE journal SET events = '{'"]
)
async def test_one_damaged_row_does_not_keep_the_others_from_recovering(db: Database, log_watch, damage: str) -> None:
    log_watch.expect("c-a cannot be recovered")
    store = ChatStore(db, "me")
    await asked(store)
    await store.journal("c-a", 0, [Content("lost", raw={"content": "lost"}, at=2.0)])
    await db.execute(damage)
    await asked(store, "d")
    await store.journal("d-a", 0, [Content("kept", raw={"content": "kept"}, at=2.0)])
    assert await store.recover(99.0) == 2
    whole = store.message("d-a")
    assert whole is not None
    assert (whole.reply.state, whole.text) == ("interrupted", "kept")
    assert db.read("SELECT state FROM messages WHERE id = 'c-a'")[0][0] == "interrupted"
