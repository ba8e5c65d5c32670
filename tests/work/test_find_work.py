"""Find in a chat: exactly what is typed, whatever its case and whatever marks of Markdown stand in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from carrel.model import Account, Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from carrel.store.memory import UNKEPT
from carrel.work.finding import words_of
from carrel.work.session import Session
from sessions import open_session

NOWHERE = Account(base_url="http://127.0.0.1:9", client_id="c", api_key="k", secret="s")


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    async with open_session(tmp_path, NOWHERE) as opened:
        yield opened


async def keep(session: Session, chat_id: str, *replies: Reply) -> None:
    messages = []
    for turn, reply in enumerate(replies, 1):
        messages.append(Message(f"{chat_id}{turn}u", chat_id, turn, 1, "user", 1.0, Draft(text="Why?")))
        messages.append(Message(f"{chat_id}{turn}a", chat_id, turn, 1, "assistant", 1.0, Draft(), reply))
    await session.chats._store.add_turn(Chat(chat_id, "", "T", "", 1.0, 1.0), messages)


async def found(session: Session, words: str) -> list[tuple[str, str, int]]:
    return [(s.message_id, s.where, s.count) for s in await session.finding.in_chat("a", words)]


async def test_places_come_in_order_thinking_before_the_words_it_led_to(session: Session) -> None:
    first = Reply(text="Serve a **written\nnotice**. A Written Notice!", thinking="written notice?", state="complete")
    await keep(session, "a", first, Reply(text="No.", state="complete"), Reply(text="notice", state="complete"))
    assert await found(session, "written  NOTICE") == [("a1a", "thinking", 1), ("a1a", "text", 2)]
    assert await found(session, "notice") == [("a1a", "thinking", 1), ("a1a", "text", 2), ("a3a", "text", 1)]
    assert await found(session, "ritten no") == [("a1a", "thinking", 1), ("a1a", "text", 2)]
    assert await found(session, "  ") == []
    assert await found(session, "**written**") == [], "what is looked for is what is shown"


async def test_only_what_is_shown_is_found(session: Session) -> None:
    await keep(session, "a", Reply(text="By pigeon.", state="complete"))
    newer = Message("a1b", "a", 1, 2, "assistant", 2.0, Draft(), Reply(text="By post.", state="complete"))
    await session.chats._store.add_turn(session.chats.chat("a"), [newer])
    assert await found(session, "pigeon") == []
    assert await found(session, "post") == [("a1b", "text", 1)]


async def test_chats_that_are_not_kept_are_searched_too(session: Session) -> None:
    await keep(session, "a", Reply(text="On the disk: freight.", state="complete"))
    await keep(session, f"{UNKEPT}b", Reply(text="In memory: freight.", state="complete"))
    hits = (await session.finding.everywhere("freight")).messages
    assert [h.chat_id for h in hits] == [f"{UNKEPT}b", "a"]


async def test_both_replies_that_nobody_has_decided_between_are_searched(session: Session) -> None:
    asked = Message("u", "a", 1, 1, "user", 1.0, Draft(text="Why?"))
    sides = [
        Message(f"s{n}", "a", 1, n, "assistant", 1.0, Draft(), Reply(text=text, state="complete"), pair="open")
        for n, text in enumerate(("By notice.", "A notice, and a notice."), 1)
    ]
    await session.chats._store.add_turn(Chat("a", "", "T", "", 1.0, 1.0), [asked, *sides])
    assert await found(session, "notice") == [("s1", "text", 1), ("s2", "text", 2)]


def test_words_to_mark() -> None:
    assert words_of('renewal "by hand" 17.1') == ["renewal", "by hand", "17.1"]
