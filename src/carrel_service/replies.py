"""Streams one exchange: the models write side by side, all is kept as it comes, and events go out."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from .conversation_store import Conversations, Opened, now, source_field
from .redaction.conversation import Redaction
from .turn import Content, Generated, Model, ModelFailure, Piece, Source, Sources, Thinking, Turn

log = logging.getLogger(__name__)
_KEEP_EVERY = 0.25  # seconds between two writes of a reply that is still growing
_AHEAD = 64  # pieces that a model may be ahead of a slow reader of the stream

Event = tuple[str, dict[str, Any]]


@dataclass
class Part:
    """One model's reply as far as it has come."""

    message_id: str
    model: Model
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    sources: tuple[Source, ...] = ()
    files: list[dict[str, Any]] = field(default_factory=list)
    error_id: str | None = None
    ended: bool = False

    def take(self, piece: Piece) -> None:
        """Add what came."""
        match piece:
            case Content(text):
                self.text.append(text)
            case Thinking(text):
                self.thinking.append(text)
            case Sources(sources):
                self.sources = sources
            case Generated(file):
                self.files.append(file)

    @property
    def told(self) -> dict[str, Any]:
        """What `done` says of this reply."""
        return {
            "message_id": self.message_id,
            "model": self.model.id,
            "sources": [source_field(source) for source in self.sources],
            "generated_files": self.files,
        }


class Reply:
    """The exchange under way; `events` is read once, `close` ends what still works."""

    def __init__(
        self,
        store: Conversations,
        opened: Opened,
        models: Sequence[Model],
        *,
        think: bool,
        redaction: Redaction | None = None,
    ) -> None:
        self._store = store
        self._opened = opened
        self._think = think
        self._redaction = redaction
        self._parts = [Part(i, model) for i, model in zip(opened.message_ids, models, strict=True)]
        self._queue: asyncio.Queue[tuple[Part, Piece | None]] = asyncio.Queue(_AHEAD)
        self._tasks: list[asyncio.Task[None]] = []
        self._kept_at = time.monotonic()

    async def events(self, turn: Turn, *, new: bool) -> AsyncIterator[Event]:
        """Every event of the stream in its order; `new` adds `conversation_created`."""
        conversation_id = self._opened.conversation.id
        yield "stream_meta", {"run_id": uuid.uuid4().hex, "conversation_id": conversation_id}
        if new:
            yield "conversation_created", {"conversation_id": conversation_id}
        for part in self._parts:
            yield (
                "message_start",
                {"message_id": part.message_id, "user_message_id": self._opened.user_message_id}
                | ({"model": part.model.id} if self._side_by_side else {}),
            )
            self._tasks.append(asyncio.create_task(self._write(part, turn), name=f"reply {part.message_id}"))
        async for event in self._written():
            yield event
        yield self._end()

    async def close(self) -> None:
        """End the models' work and keep what was said so far."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for part in self._parts:
            self._close(part, "stopped")

    @property
    def _side_by_side(self) -> bool:
        return len(self._parts) > 1

    async def _write(self, part: Part, turn: Turn) -> None:
        try:
            pieces = part.model.answer(turn)
            async with aclosing(redacted(pieces, self._redaction) if self._redaction else pieces) as told:
                async for piece in told:
                    await self._queue.put((part, piece))
        except Exception as error:  # a seam: whatever a model fails at becomes an error of this stream
            part.error_id = uuid.uuid4().hex
            shown = None if isinstance(error, ModelFailure) else error
            log.error("Reply %s failed, error %s: %s", part.message_id, part.error_id, error, exc_info=shown)
        await self._queue.put((part, None))

    async def _written(self) -> AsyncIterator[Event]:
        while not all(part.ended for part in self._parts):
            part, piece = await self._queue.get()
            if piece is None:
                self._close(part, "failed" if part.error_id else "done")
                continue
            part.take(piece)
            await self._keep(part)
            if isinstance(piece, Content) or (isinstance(piece, Thinking) and self._think):
                yield self._event(part, piece)

    def _event(self, part: Part, piece: Content | Thinking) -> Event:
        payload = {"content": piece.text}
        if self._side_by_side:
            payload |= {"message_id": part.message_id, "model": part.model.id}
        return ("content" if isinstance(piece, Content) else "thinking"), payload

    def _end(self) -> Event:
        finished = [part for part in self._parts if part.error_id is None]
        if not finished:
            return "error", {"content": "stream_error", "error_id": self._parts[0].error_id}
        conversation = self._opened.conversation
        payload = {"conversation_id": conversation.id, **finished[0].told, "title": conversation.title}
        payload["created_at"] = now()
        if self._side_by_side:
            payload["messages"] = [part.told | {"error_id": part.error_id} for part in self._parts]
        return "done", payload

    async def _keep(self, part: Part) -> None:
        if time.monotonic() - self._kept_at > _KEEP_EVERY:
            text, thinking = "".join(part.text), "".join(part.thinking)
            await asyncio.to_thread(self._store.keep, part.message_id, text, thinking)
            self._kept_at = time.monotonic()

    def _close(self, part: Part, state: str) -> None:
        if not part.ended:
            part.ended = True
            self._store.close(part.message_id, "".join(part.text), "".join(part.thinking), state, part.sources)


@asynccontextmanager
async def under_way(
    store: Conversations,
    opened: Opened,
    models: Sequence[Model],
    *,
    think: bool,
    redaction: Redaction | None = None,
) -> AsyncIterator[Reply]:
    """A reply whose work ends with the block, however that ends."""
    reply = Reply(store, opened, models, think=think, redaction=redaction)
    try:
        yield reply
    finally:
        await reply.close()


async def redacted(pieces: AsyncGenerator[Piece, None], redaction: Redaction) -> AsyncGenerator[Piece, None]:
    """The pieces with their words redacted; thinking and answer are two texts."""
    thinking, content = redaction.stream(), redaction.stream()
    async with aclosing(pieces):
        async for piece in pieces:
            match piece:
                case Thinking(text):
                    told: Piece = Thinking(await asyncio.to_thread(thinking.feed, text))
                case Content(text):
                    told = Content(await asyncio.to_thread(content.feed, text))
                case _:
                    told = piece
            if not isinstance(told, Thinking | Content) or told.text:
                yield told
    if rest := await asyncio.to_thread(thinking.end):
        yield Thinking(rest)
    if rest := await asyncio.to_thread(content.end):
        yield Content(rest)
