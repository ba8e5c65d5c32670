"""Which version of a reply is in front: the newest, until a person turns back to another one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from carrel.store.chats import Chat, ChatStore, Message
from carrel.store.db import open_database

CHAT = Chat("c", "", "", "", 1.0, 1.0)


def reply(turn: int, version: int, pair: str = "") -> Message:
    return Message(f"a{turn}.{version}", "c", turn, version, "assistant", 1.0, pair=pair)  # type: ignore[arg-type]


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[ChatStore]:
    db, _ = open_database(tmp_path / "carrel.sqlite", tmp_path / "backups")
    made = ChatStore(db, "me")
    asked = [Message(f"u{turn}", "c", turn, 1, "user", 1.0) for turn in (1, 2)]
    await made.add_turn(CHAT, [*asked, reply(1, 1), reply(1, 2), reply(1, 3), reply(2, 1)])
    yield made
    await db.close()


def shown(store: ChatStore) -> list[tuple[str, int]]:
    return [(told.id, told.versions) for told in store.outline("c") if told.role == "assistant"]


async def test_a_version_stays_in_front_until_another_comes(store: ChatStore) -> None:
    assert shown(store) == [("a1.3", 3), ("a2.1", 1)]
    for version in (1, 2, 3, 1):
        await store.show_version(f"a1.{version}")
        assert shown(store) == [(f"a1.{version}", 3), ("a2.1", 1)]
    await store.add_turn(CHAT, [reply(1, 4)])
    assert shown(store) == [("a1.4", 4), ("a2.1", 1)]


async def test_two_side_by_side_stay_in_front(store: ChatStore) -> None:
    await store.add_turn(CHAT, [reply(2, 2, "open"), reply(2, 3, "open")])
    await store.show_version("a2.1")
    assert shown(store)[-1] == ("a2.3", 3)
    await store.keep("a2.2")
    await store.show_version("a2.3")
    assert shown(store)[-1] == ("a2.3", 3)
