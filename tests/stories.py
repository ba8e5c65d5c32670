"""What several stories do: wait for the index, search, take files out of the picker, have had chats."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from carrel.model import LibraryQuery, Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
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


async def write_chat(stage: Stage, chat_id: str, title: str, turns: list[tuple[str, str, str]], ago: float = 0) -> None:
    """Write a chat as one that was had some seconds ago: (asked, answered, thought) for each turn."""
    at = time.time() - ago
    draft = Draft(text="")
    chat = Chat(chat_id, f"conversation-{chat_id}", title, turns[-1][1][:60], at, at)
    messages = []
    for turn, (asked, answered, thought) in enumerate(turns, 1):
        reply = Reply(text=answered, thinking=thought, state="complete", asked_at=at, ended_at=at)
        messages += [
            Message(f"{chat_id}-{turn}-u", chat_id, turn, 1, "user", at, draft.model_copy(update={"text": asked})),
            Message(f"{chat_id}-{turn}-a", chat_id, turn, 1, "assistant", at, draft, reply),
        ]
    await stage.desk.session.chats._store.add_turn(chat, messages)
    stage.desk.session.chats.list_changed.emit()
    await stage.hand.settle()


def titles_in(stage: Stage, name: str = "chat.list") -> list[str]:
    """What a list shows; section titles stand in brackets."""
    return [item.title if item.key else f"[{item.title}]" for item in stage.hand.find(name).items()]


def pick_chat(stage: Stage, title: str, name: str = "chat.list") -> None:
    """Click an entry."""
    shown = stage.hand.find(name)
    row = titles_in(stage, name).index(title)
    shown.setCurrentIndex(shown.model().index(row, 0))


def take_from_menu(stage: Stage, title: str, words: str) -> None:
    """Open an entry's menu by the keyboard and take something from it."""
    shown = stage.hand.find("chat.list")
    item = shown.items()[titles_in(stage).index(title)]
    shown.menu_asked.emit(item.key, shown.mapToGlobal(shown.rect().center()))
    offered = stage.hand.find("chat.menu", QMenu)
    action = next(a for a in offered.actions() if a.text() == words)
    action.trigger()
    offered.close()


def killed_at_its_word(victim: str, home: Path) -> str:
    """Run a story in a process of its own on `home`, wait for the line that it prints, and kill -9; the line."""
    folders = [str(Path(__file__).parent / "end2end"), str(Path(__file__).parent)]
    code = f"import sys; sys.path[:0] = {folders!r}\n{victim}"
    process = subprocess.Popen([sys.executable, "-c", code, str(home)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    return line
