"""Finding: words in everything that was said, thought and given back, and words in one chat."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence

from carrel.model.finding import Found, Spot
from carrel.store.finding import FindStore
from carrel.store.memory import UNKEPT
from carrel.work.chat import Chats
from carrel.work.context import Context

_MARKS = re.compile(r"[*`~#>|]+|(?<!\w)_+|_+(?!\w)")
"""Marks of Markdown, which nobody types when looking for words."""


class Finding:
    """Searches what this computer keeps of one account; nothing is sent."""

    def __init__(self, context: Context, chats: Chats) -> None:
        """Search the context's store, and the chats that lie in memory only."""
        self._context, self._chats = context, chats

    async def everywhere(self, words: str) -> Found:
        """Chats, messages and runs with all of these words; nothing for fewer than two letters."""
        unkept = await self._store(UNKEPT).everywhere(words)
        kept = await self._store("").everywhere(words)
        return Found(unkept.chats + kept.chats, unkept.messages + kept.messages, kept.runs, unkept.counts + kept.counts)

    async def in_chat(self, chat_id: str, words: str) -> list[Spot]:
        """Where a chat, as it is shown, holds exactly these words, whatever their case; in order."""
        wanted = plain(words)
        if not wanted:
            return []
        shown = [told.id for told in self._chats.outline(chat_id)]
        texts = await self._store(chat_id).texts(chat_id)
        return await asyncio.to_thread(_spots, texts, wanted, shown)

    def _store(self, chat_id: str) -> FindStore:
        return FindStore(self._chats.at(chat_id), self._context.account_id)


def _spots(texts: Mapping[str, tuple[str, str]], wanted: str, shown: Sequence[str]) -> list[Spot]:
    spots = []
    for message_id in shown:
        text, thinking = texts.get(message_id, ("", ""))
        if count := plain(thinking).count(wanted):
            spots.append(Spot(message_id, "thinking", count))
        if count := plain(text).count(wanted):
            spots.append(Spot(message_id, "text", count))
    return spots


def plain(text: str) -> str:
    """A text as it is compared: without marks of Markdown, each gap one space, cases alike."""
    return " ".join(_MARKS.sub("", text).split()).casefold()


def words_of(query: str) -> list[str]:
    """What of a query is marked where it is found: its words, and phrases in quotes whole."""
    return [phrase or word for phrase, word in re.findall(r'"([^"]+)"|([^\s"]+)', query)]
