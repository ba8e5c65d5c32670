"""Clients: proxies, keep-alive, and nothing that follows redirects or writes addresses to a log."""

import logging
import socket

import httpx
import pytest

from carrel.api import Limits, connect
from carrel.api.clients import client_for, is_loopback, keepalive, proxy_for
from carrel.model import LibraryQuery, Unreachable
from faulty import Peer, faulty

PROXY = "http://proxy.example:3128"


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_the_environments_proxy_is_used_but_never_for_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", PROXY)
    monkeypatch.setenv("no_proxy", "internal.example,10.0.0.7")
    assert proxy_for("https://service.example/x") == PROXY
    assert proxy_for("http://service.example") is None
    for url in ("https://127.0.0.1:8000", "https://localhost", "https://[::1]:9", "https://a.localhost"):
        assert proxy_for(url) is None
    for url in ("https://internal.example", "https://10.0.0.7:8443"):
        assert proxy_for(url) is None


def test_a_proxy_for_all_without_a_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("all_proxy", "proxy.example:3128")
    assert proxy_for("http://service.example") == PROXY


async def test_a_proxy_of_another_kind_is_said() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("all_proxy", "socks5://proxy.example:1080")
        with pytest.raises(Unreachable, match="proxy"):
            proxy_for("http://service.example")


@pytest.mark.parametrize(
    ("host", "here"), [("127.8.8.8", True), ("localhost", True), ("localhost.example", False), ("10.0.0.1", False)]
)
def test_loopback(host: str, here: bool) -> None:
    assert is_loopback(host) is here


def test_a_vanished_peer_is_looked_for() -> None:
    with socket.socket() as sock:
        for option in keepalive(20, 10, 3):
            sock.setsockopt(*option)
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if hasattr(socket, "TCP_KEEPIDLE"):
            names = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            assert [sock.getsockopt(socket.IPPROTO_TCP, name) for name in names] == [20, 10, 3]


async def test_the_sockets_in_use_have_those_options() -> None:
    async def handler(peer: Peer) -> None:
        await peer.json({})

    async with (
        faulty(handler) as server,
        client_for(server.url, Limits(keepalive=(7, 5, 2)), None) as client,
        client.stream("GET", server.url) as answer,
    ):
        sock = answer.extensions["network_stream"].get_extra_info("socket")
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if hasattr(socket, "TCP_KEEPIDLE"):
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 7
        await answer.aread()


async def test_short_calls_share_a_connection() -> None:
    async def handler(peer: Peer) -> None:
        await peer.json({})

    async with faulty(handler) as server, connect(server.account()) as service:
        for _ in range(5):
            await service.library(LibraryQuery())
        assert server.connections == 1


def test_httpx_writes_no_addresses() -> None:
    assert httpx
    assert not logging.getLogger("httpx").isEnabledFor(logging.INFO)
    assert not logging.getLogger("httpcore").isEnabledFor(logging.DEBUG)


async def test_connecting_sends_nothing() -> None:
    async def handler(peer: Peer) -> None:
        await peer.json({})

    async with faulty(handler) as server:
        async with connect(server.account()) as service:
            assert service.account.base_url == server.url
        assert server.connections == 0
