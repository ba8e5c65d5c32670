"""What a search of everything found, as items: chats by their titles, messages, agent runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from carrel.ui.amounts import moment
from carrel.ui.widgets.itemlist import Item

if TYPE_CHECKING:
    from carrel.model.finding import Found, MessageHit, RunHit, Where


@dataclass(frozen=True, slots=True)
class Target:
    """Where an item leads: to a chat, to a message in it, to all of the found in it, or to an agent run."""

    chat_id: str = ""
    message_id: str = ""
    where: Where = "text"
    around: str = ""
    """Words that stand about the found ones."""
    is_all: bool = False
    run_id: str = ""


def items_of(found: Found) -> tuple[list[Item], dict[str, Target]]:
    """The items, and where each leads by its key."""
    items: list[Item] = []
    targets: dict[str, Target] = {}

    def add(item: Item, target: Target) -> None:
        items.append(item)
        targets[item.key] = target

    if found.chats:
        items.append(Item("", _tr("Chats")))
        for chat in found.chats:
            add(Item(f"chat:{chat.chat_id}", chat.title, note=moment(chat.at)), Target(chat.chat_id))
    if found.messages:
        items.append(Item("", _tr("Messages")))
        _add_messages(found, add)
    if found.runs:
        items.append(Item("", _tr("Agent runs")))
        for run in found.runs:
            add(_run(run), Target(run_id=run.run_id))
    return items, targets


def _add_messages(found: Found, add: object) -> None:
    """A chat's messages stand together, below the newest of them; what there are more of is one entry."""
    by_chat: dict[str, list[MessageHit]] = {}
    for hit in found.messages:
        by_chat.setdefault(hit.chat_id, []).append(hit)
    counts = dict(found.counts)
    for chat_id, hits in by_chat.items():
        for hit in hits:
            add(_message(hit), Target(chat_id, hit.message_id, hit.where, hit.snippet.line))
        more = counts.get(chat_id, 0) - len(hits)
        if more > 0:
            words = _tr("{n} more in this chat").format(n=more)
            add(Item(f"all:{chat_id}", words, icon="right", strong=False), Target(chat_id, is_all=True))


def _message(hit: MessageHit) -> Item:
    who = _tr("You") if hit.role == "user" else _tr("Thinking") if hit.where == "thinking" else _tr("Reply")
    moved = len(who) + 2
    marks = tuple((start + moved, length) for start, length in hit.snippet.marks)
    text = f"{who}: {hit.snippet.text}"
    return Item(f"message:{hit.message_id}", hit.title or _tr("New chat"), text, note=moment(hit.at), marks=marks)


def _run(run: RunHit) -> Item:
    return Item(f"run:{run.run_id}", run.title, run.snippet.text, note=moment(run.at), marks=run.snippet.marks)


def _tr(text: str) -> str:
    return QCoreApplication.translate("results", text)
