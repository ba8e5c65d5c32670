"""The verb: write chats to files, each whole or not at all, none over another."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from carrel.api import numbered, safe_name
from carrel.store.chats import Chat
from carrel.store.exports import read_messages
from carrel.store.whole import part_of, put_whole, write_whole
from carrel.work.chat import Chats
from carrel.work.context import Context
from carrel.work.export.page import page_of, pieces_of
from carrel.work.export.record import json_of, ndjson_of
from carrel.work.export.telling import ENDINGS, Options, Told
from carrel.work.export.texts import markdown_of
from carrel.work.models import Models

Printer = Callable[[str, AsyncIterator[str], Path], Awaitable[None]]
"""Makes a PDF at a path out of a title and pieces of HTML: the window's work, since it has the fonts."""

Told_of = Callable[[int, int], None]
"""Told how many chats are done, of how many."""


class Exports:
    """Writes chats of one account."""

    def __init__(self, context: Context, chats: Chats, models: Models) -> None:
        """Read through `chats`, name models by `models`."""
        self._context, self._chats, self._models = context, chats, models

    def name(self, chat_id: str, options: Options) -> str:
        """A file name for a chat, out of its title."""
        chat = self._chats.chat(chat_id)
        title = re.sub(r"[/\\:]+", "-", chat.title if chat else "")[:80].rstrip(" .…")
        return safe_name(title, "Chat") + ENDINGS[options.format]

    async def save_one(self, chat_id: str, options: Options, place: Path, print_to: Printer) -> list[Path]:
        """Write one chat to a place that a person chose (and said yes to, where a file is there); OSError."""
        chat = self._chats.chat(chat_id)
        return await self._write(chat, options, place, print_to) if chat else []

    async def save_many(
        self,
        chat_ids: Sequence[str],
        options: Options,
        folder: Path,
        print_to: Printer,
        told: Told_of = lambda *_: None,
    ) -> list[Path]:
        """Write each chat to a file of its own in a folder, under names that nothing there has; OSError."""
        written: list[Path] = []
        for number, chat_id in enumerate(chat_ids):
            told(number, len(chat_ids))
            place = await asyncio.to_thread(_free, folder / self.name(chat_id, options))
            written += await self.save_one(chat_id, options, place, print_to)
        return written

    async def _write(self, chat: Chat, options: Options, place: Path, print_to: Printer) -> list[Path]:
        held = await self._read(chat)
        if options.format == "pdf":
            await self._print(held, options, place, print_to)
        else:
            await asyncio.to_thread(write_whole, place, await _text(held, options))
        if options.format == "json" and options.events:
            return [place, await self._write_events(held, place)]
        return [place]

    async def _print(self, held: Told, options: Options, place: Path, print_to: Printer) -> None:
        part = part_of(place)
        try:
            await print_to(held.chat.title, pieces_of(held, options, folds=False), part)
            await asyncio.to_thread(put_whole, part, place)
        finally:
            await asyncio.to_thread(part.unlink, True)

    async def save_events(self, message_id: str, place: Path) -> None:
        """Write what the stream of a reply said to a file; OSError where that cannot be done: what was there stays."""
        lines = await asyncio.to_thread(ndjson_of, message_id, await self._chats.events(message_id))
        await asyncio.to_thread(write_whole, place, lines)

    async def _write_events(self, held: Told, place: Path) -> Path:
        """The raw events beside a JSON."""
        beside = await asyncio.to_thread(_free, place.with_suffix(".events.ndjson"))
        replies = [m.id for m in held.messages if m.role == "assistant"]
        lines = [await asyncio.to_thread(ndjson_of, reply, await self._chats.events(reply)) for reply in replies]
        await asyncio.to_thread(write_whole, beside, "".join(lines))
        return beside

    async def _read(self, chat: Chat) -> Told:
        messages = {m.id: m for m in await read_messages(self._chats.at(chat.id), chat.id)}
        outline = self._chats.outline(chat.id)
        for told in outline:
            if told.role == "assistant" and messages[told.id].reply.is_open and (now := self._chats.message(told.id)):
                messages[told.id] = replace(messages[told.id], reply=now.reply)
        pair = self._chats.compared(chat.id)
        alone = outline[:-1] if pair else outline
        shown = (*(messages[told.id] for told in alone), *pair)
        return Told(chat, shown, tuple(messages.values()), self._models.label)


async def _text(held: Told, options: Options) -> str:
    if options.format == "html":
        return await page_of(held, options)
    if options.format == "json":
        return await asyncio.to_thread(json_of, [held], options)
    return await asyncio.to_thread(markdown_of, held, options)


def _free(place: Path) -> Path:
    """The place itself, or with a number where something is there."""
    return next(free for free in numbered(place) if not (free.exists() or part_of(free).exists()))
