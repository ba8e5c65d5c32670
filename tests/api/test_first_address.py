"""A name with several addresses: one that this machine cannot even try costs nothing."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from carrel.api import bare


async def test_a_kernel_without_ipv6_goes_on_to_the_next_address(monkeypatch: pytest.MonkeyPatch) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    real = socket.socket

    def without_ipv6(family: int = socket.AF_INET, *rest: Any, **named: Any) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(97, "Address family not supported by protocol")
        return real(family, *rest, **named)

    kind = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
    places = [(socket.AF_INET6, *kind, ("::1", port, 0, 0)), (socket.AF_INET, *kind, ("127.0.0.1", port))]
    monkeypatch.setattr(bare.socket, "socket", without_ipv6)
    connected = await bare._first(places, 5.0)
    monkeypatch.undo()
    assert connected.getpeername() == ("127.0.0.1", port)
    connected.close()
    server.close()
    await server.wait_closed()


async def test_where_none_can_be_tried_the_last_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any, **__: Any) -> socket.socket:
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(bare.socket, "socket", none)
    with pytest.raises(OSError, match="Address family"):
        await bare._first([(socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", 9, 0, 0))], 5.0)
