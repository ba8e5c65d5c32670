"""Finding: words in everything that was said, thought and given back, and words in one chat."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence

from carrel.model.finding import Found, Spot
from carrel.model.occurrences import Pattern, count, pattern, shown_markdown, shown_plain
from carrel.store.finding import FindStore
from carrel.store.memory import UNKEPT
from carrel.work.chat import Chats
from carrel.work.context import Context

_MARKS = re.compile(r"[*`~\\]+|(?<!\w)_+|_+(?!\w)")
"""Marks of Markdown that may stand within a word."""


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
        wanted = pattern([words])
        if wanted is None:
            return []
        texts = await self._store(chat_id).texts(chat_id)
        return await asyncio.to_thread(_spots, texts, words, wanted, self._shown(chat_id))

    def _shown(self, chat_id: str) -> list[tuple[str, str]]:
        """(id, role) of the messages that are shown: at the end maybe two replies that nobody has decided between."""
        shown: list[tuple[str, str]] = [(told.id, told.role) for told in self._chats.outline(chat_id)]
        pair: list[tuple[str, str]] = [(message.id, message.role) for message in self._chats.compared(chat_id)]
        return [*shown[:-1], *pair] if pair else shown

    def _store(self, chat_id: str) -> FindStore:
        return FindStore(self._chats.at(chat_id), self._context.account_id)


def _spots(
    texts: Mapping[str, tuple[str, str]], words: str, wanted: Pattern, shown: Sequence[tuple[str, str]]
) -> list[Spot]:
    may = _May(words)
    spots = []
    for message_id, role in shown:
        text, thinking = texts.get(message_id, ("", ""))
        if may.hold(thinking) and (found := count(shown_plain(thinking), wanted)):
            spots.append(Spot(message_id, "thinking", found))
        pieces = shown_markdown if role == "assistant" else shown_plain
        if may.hold(text) and (found := count(pieces(text), wanted)):
            spots.append(Spot(message_id, "text", found))
    return spots


class _May:
    """A quick look at a text, so that few have to be read as they are shown."""

    def __init__(self, words: str) -> None:
        self._words = words.casefold().split()

    def hold(self, text: str) -> bool:
        """False where the text cannot have the words."""
        folded = text.casefold()
        missing = [word for word in self._words if word not in folded]
        if not missing:
            return True
        bare = _MARKS.sub("", folded)
        return all(word in bare for word in missing)


def words_of(query: str) -> list[str]:
    """What of a query is marked where it is found: its words, and phrases in quotes whole."""
    return [phrase or word for phrase, word in re.findall(r'"([^"]+)"|([^\s"]+)', query)]
