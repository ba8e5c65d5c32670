"""Chats on disk: what is written reads back the same, and a crash costs nothing that was journalled."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from carrel.model import (
    Content,
    ConversationCreated,
    Done,
    Event,
    MessageStart,
    Preferences,
    Reply,
    StreamMeta,
    Thinking,
    Unknown,
    event_of,
    fold_all,
)
from carrel.model.draft import Attachment, Draft
from carrel.store.branches import Fork
from carrel.store.chats import Chat, ChatStore, Message, snippet_of
from carrel.store.db import Database, open_database

ODD = "Zeile\u2028eins\u2029\x85 \x0b\x0c zwei\n„drei“ 👩‍👩‍👧 \\n \x00\x1b"


@pytest.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    made, _ = open_database(tmp_path / "carrel.sqlite", tmp_path / "backups")
    yield made
    await made.close()


def chat(chat_id: str = "c", **values: object) -> Chat:
    held = {"conversation_id": "", "title": "Lease", "snippet": "", "created_at": 1.0, "updated_at": 2.0}
    return Chat(id=chat_id, **(held | values))


def asked(chat_id: str = "c", turn: int = 1, **values: object) -> Message:
    return Message(
        id=f"{chat_id}-u{turn}", chat_id=chat_id, turn=turn, version=1, role="user", created_at=1.0, **values
    )


def answer(chat_id: str = "c", turn: int = 1, version: int = 1, **values: object) -> Message:
    return Message(
        id=f"{chat_id}-a{turn}.{version}",
        chat_id=chat_id,
        turn=turn,
        version=version,
        role="assistant",
        created_at=1.0,
        **values,
    )


def events() -> list[Event]:
    told = [
        ("stream_meta", {"run_id": "r", "conversation_id": "conv"}),
        ("message_start", {"message_id": "m", "user_message_id": "u"}),
        ("thinking", {"content": "hm " + ODD}),
        ("content", {"content": "One "}),
        ("content", {"content": ODD}),
        ("of_a_later_version", {"deep": [1, {"a": None}]}),
    ]
    return [event_of(name, raw, at) for at, (name, raw) in enumerate(told, 10)]


async def test_a_chat_and_its_messages_read_back_the_same(db: Database) -> None:
    store = ChatStore(db, "me")
    draft = Draft(
        text=ODD,
        model="m-1",
        attachments=(Attachment(id="d", name=ODD),),
        think=True,
        web_search=False,
        preferences=Preferences(language="German"),
    )
    reply = Reply(text=ODD, thinking="hm", state="complete", asked_at=1.0, ended_at=3.5, extra={"credits": 2})
    held = chat(title=ODD, pinned=True, unread=True, draft=Draft(text="later"))
    messages = [asked(draft=draft), answer(draft=draft, reply=reply)]
    await store.add_turn(held, messages)
    assert store.chats() == [held]
    assert store.chat("c") == held
    assert store.messages("c") == messages
    assert store.message("c-a1.1") == messages[1]
    assert store.chat("no") is None
    assert store.message("no") is None


async def test_chats_are_of_one_account_in_the_order_of_the_list(db: Database) -> None:
    mine, other = ChatStore(db, "me"), ChatStore(db, "other")
    for name, pinned, at in (("old", False, 1.0), ("new", False, 9.0), ("pinned", True, 5.0)):
        await mine.add_turn(chat(name, pinned=pinned, updated_at=at), [])
    await other.add_turn(chat("theirs"), [])
    assert [c.id for c in mine.chats()] == ["pinned", "new", "old"]
    assert [c.id for c in other.chats()] == ["theirs"]


async def test_messages_come_turn_by_turn_the_question_first_versions_in_order(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(), [asked(turn=2), answer(turn=2)])
    await store.add_turn(chat(), [answer(turn=1, version=2), answer(turn=1), asked(turn=1)])
    assert [m.id for m in store.messages("c")] == ["c-u1", "c-a1.1", "c-a1.2", "c-u2", "c-a2.1"]


async def test_a_deleted_chat_is_out_of_the_list_and_can_come_back(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(), [asked(draft=Draft(text="Hello"))])
    await store.delete("c", 5.0)
    assert store.chats() == []
    await store.delete("c", None)
    assert store.chats() == [chat()]
    assert [m.text for m in store.messages("c")] == ["Hello"]


async def test_events_read_back_in_order_whole_and_with_their_times(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(), [answer()])
    told = events()
    for batch, part in enumerate([told[:1], told[1:4], [], told[4:]]):
        await store.journal("c-a1.1", batch, part)
    held = store.events("c-a1.1")
    assert held == told
    assert [e.at for e in held] == [e.at for e in told]
    assert [e.raw for e in held] == [e.raw for e in told]
    assert isinstance(held[-1], Unknown)


async def test_eleven_batches_are_read_in_the_order_of_their_numbers(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(), [answer()])
    for batch in reversed(range(11)):
        await store.journal("c-a1.1", batch, [event_of("content", {"content": f"{batch} "}, 1.0)])
    assert fold_all(Reply(), store.events("c-a1.1")).text == "0 1 2 3 4 5 6 7 8 9 10 "


async def test_recover_folds_what_the_journal_holds_and_marks_it_interrupted(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(), [asked(), answer(reply=Reply(asked_at=1.0))])
    told = events()
    await store.journal("c-a1.1", 0, told)
    assert await store.recover(99.0) == 1
    message = store.message("c-a1.1")
    assert message is not None
    assert message.reply.state == "interrupted"
    assert message.reply.text == "One " + ODD
    assert message.reply.thinking == "hm " + ODD
    assert message.reply.message_id == "m"
    assert message.reply.ended_at == told[-1].at
    held = store.chat("c")
    assert held is not None
    assert held.conversation_id == "conv"
    assert held.snippet == snippet_of("One " + ODD)
    assert await store.recover(100.0) == 0
    assert store.message("c-a1.1") == message


async def test_recover_takes_a_journal_that_says_done_at_its_word(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(), [answer(reply=Reply(asked_at=1.0))])
    await store.journal("c-a1.1", 0, [*events(), event_of("done", {"conversation_id": "conv"}, 30.0)])
    await store.recover(99.0)
    message = store.message("c-a1.1")
    assert message is not None
    assert (message.reply.state, message.reply.ended_at) == ("complete", 30.0)


async def test_recover_of_a_reply_that_said_nothing(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(conversation_id="kept"), [answer(reply=Reply(asked_at=1.0))])
    await store.recover(99.0)
    message = store.message("c-a1.1")
    assert message is not None
    assert (message.reply.state, message.reply.ended_at, message.text) == ("interrupted", 99.0, "")
    held = store.chat("c")
    assert held is not None
    assert held.conversation_id == "kept"


async def test_recover_leaves_what_has_ended_and_what_is_of_another_account(db: Database) -> None:
    mine, other = ChatStore(db, "me"), ChatStore(db, "other")
    ended = Reply(text="done", state="complete", ended_at=2.0)
    await mine.add_turn(chat(), [answer(reply=ended)])
    await other.add_turn(chat("theirs"), [answer("theirs", reply=Reply(asked_at=1.0))])
    assert await mine.recover(99.0) == 0
    theirs = other.message("theirs-a1.1")
    assert theirs is not None
    assert theirs.reply.is_open


async def test_how_a_reply_ended_is_kept_with_its_chat(db: Database) -> None:
    store = ChatStore(db, "me")
    await store.add_turn(chat(), [answer(reply=Reply(asked_at=1.0))])
    told: list[Event] = [
        StreamMeta("r", "conv", raw={}, at=1.0),
        ConversationCreated("conv", raw={}, at=1.1),
        MessageStart("m", "u", raw={}, at=1.2),
        Thinking("hm", raw={}, at=2.0),
        Content("One", raw={}, at=3.0),
        Done("conv", "m", raw={"generated_files": [{"file_name": "a.csv"}]}, at=4.0),
    ]
    reply = fold_all(Reply(asked_at=1.0), told)
    await store.save_reply("c-a1.1", "c", reply, snippet="One", unread=True)
    message = store.message("c-a1.1")
    assert message is not None
    assert message.reply == reply
    held = store.chat("c")
    assert held is not None
    assert (held.snippet, held.unread) == ("One", True)


async def test_a_turn_is_written_whole_or_not_at_all(db: Database) -> None:
    store = ChatStore(db, "me")
    with pytest.raises(Exception, match="UNIQUE"):
        await store.add_turn(chat(), [asked(), replace(asked(), id="twice")])
    assert store.chats() == []
    assert store.messages("c") == []


@pytest.mark.parametrize(
    ("text", "snippet"),
    [
        ("# Heading\n\n**Bold** `code`", "Heading Bold code"),
        ("", ""),
        ("word " * 100, ("word " * 24)[:120]),
        ("*" * 500 + "late", ""),
    ],
)
def test_a_snippet_is_the_first_words_without_the_marks(text: str, snippet: str) -> None:
    assert snippet_of(text) == snippet


async def test_another_wording_that_cannot_be_written_leaves_no_branch(db: Database) -> None:
    store = ChatStore(db, "mine")
    await store.add_turn(chat(), [asked(), answer()])
    with pytest.raises(sqlite3.IntegrityError):
        await store.add_turn(chat(), [replace(asked(), id="new"), replace(answer(), id="new")], fork=Fork(0, 1))
    assert [told.id for told in store.outline(chat().id)] == [asked().id, answer().id]
    [written, _] = await store.add_turn(chat(), [replace(asked(), id="b"), replace(answer(), id="c")], fork=Fork(0, 1))
    assert (written.branch, written.turn) == (1, 1)
    assert [told.id for told in store.outline(chat().id)] == ["b", "c"]
