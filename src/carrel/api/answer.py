"""An answer whose head has come: its body as bytes, whole under a cap or piece by piece under a watch."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, TypeVar

import httpx
from pydantic import ValidationError

from carrel.api.bare import BareStream
from carrel.api.faults import page_words, seam
from carrel.api.payload import value_of
from carrel.api.pouring import Pour
from carrel.api.record import Record
from carrel.api.watch import Watch, every
from carrel.model import BadAnswer

T = TypeVar("T")

PIECE = 1 << 20

MOVED = frozenset({301, 302, 303, 307, 308})

LONG = 256 * 1024
"""Bytes of JSON that are read in a thread, since they would hold the loop for more than a few milliseconds."""


class Answer:
    """One answer of the service, of any status."""

    def __init__(self, response: httpx.Response, record: Record, watch: Watch, most: int) -> None:
        """Join a response to the call's record and clock; `most` is the cap of a whole body in bytes."""
        self._response, self._record, self._watch, self._most = response, record, watch, most
        self.received = 0

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self._response.status_code

    @property
    def ok(self) -> bool:
        """Whether the service did what was asked."""
        return 200 <= self.status < 300

    @property
    def moved(self) -> bool:
        """Whether it is a redirect."""
        return self.status in MOVED

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers; names in any case."""
        return self._response.headers

    @property
    def media_type(self) -> str:
        """The content type without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    async def _chunks(self) -> AsyncGenerator[bytes, None]:
        """The body's bytes as they come."""
        raw = self._response.aiter_raw()
        while True:
            with seam(self._record.progress):
                chunk = await self._watch.over(anext(raw, None))
            if chunk is None:
                return
            self._record.received += len(chunk)
            yield chunk

    @property
    def bare(self) -> bool:
        """Whether its socket can be handed over: nothing stands between it and the body."""
        return isinstance(self._response.extensions.get("network_stream"), BareStream)

    def handed_over(self, left: int) -> Pour:
        """What pours the `left` bytes of the body that are to come, once the first piece was taken in the usual way.

        The parser gives with that piece all that was read with the head, so the others are still in the socket.
        """
        stream = self._response.extensions["network_stream"]
        assert isinstance(stream, BareStream)
        return Pour(stream.socket, left)

    async def poured(self, pour: Pour, working: Awaitable[None], apart: float, arrived: Callable[[int], None]) -> None:
        """Wait for the thread that pours; `arrived` is told of bytes that came, once in `apart` seconds."""
        before = self.received

        def look() -> None:
            if count := before + pour.done - self.received:
                self.received += count
                self._record.received += count
                self._watch.beat()
                arrived(count)

        try:
            with every(apart, look), seam(self._record.progress):
                await self._watch.over(working)
        finally:
            pour.cut()

    async def unpacked(self, keep: bool = False) -> AsyncGenerator[bytes, None]:
        """The body without its content coding, in pieces of a megabyte at most; `received` counts it as it came.

        `keep` shows the beginning of it in the record.
        """
        unpack = unpacker(self.headers.get("content-encoding", ""))
        async with aclosing(self._chunks()) as chunks:
            async for chunk in chunks:
                self.received += len(chunk)
                pieces = unpack(chunk)
                while (piece := self._next(pieces)) is not None:
                    if keep:
                        self._record.keep(piece)
                    yield piece

    def _next(self, pieces: Iterator[bytes]) -> bytes | None:
        with seam(self._record.progress):
            return next(pieces, None)

    async def whole(self) -> bytes:
        """The whole body, unpacked; `BadAnswer` where it is larger than the cap."""
        body = bytearray()
        async with aclosing(self.unpacked(keep=True)) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) > self._most:
                    raise BadAnswer(f"The answer is larger than {self._most >> 20} MB.", status=self.status)
                if len(piece) == PIECE:
                    await asyncio.sleep(0)
        return bytes(body)


def unpacker(encoding: str) -> Callable[[bytes], Iterator[bytes]]:
    """From bytes of a content coding to bytes, a piece at a time: a megabyte of gzip can hold two gigabytes."""
    coding = encoding.strip().lower()
    if coding in {"", "identity"}:
        return lambda chunk: iter((chunk,))
    if coding in {"gzip", "x-gzip"}:
        return partial(_inflated, zlib.decompressobj(31))
    raise BadAnswer(f"The answer is packed as “{coding[:40]}”, which was not asked for.")


def _inflated(inflate: zlib._Decompress, chunk: bytes) -> Iterator[bytes]:
    piece = b" " * PIECE
    while chunk or len(piece) == PIECE:
        piece = inflate.decompress(chunk, PIECE)
        chunk = inflate.unconsumed_tail
        yield piece


async def understood(body: bytes, status: int, make: Callable[[Any], T]) -> T:
    """What `make` makes of a JSON body; `BadAnswer` where it is no JSON or not what the document promises."""
    if len(body) > LONG:
        return await asyncio.to_thread(_understood, body, status, make)
    return _understood(body, status, make)


def _understood(body: bytes, status: int, make: Callable[[Any], T]) -> T:
    try:
        return make(value_of(body))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
        raise BadAnswer(f"The answer's field “{where}” is not what the document promises.", status=status) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        words = page_words(body) or "The answer is not the JSON that the document promises."
        raise BadAnswer(words, status=status, details=type(error).__name__) from None
