"""The list of chats as items: pinned, today, this week, older."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from carrel.ui.widgets.itemlist import Item

if TYPE_CHECKING:
    from carrel.work.chat import ChatLine


def items_of(chats: Iterable[ChatLine], is_streaming: Callable[[str], bool], now: datetime) -> list[Item]:
    """The entries, each under the title of its section."""
    items: list[Item] = []
    section = ""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    begins = (today.timestamp(), (today - timedelta(days=6)).timestamp())
    for chat in chats:
        title = _section(chat, *begins)
        if title != section:
            items.append(Item("", title))
            section = title
        items.append(_item(chat, is_streaming(chat.id)))
    return items


def archived_items(chats: Iterable[ChatLine], is_streaming: Callable[[str], bool]) -> list[Item]:
    """The entries of chats that were taken out of the way."""
    return [Item("", _tr("Archived")), *(_item(chat, is_streaming(chat.id)) for chat in chats)]


def _item(chat: ChatLine, streaming: bool) -> Item:
    return Item(
        chat.id,
        chat.title or _tr("New chat"),
        _below(chat, streaming),
        tag=_tag(chat, streaming),
        tone="info" if chat.is_kept else "warn",
        icon="shield" if chat.redacted else "pin" if chat.pinned else "",
        busy=_tr("Writing") if streaming else "",
    )


def _below(chat: ChatLine, streaming: bool) -> str:
    words = _tr("Writing…") if streaming else chat.snippet
    return f"{_tr('Redacted')} · {words}" if chat.redacted and words else words


def _tag(chat: ChatLine, streaming: bool) -> str:
    is_new = chat.unread and not streaming
    if not chat.is_kept:
        return _tr("New, not kept") if is_new else _tr("Not kept")
    if is_new:
        return _tr("New")
    return _tr("2 models") if chat.compared else ""


def _section(chat: ChatLine, today: float, week: float) -> str:
    if chat.pinned:
        return _tr("Pinned")
    if chat.updated_at >= today:
        return _tr("Today")
    return _tr("This week") if chat.updated_at >= week else _tr("Older")


def _tr(text: str) -> str:
    return QCoreApplication.translate("chatlist", text)
