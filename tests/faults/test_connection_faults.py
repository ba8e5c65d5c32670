"""Faults before and around a connection: names, proxies, certificates, redirects; nothing leaves for a wrong place."""

from __future__ import annotations

import asyncio
import socket
import ssl
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import trustme

from carrel.api import connect
from carrel.model import (
    Account,
    BadAnswer,
    Unreachable,
)
from fault_calls import GOOD, ONCE, QUICK, READS, Verb, answers, attempt
from faulty import Peer, faulty

GROUP = "requests"


def _account(url: str) -> Account:
    return Account(base_url=url, client_id="client", api_key=f"key of {url}", secret="secret")


async def _unreachable(url: str, verb: Verb, tls: ssl.SSLContext | None = None) -> Unreachable:
    async with connect(_account(url), limits=QUICK, tls=tls) as service:
        with pytest.raises(Unreachable) as caught:
            await verb(service)
    assert caught.value.sent == "no"
    assert caught.value.message
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize("verb", [READS["models"], ONCE["chat"], ONCE["workflow"]], ids=["read", "chat", "workflow"])
async def test_dns(monkeypatch: pytest.MonkeyPatch, verb: Verb) -> None:
    asked: list[str] = []

    def resolve(host: str, *_: Any, **__: Any) -> Any:
        asked.append(str(host))
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr("carrel.api.clients.getproxies", dict)
    error = await _unreachable("http://service.example", verb)
    assert "name" in error.message
    assert 2 <= len(asked) <= 6


@pytest.mark.parametrize("verb", [READS["models"], ONCE["chat"]], ids=["read", "chat"])
async def test_refused(verb: Verb) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        error = await _unreachable(f"http://127.0.0.1:{port}", verb)
    assert "Nothing answers" in error.message


async def test_proxy_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def handler(peer: Peer) -> None:
        assert peer.seen.method == "CONNECT"
        await peer.answer(b"no", 403)

    async with faulty(handler) as proxy:
        monkeypatch.setattr("carrel.api.clients.getproxies", lambda: {"https": proxy.url})
        monkeypatch.setattr("carrel.api.clients.proxy_bypass", lambda _host: False)
        error = await _unreachable("https://service.example", READS["models"])
    assert "proxy" in error.message
    assert proxy.seen
    assert all("x-api-key" not in seen.headers for seen in proxy.seen)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def _server_side(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


def _trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(context)
    return context


@pytest.mark.parametrize("fault", ["unknown authority", "wrong host", "expired"])
async def test_tls(authority: trustme.CA, fault: str) -> None:
    ended = datetime.now(UTC) - timedelta(days=1) if fault == "expired" else None
    issued = authority.issue_cert("other.example" if fault == "wrong host" else "127.0.0.1", not_after=ended)
    trust = None if fault == "unknown authority" else _trusting(authority)
    async with faulty(answers((200, GOOD)), tls=_server_side(issued)) as server:
        error = await _unreachable(server.url, READS["models"], trust)
        assert error.code == "certificate"
        assert server.seen == []


async def test_tls_that_is_sound(authority: trustme.CA) -> None:
    issued = authority.issue_cert("127.0.0.1")
    async with (
        faulty(answers((200, GOOD)), tls=_server_side(issued)) as server,
        connect(server.account(), tls=_trusting(authority)) as service,
    ):
        assert list(await service.models()) == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirect_to_another_origin(status: int) -> None:
    async with faulty(answers((200, GOOD))) as other:
        handler = answers((status, {}, {"Location": f"{other.url}/external/models"}))
        for verb in (*READS.values(), *ONCE.values()):
            server, error = await attempt(handler, verb)
            assert isinstance(error, BadAnswer)
            assert (error.status, len(server.seen)) == (status, 1)
        assert other.connections == 0


async def test_closing_the_account_ends_its_calls() -> None:
    async def handler(peer: Peer) -> None:
        await peer.body()
        await peer.gone()
        peer.close()

    async with faulty(handler) as server:
        async with connect(server.account()) as service:
            tasks = [asyncio.ensure_future(service.models()) for _ in range(3)]
            await asyncio.sleep(0.05)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        assert all(task.cancelled() for task in tasks)
