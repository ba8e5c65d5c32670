"""A deleted chat can be brought back for a day; after that the next start erases it, to the last word."""

from __future__ import annotations

import time
from pathlib import Path

from carrel.model import Account, Content, Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from carrel.work.chatlist import DELETED
from carrel.work.session import Session
from sessions import on_disk, open_session

NOWHERE = Account(base_url="http://127.0.0.1:9", client_id="c", api_key="k", secret="s")
TABLES = ("chats", "messages", "journal", "branches", "message_words_docsize")


async def write(session: Session, chat_id: str, deleted: float | None) -> None:
    at = time.time()
    asked = Message(f"{chat_id}u", chat_id, 1, 1, "user", at, Draft(text=f"kumquat {chat_id}"))
    answer = Message(f"{chat_id}a", chat_id, 1, 1, "assistant", at, Draft(), Reply(text="grown", state="complete"))
    store = session.chats._store
    await store.add_turn(Chat(chat_id, "", f"kumquat {chat_id}", "", at, at), [asked, answer])
    await store.of(chat_id).journal(f"{chat_id}a", 0, [Content("grown", raw={"content": "grown"}, at=at)])
    await store.of(chat_id).delete(chat_id, deleted)


async def erased(session: Session) -> None:
    await session.tasks.ended("chats.erase")


async def test_what_was_deleted_long_ago_is_erased_at_the_next_start(tmp_path: Path) -> None:
    now = time.time()
    async with open_session(tmp_path, NOWHERE) as session:
        await write(session, "kept", None)
        await write(session, "fresh", now)
        await write(session, "gone", now - DELETED - 60)
    async with open_session(tmp_path, NOWHERE, "another") as session:
        await erased(session)
    assert on_disk(tmp_path, "SELECT count(*) FROM chats") == [(3,)], "they are not another account's"
    async with open_session(tmp_path, NOWHERE) as session:
        await erased(session)
        assert [hit.chat_id for hit in (await session.finding.everywhere("kumquat")).messages] == ["kept"]
        await session.chats.restore("fresh")
        await session.chats.restore("gone")
        assert sorted(chat.id for chat in session.chats.all()) == ["fresh", "kept"]
    counts = [on_disk(tmp_path, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES]
    assert counts == [2, 4, 2, 2, 4]
    assert b"kumquat gone" not in (tmp_path / "data" / "carrel.sqlite").read_bytes()
