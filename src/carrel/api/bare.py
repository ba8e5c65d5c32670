"""A plain connection whose socket can be handed to a thread, so that a long body takes no turn of the loop.

httpcore and h11 copy each piece of a body about four times and need a turn of the loop for each, which on the Qt loop
holds a download to less than half of what the disk takes. They read the head here; the rest is `carrel.api.pouring`.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpcore
import httpx

SocketOptions = list[tuple[int, int, int]]


class BareTransport(httpx.AsyncBaseTransport):
    """One connection for one request to an http address, without a proxy.

    What goes wrong is raised as httpcore and the system raise it: `carrel.api.faults.seam` knows both.
    """

    def __init__(self, url: httpx.URL, options: SocketOptions) -> None:
        """Nothing is opened yet; `options` are set on the socket."""
        origin = httpcore.Origin(url.raw_scheme, url.raw_host, url.port or 80)
        self._connection = httpcore.AsyncHTTPConnection(origin, network_backend=_Network(), socket_options=options)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send it, and give the answer once its head has come."""
        assert isinstance(request.stream, httpx.AsyncByteStream)
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        response = await self._connection.handle_async_request(
            httpcore.Request(
                request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
            )
        )
        return httpx.Response(
            response.status, headers=response.headers, stream=_Body(response), extensions=response.extensions
        )

    async def aclose(self) -> None:
        """Close the connection."""
        await self._connection.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._response.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._response.aclose()


class _Network(httpcore.AsyncNetworkBackend):
    """What httpcore asks of a network, over asyncio's own calls for sockets. The signatures are httpcore's."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> BareStream:
        try:
            async with asyncio.timeout(timeout):
                places = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
                share = None if timeout is None else timeout / len(places)
                connected = await _first(places, share)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        for option in (*(socket_options or ()), (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)):
            connected.setsockopt(*option)
        return BareStream(connected)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def _first(places: Iterable[Any], share: float | None) -> socket.socket:
    """A socket to the first of a name's addresses that answers; each has `share` seconds."""
    failed: OSError = ConnectionRefusedError("The name has no address.")
    for family, kind, protocol, _, address in places:
        try:
            return await _connected(socket.socket(family, kind, protocol), address, share)
        except OSError as error:
            failed = error
    raise failed


async def _connected(connecting: socket.socket, address: Any, limit: float | None) -> socket.socket:
    connecting.setblocking(False)
    try:
        async with asyncio.timeout(limit):
            await asyncio.get_running_loop().sock_connect(connecting, address)
    except BaseException:
        connecting.close()
        raise
    return connecting


class BareStream(httpcore.AsyncNetworkStream):
    """One socket as httpcore uses it; it holds nothing back, so what was not read is still in the socket."""

    def __init__(self, connected: socket.socket) -> None:
        """Use a connected socket that does not block."""
        self.socket = connected

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """At most so many bytes, none at the end."""
        async with asyncio.timeout(timeout):
            return await asyncio.get_running_loop().sock_recv(self.socket, max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """All of it."""
        async with asyncio.timeout(timeout):
            await asyncio.get_running_loop().sock_sendall(self.socket, buffer)

    async def aclose(self) -> None:
        """Close the socket; a thread that waits for it wakes."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,  # noqa: ARG002
        server_hostname: str | None = None,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        """Refused: this is for http addresses."""
        raise httpcore.UnsupportedProtocol("A bare connection knows no TLS.")

    def get_extra_info(self, info: str) -> Any:
        """The socket; nothing else is known."""
        return self.socket if info == "socket" else None
