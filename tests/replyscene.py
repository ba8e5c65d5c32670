"""A reply that streams into a store of its own, whose disk is as slow as a test likes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from carrel.model import Content, Event, Reply, fold_all
from carrel.model.draft import Draft
from carrel.store.chats import Chat, ChatStore, Message
from carrel.store.db import Database, open_database
from carrel.work.replying import Replying
from carrel.work.tasks import Tasks


class Slow(ChatStore):
    """A store on a slow disk, which tells what it wrote, and when."""

    pause = 0.0

    def __init__(self, db: Database, account: str) -> None:
        super().__init__(db, account)
        self.has_written = asyncio.Event()

    async def journal(self, message_id: str, batch: int, events: list[Event]) -> None:
        await asyncio.sleep(self.pause)
        await super().journal(message_id, batch, events)
        self.has_written.set()
        await asyncio.sleep(self.pause)


class Scene:
    """A reply of one chat, its store and who owns its tasks."""

    def __init__(self, store: Slow) -> None:
        self.store, self.tasks = store, Tasks()
        self.told: list[Reply] = []
        self.in_journal: list[int] = []
        self.replying = Replying(self.tasks, store, "reply", Reply(asked_at=1.0), self._tell)

    def _tell(self, reply: Reply) -> None:
        self.told.append(reply)
        self.in_journal.append(len(self.store.events("reply")))

    def begin(self, stream: AsyncGenerator[Event, None]) -> asyncio.Task[None]:
        self.tasks.start("journal:reply", self.replying.keep())
        return self.tasks.start("reply:chat", self.replying.follow(stream))

    def folded(self) -> Reply:
        """What the journal alone would give."""
        return fold_all(Reply(asked_at=1.0), self.store.events("reply"))


@asynccontextmanager
async def scene(home: Path) -> AsyncIterator[Scene]:
    db, _ = open_database(home / "carrel.sqlite", home / "backups")
    store = Slow(db, "me")
    chat = Chat(id="chat", conversation_id="", title="", snippet="", created_at=1.0, updated_at=1.0)
    answer = Message(
        id="reply", chat_id="chat", turn=1, version=1, role="assistant", created_at=1.0, draft=Draft(text="?")
    )
    await store.add_turn(chat, (answer,))
    made = Scene(store)
    try:
        yield made
    finally:
        await made.tasks.close()
        await db.close()


async def stream(*events: Event, then: Exception | None = None, wait: bool = False) -> AsyncGenerator[Event, None]:
    for event in events:
        yield event
        await asyncio.sleep(0)
    if wait:
        await asyncio.Event().wait()
    if then is not None:
        raise then


def words(text: str) -> list[Event]:
    return [Content(w, raw={"content": w}, at=2.0) for w in text.split(" ")]


async def shown(scene: Scene, letters: int) -> None:
    async with asyncio.timeout(30):
        while len(scene.replying.reply.text) < letters:  # noqa: ASYNC110  # what is told is a value, not an event
            await asyncio.sleep(0.005)
