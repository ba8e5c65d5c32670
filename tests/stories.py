"""What several stories do: wait for the index, search, take files out of the picker."""

from __future__ import annotations

from PySide6.QtCore import Qt

from carrel.model import LibraryQuery
from stage import Stage


async def indexed(stage: Stage) -> None:
    """Wait until the samples can be found."""
    service = stage.desk.session.context.service
    while True:
        page = await service.library(LibraryQuery(page_size=100))
        if page.items and all(file.state_kind != "indexing" for file in page.items):
            return
        await stage.hand.settle(0.3)


async def search(stage: Stage, words: str) -> None:
    """Type a query, press Enter, wait for what comes of it."""

    def answered() -> int:
        return sum("search" in exchange.path for exchange in stage.desk.session.activity.exchanges)

    before = answered()
    stage.hand.type("search.query", words)
    stage.hand.key("search.query", Qt.Key.Key_Return)
    await stage.hand.until(lambda: answered() > before, "the service has answered")
    await stage.hand.settle()


async def take(stage: Stage, *names: str) -> None:
    """Tick files of these names in the library's picker, and take them."""
    files = stage.hand.find("filepicker.list")
    await stage.hand.until(files.count, "the library's files are listed")
    for number in range(files.count()):
        if files.item(number).text() in names:
            files.item(number).setCheckState(Qt.CheckState.Checked)
    stage.hand.click("filepicker.take")
    await stage.hand.settle()


def states(stage: Stage) -> list[str]:
    """How the replies of all chats stand."""
    chats = stage.desk.session.chats
    return [m.reply.state for c in chats.all() for m in chats.messages(c.id) if m.role == "assistant"]


def requests(stage: Stage) -> list[str]:
    """What was sent to be answered by a stream."""
    return [e.request for e in stage.desk.session.activity.exchanges if e.stream]


async def ask(stage: Stage, text: str) -> None:
    """Type a message, send it, and wait until the reply is under way."""
    stage.hand.type("chat.composer", text)
    stage.hand.click("chat.send")
    await stage.hand.until(lambda: stage.hand.sees("chat.stop"), "the reply is under way")


async def open_only_chat(stage: Stage) -> None:
    """Open the one chat that there is."""
    [chat] = stage.desk.session.chats.all()
    stage.window.presenter("chat").open(chat.id)
    await stage.hand.settle()
