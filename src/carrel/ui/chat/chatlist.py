"""The list of chats as items: pinned, today, this week, older."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from carrel.ui.widgets.itemlist import Item

if TYPE_CHECKING:
    from carrel.work.chat import Chat


def items_of(chats: Iterable[Chat], is_streaming: Callable[[str], bool], now: datetime) -> list[Item]:
    """The entries, each under the title of its section."""
    items: list[Item] = []
    section = ""
    for chat in chats:
        title = _section(chat, now)
        if title != section:
            items.append(Item("", title))
            section = title
        items.append(_item(chat, is_streaming(chat.id)))
    return items


def matches(chat: Chat, words: str) -> bool:
    """Whether a chat's title or second line holds all of these words."""
    text = f"{chat.title} {chat.snippet}".casefold()
    return all(word in text for word in words.casefold().split())


def _item(chat: Chat, streaming: bool) -> Item:
    tag, tone = (_tr("Writing"), "ok") if streaming else (_tr("New"), "info") if chat.unread else ("", "none")
    return Item(
        chat.id, chat.title or _tr("New chat"), chat.snippet, tag=tag, tone=tone, icon="pin" if chat.pinned else ""
    )


def _section(chat: Chat, now: datetime) -> str:
    if chat.pinned:
        return _tr("Pinned")
    days = (now.date() - datetime.fromtimestamp(chat.updated_at).astimezone().date()).days
    if days <= 0:
        return _tr("Today")
    return _tr("This week") if days < 7 else _tr("Older")


def _tr(text: str) -> str:
    return QCoreApplication.translate("chatlist", text)
