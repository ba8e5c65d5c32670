"""A server that does exactly what a test says, also what no good server does: raw sockets, no HTTP library."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import ssl
import struct
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from carrel.model import Account

REASONS = {200: "OK", 206: "Partial Content", 302: "Found", 400: "Bad Request", 403: "Forbidden", 404: "Not Found"}


@dataclass
class Seen:
    """One request as it came; header names in lower case, `names` as they were written."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    names: tuple[str, ...]
    body: bytes = b""

    def json(self) -> Any:
        return json.loads(self.body)


Handler = Callable[["Peer"], Awaitable[None]]


class Peer:
    """One request's connection, with words for what may be done to it."""

    def __init__(self, seen: Seen, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.seen = seen
        self._reader = reader
        self._writer = writer
        self._read = False
        self.closed = False

    async def body(self) -> bytes:
        """The request's body, read to its end."""
        if not self._read:
            self._read = True
            self.seen.body = await self._whole()
        return self.seen.body

    async def some(self, count: int) -> bytes:
        """At most so many bytes of the body."""
        self._read = True
        return await self._reader.read(count)

    async def _whole(self) -> bytes:
        if self.seen.headers.get("transfer-encoding", "").lower() == "chunked":
            body = bytearray()
            while size := int(await self._reader.readline(), 16):
                body += await self._reader.readexactly(size)
                await self._reader.readline()
            await self._reader.readline()
            return bytes(body)
        return await self._reader.readexactly(int(self.seen.headers.get("content-length", "0")))

    async def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        self._writer.write(data)
        await self._writer.drain()

    async def head(self, status: int = 200, headers: Mapping[str, str] | None = None, **more: str) -> None:
        """The head of an answer; words of `more` become headers (`content_type` is `content-type`)."""
        named = dict(headers or {}) | {name.replace("_", "-"): value for name, value in more.items()}
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Some')}", *(f"{k}: {v}" for k, v in named.items())]
        await self.raw(("\r\n".join(lines) + "\r\n\r\n").encode())

    async def answer(
        self,
        body: bytes,
        status: int = 200,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A whole answer; the request's body is read first."""
        await self.body()
        length = {"content-type": content_type, "content-length": str(len(body))}
        await self.head(status, length | dict(headers or {}))
        await self.raw(body)

    async def json(self, value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """A whole JSON answer."""
        await self.answer(json.dumps(value).encode(), status, headers=headers)

    async def begin_stream(
        self, content_type: str = "text/event-stream", headers: Mapping[str, str] | None = None
    ) -> None:
        """The head of a stream that ends when the connection does."""
        await self.body()
        await self.head(200, {"content-type": content_type, "connection": "close"} | dict(headers or {}))

    async def event(self, name: str, payload: Any) -> None:
        """One stream event."""
        await self.raw(f"event: {name}\ndata: {json.dumps(payload)}\n\n".encode())

    async def reply(self, *words: str, conversation: str = "c1") -> None:
        """A whole, good stream."""
        await self.begin_stream()
        await self.event("stream_meta", {"run_id": "r1", "conversation_id": conversation})
        await self.event("conversation_created", {"conversation_id": conversation})
        await self.event("message_start", {"message_id": "m1", "user_message_id": "u1"})
        for word in words:
            await self.event("content", {"content": word})
        await self.event("done", {"conversation_id": conversation, "message_id": "m1"})
        self.close()

    async def gone(self) -> None:
        """Wait until the client has closed its side."""
        with suppress(ConnectionError):
            while await self._reader.read(65536):
                pass

    def close(self) -> None:
        """End the connection in order."""
        self.closed = True
        self._writer.close()

    def reset(self) -> None:
        """End it with a reset."""
        self.closed = True
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


@dataclass
class Faulty:
    """The server: where it is, what came, and how many connections are open."""

    handler: Handler
    scheme: str = "http"
    port: int = 0
    host: str = "127.0.0.1"
    seen: list[Seen] = field(default_factory=list)
    connections: int = 0
    open: int = 0
    failures: list[BaseException] = field(default_factory=list)
    mark: str = field(default_factory=lambda: secrets.token_hex(6))
    """Of the keys of an account here; a port may be another test's a moment later."""

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}"

    def account(self, **fields: Any) -> Account:
        """An account here, with keys of its own so that no other test shares its budget."""
        keys = {
            "client_id": f"client-{self.mark}-id",
            "api_key": f"key-{self.mark}-api",
            "secret": f"word-{self.mark}-secret",
        }
        return Account(**({"base_url": self.url} | keys | fields))

    def asked(self, path: str) -> list[Seen]:
        """The requests of a path."""
        return [seen for seen in self.seen if seen.path == path]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open += 1
        try:
            while (seen := await _request(reader)) is not None:
                self.seen.append(seen)
                peer = Peer(seen, reader, writer)
                await self.handler(peer)
                if peer.closed:
                    break
                await peer.body()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, TimeoutError):
            pass
        except Exception as error:  # noqa: BLE001 - told to the test at its end
            self.failures.append(error)
        finally:
            self.open -= 1
            writer.close()


async def _request(reader: asyncio.StreamReader) -> Seen | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    method, target, _ = first.split(" ", 2)
    pairs = [line.split(":", 1) for line in lines]
    parts = urlsplit(target)
    headers = {name.strip().lower(): value.strip() for name, value in pairs}
    names = tuple(name for name, _ in pairs)
    return Seen(method, unquote(parts.path), dict(parse_qsl(parts.query)), headers, names)


def routes(table: Mapping[str, Handler]) -> Handler:
    """A handler by `"METHOD /path"`, 404 for what is not in the table."""

    async def handler(peer: Peer) -> None:
        found = table.get(f"{peer.seen.method} {peer.seen.path}")
        if found is not None:
            await found(peer)
        else:
            await peer.json({"error": "not_found", "message": "No such thing."}, 404)

    return handler


@asynccontextmanager
async def faulty(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[Faulty]:
    """Serve on a free port of loopback; a handler's own failure fails the test at the end."""
    server = Faulty(handler, scheme="https" if tls else "http")
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(server._serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    listening = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if server.failures:
        raise server.failures[0]


@contextmanager
def faulty_thread(handler: Handler) -> Iterator[Faulty]:
    """The same in a thread with a loop of its own, for tests whose own loop is the window's."""
    ready: list[Faulty] = []
    ending: list[Callable[[], object]] = []
    started = threading.Event()

    async def serve() -> None:
        ended = asyncio.Event()
        ending.append(partial(asyncio.get_running_loop().call_soon_threadsafe, ended.set))
        async with faulty(handler) as server:
            ready.append(server)
            started.set()
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        yield ready[0]
    finally:
        ending[0]()
        thread.join(10)
