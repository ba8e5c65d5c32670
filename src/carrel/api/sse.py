"""A response's bytes to typed stream events (document: Events; lines and fields by the web's event stream format)."""

from __future__ import annotations

import codecs
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from httpx_sse._decoders import SSEDecoder  # its public `EventSource` reads lines by itself, and fails conformance

from carrel.api.payload import value_in
from carrel.model import Event, StreamBroken, event_of
from carrel.model.events import DOCUMENTED, PIECES


class Told(NamedTuple):
    """One event of the stream before its payload is read."""

    name: str
    data: str


class Lines:
    """Bytes to lines: UTF-8 with bad bytes replaced, one leading byte order mark dropped, ended by CR, LF or CRLF.

    A chunk may end anywhere, also between CR and LF or inside a character. Nothing else ends a line (not U+2028).
    """

    def __init__(self) -> None:
        """Nothing was read."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._tail: list[str] = []
        self._begun = False
        self._after_cr = False
        self.pending = 0
        """Characters of the line that has not ended."""

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that this chunk ends."""
        text = self._decoder.decode(chunk)
        if text and not self._begun:
            self._begun = True
            text = text.removeprefix("\ufeff")
        if text and self._after_cr:
            self._after_cr = False
            text = text.removeprefix("\n")
        if not text:
            return []
        if "\r" in text:
            self._after_cr = text.endswith("\r")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        *lines, tail = text.split("\n")
        if lines and self._tail:
            lines[0] = "".join(self._tail) + lines[0]
            self._tail.clear()
            self.pending = 0
        if tail:
            self._tail.append(tail)
            self.pending += len(tail)
        return lines


class Events:
    """Lines to events. An event without data is none (a keep-alive comment after an id, say)."""

    def __init__(self, most: int) -> None:
        """`most` is the largest event, in characters."""
        self._most = most
        self._lines = Lines()
        self._decoder = SSEDecoder()
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Told]:
        """The events that this chunk ends; `StreamBroken` after them where one is too large."""
        for line in self._lines.feed(chunk):
            if line.startswith("data"):  # of all other fields the decoder keeps one value at most
                self._size += len(line)
                self._bound(0)
            event = self._decoder.decode(line)
            if event is not None:
                self._size = 0
                if event.data:
                    yield Told(event.event, event.data)
        self._bound(self._lines.pending)

    def _bound(self, pending: int) -> None:
        if self._size + pending > self._most:
            raise StreamBroken(
                f"The service sent a piece of more than {self._most >> 20} MB; the reply ends before it."
            )


def typed(told: Told) -> Event:
    """The event's value, with the time; `StreamBroken` where a documented event's payload is no JSON object."""
    payload: Any
    try:
        payload = json.loads(told.data) if told.name in PIECES else value_in(told.data)
    except (ValueError, RecursionError):
        payload = told.data
    if isinstance(payload, Mapping):
        return event_of(told.name, payload, time.time())
    if told.name in DOCUMENTED:
        raise StreamBroken(f"The service sent a “{told.name}” event that cannot be read; the reply ends before it.")
    return event_of(told.name, {"data": payload}, time.time())
