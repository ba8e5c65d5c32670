"""Faults of requests: what may be repeated is, what may not is never, and the error says which it was."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from typing import Any

import pytest
import trustme

from carrel.api import Limits, Service, background, connect
from carrel.model import (
    Account,
    AgentRequest,
    BadAnswer,
    ChatRequest,
    LibraryQuery,
    RateLimited,
    SearchQuery,
    ServerFault,
    ServiceError,
    SignInNeeded,
    TimedOut,
    Unreachable,
    WorkflowQuery,
    WorkflowRunRequest,
)
from faulty import Faulty, Handler, Peer, faulty, faulty_thread

GROUP = "requests"
QUICK = Limits(connect=2, answer=0.5, backoff=0.01, refused_backoff=0.02, agent_grace=0.3)
RUN = WorkflowRunRequest(run_id="ours")
Verb = Callable[[Service], Awaitable[Any]]


async def send(service: Service) -> None:
    """A chat message, to its end."""
    async for _ in service.chat(ChatRequest(content="x")):
        pass


READS: dict[str, Verb] = {
    "models": lambda service: service.models(),
    "library": lambda service: service.library(LibraryQuery()),
    "search": lambda service: service.search(SearchQuery(keyword="x")),
    "workflows": lambda service: service.workflows(WorkflowQuery()),
}
ONCE: dict[str, Verb] = {
    "chat": send,
    "agent": lambda service: service.run_agent(AgentRequest(prompt="x", timeout_seconds=1)),
    "workflow": lambda service: service.queue_run("g", RUN),
}


def answers(*tries: tuple[int, Any] | tuple[int, Any, dict[str, str]]) -> Handler:
    """One answer after another, the last for ever."""
    left = list(tries)

    async def handler(peer: Peer) -> None:
        status, said, *headers = left.pop(0) if len(left) > 1 else left[0]
        await peer.json(said, status, headers=headers[0] if headers else None)

    return handler


async def attempt(handler: Handler, verb: Verb, limits: Limits = QUICK) -> tuple[Faulty, ServiceError | None]:
    """One call, and the error that it ended with."""
    async with faulty(handler) as server, connect(server.account(), limits=limits) as service:
        try:
            await asyncio.wait_for(verb(service), 30)
        except ServiceError as error:
            return server, error
    return server, None


BUSY = {"error": "rate_limit_exceeded", "message": "Slow down."}
GOOD = {"success": True, "data": [], "results": [], "items": []}


@pytest.mark.parametrize("verb", READS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "0"},
        {},
        {"Retry-After": "soon", "X-RateLimit-Reset": "tomorrow"},
        {"X-RateLimit-Reset": "99999999999", "X-RateLimit-Remaining": "-3", "X-RateLimit-Limit": "none"},
        {"X-RateLimit-Reset": "1", "Date": "not a date"},
    ],
    ids=["with headers", "without headers", "with words", "with impossible headers", "with a reset long ago"],
)
async def test_429_waits_and_goes_again(verb: str, headers: dict[str, str]) -> None:
    server, error = await attempt(answers((429, BUSY, headers), (429, BUSY, headers), (200, GOOD)), READS[verb])
    assert error is None
    assert len(server.seen) == 3


async def test_429_of_a_run_waits_too_since_nothing_was_done() -> None:
    server, error = await attempt(answers((429, BUSY), (200, {"data": {"run_id": "ours"}})), ONCE["workflow"])
    assert error is None
    assert [seen.json()["run_id"] for seen in server.seen] == ["ours", "ours"]


async def test_429_without_an_end_is_said() -> None:
    server, error = await attempt(answers((429, BUSY)), READS["models"])
    assert isinstance(error, RateLimited)
    assert (error.message, error.sent, len(server.seen)) == ("Slow down.", "no", 5)


async def test_429_that_asks_for_an_hour_is_said_at_once() -> None:
    server, error = await attempt(answers((429, BUSY, {"Retry-After": "3600"})), READS["models"])
    assert isinstance(error, RateLimited)
    assert (error.retry_after, len(server.seen)) == (3600, 1)


@pytest.mark.parametrize("clock", [-300, 300], ids=["behind", "ahead"])
async def test_clock_five_minutes_off(clock: int) -> None:
    now = time.time() + clock
    told = {"Date": formatdate(now, usegmt=True), "X-RateLimit-Reset": str(int(now)), "X-RateLimit-Remaining": "0"}
    began = time.monotonic()
    server, error = await attempt(answers((429, BUSY, told), (200, GOOD)), READS["library"])
    assert error is None
    assert time.monotonic() - began < 20
    assert len(server.seen) == 2


class Window:
    """A service's own fixed window, and what it refused."""

    def __init__(self, limit: int, seconds: float) -> None:
        self.limit, self.seconds = limit, seconds
        self.ends, self.used, self.refused = 0.0, 0, 0

    async def __call__(self, peer: Peer) -> None:
        now = time.time()
        if now >= self.ends:
            self.ends, self.used = now + self.seconds, 0
        self.used += 1
        self.refused += self.used > self.limit
        headers = {
            "Date": formatdate(now, usegmt=True),
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(0, self.limit - self.used)),
            "X-RateLimit-Reset": str(int(self.ends)),
        }
        await peer.json(BUSY if self.used > self.limit else GOOD, 429 if self.used > self.limit else 200, headers)


async def test_four_panes_at_once_over_the_limit() -> None:
    window = Window(20, 2.0)
    waits: list[float] = []

    async def pane(service: Service) -> None:
        with background():
            for _ in range(9):
                await service.library(LibraryQuery())

    async def person(service: Service) -> None:
        for _ in range(4):
            began = time.monotonic()
            await service.search(SearchQuery(keyword="x"))
            waits.append(time.monotonic() - began)
            await asyncio.sleep(0.1)

    async with faulty(window) as server, connect(server.account(), limits=QUICK) as service:
        await service.models()
        await asyncio.gather(*(pane(service) for _ in range(4)), person(service))
    assert window.refused == 0
    assert len(server.seen) == 1 + 4 * 9 + 4
    assert max(waits) < 1, "a person never waits for the window"


@pytest.mark.parametrize("verb", READS)
async def test_5xx_twice_then_fine_for_a_read(verb: str) -> None:
    server, error = await attempt(answers((500, {}), (503, {}), (200, GOOD)), READS[verb])
    assert error is None
    assert len(server.seen) == 3


async def test_5xx_three_times_for_a_read() -> None:
    server, error = await attempt(answers((502, {"error": "internal_error", "message": "Oh."})), READS["models"])
    assert isinstance(error, ServerFault)
    assert (error.message, len(server.seen)) == ("Oh.", 3)


@pytest.mark.parametrize("status", [408, 409, 500, 502, 503, 504])
@pytest.mark.parametrize("verb", ONCE)
async def test_5xx_for_what_must_not_go_twice(verb: str, status: int) -> None:
    server, error = await attempt(answers((status, {"message": "Oh."})), ONCE[verb])
    assert isinstance(error, ServiceError)
    assert len(server.seen) == 1
    assert error.sent in ({"no"} if status == 409 else {"yes", "perhaps"})


async def test_agent_408() -> None:
    server, error = await attempt(answers((408, {"message": "Time is up."})), ONCE["agent"])
    assert isinstance(error, TimedOut)
    assert (error.message, len(server.seen)) == ("Time is up.", 1)
    assert "1 seconds" in error.remedy


async def test_agent_that_runs_to_its_limit() -> None:
    async def silent(peer: Peer) -> None:
        await peer.body()
        await peer.gone()
        peer.close()

    began = time.monotonic()
    server, error = await attempt(silent, ONCE["agent"])
    assert isinstance(error, TimedOut)
    assert error.sent == "perhaps"
    assert len(server.seen) == 1
    assert time.monotonic() - began >= 1.2


async def test_an_answer_in_the_last_moment_of_an_agent_is_taken() -> None:
    async def slow(peer: Peer) -> None:
        await peer.body()
        await asyncio.sleep(1.0)
        await peer.json({"output": "Done.", "success": True})

    _, error = await attempt(slow, ONCE["agent"])
    assert error is None


@pytest.mark.parametrize("verb", ONCE)
async def test_reset_after_a_post(verb: str) -> None:
    async def handler(peer: Peer) -> None:
        await peer.body()
        peer.reset()

    server, error = await attempt(handler, ONCE[verb])
    assert isinstance(error, Unreachable)
    assert (error.sent, len(server.seen)) == ("perhaps", 1)
    assert "Look there first" in error.remedy


@pytest.mark.parametrize("verb", READS)
async def test_reset_of_a_read_is_tried_again(verb: str) -> None:
    left = [True, True]

    async def handler(peer: Peer) -> None:
        await peer.body()
        if left:
            left.pop()
            peer.reset()
        else:
            await peer.json(GOOD)

    server, error = await attempt(handler, READS[verb])
    assert error is None
    assert len(server.seen) == 3


async def test_403_in_the_middle_of_work() -> None:
    tries = answers((200, GOOD), (403, {"error": "invalid_credentials", "message": "Those keys are gone."}))
    async with faulty(tries) as server, connect(server.account()) as service:
        await service.library(LibraryQuery())
        with pytest.raises(SignInNeeded) as caught:
            await service.library(LibraryQuery())
    assert (caught.value.code, caught.value.message) == ("invalid_credentials", "Those keys are gone.")
    assert "Accounts" in caught.value.remedy
    assert len(server.seen) == 2


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


async def test_gzip_bomb() -> None:
    bomb = await asyncio.to_thread(gzip.compress, b" " * (200 << 20), 9)

    async def handler(peer: Peer) -> None:
        await peer.answer(bomb, headers={"Content-Encoding": "gzip"})

    with faulty_thread(handler) as server:
        async with connect(server.account()) as service:
            with pytest.raises(BadAnswer, match="32 MB"):
                await service.models()


async def test_an_honest_gzip_is_read() -> None:
    async def handler(peer: Peer) -> None:
        packed = gzip.compress(json.dumps({"data": [{"id": "m"}]}).encode())
        await peer.answer(packed, headers={"Content-Encoding": "gzip"})

    async with faulty(handler) as server, connect(server.account()) as service:
        assert [model.id for model in await service.models()] == ["m"]


async def test_an_endless_body() -> None:
    async def handler(peer: Peer) -> None:
        await peer.head(200, content_type="application/json")
        for _ in range(64):
            await peer.raw(b" " * (1 << 20))
        peer.close()

    with faulty_thread(handler) as server:
        async with connect(server.account()) as service:
            with pytest.raises(BadAnswer, match="32 MB"):
                await service.models()


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b'{"data": ' * 50_000,
        b'{"data": [',
        b"\xff\xfe\xfd",
        b'{"data": [{"id": ' + b"9" * 9000 + b"}]}",
    ],
    ids=["deep", "deep objects", "cut", "no text", "endless number"],
)
async def test_deep_or_broken_json(body: bytes) -> None:
    async def handler(peer: Peer) -> None:
        await peer.answer(body)

    server, error = await attempt(handler, READS["models"])
    assert isinstance(error, BadAnswer)
    assert len(server.seen) == 1


async def test_pages_that_lie() -> None:
    item = {"id": "a", "file_name": "a.txt", "page": "x"}
    lie = {
        "total_items": 10**15,
        "page": 7,
        "page_size": 0,
        "total_pages": 10**12,
        "items": [item] * 500,
        "providers": None,
    }
    async with faulty(answers((200, lie))) as server, connect(server.account()) as service:
        page = await service.library(LibraryQuery(page=2))
    assert (page.page, page.total_pages, len(page.items)) == (7, 10**12, 500)


@pytest.mark.parametrize(
    "lie", [{"items": {}}, {"items": [5]}, {"page": "many"}, {"total_items": 1.5}, {"providers": []}]
)
async def test_pages_of_another_shape(lie: dict[str, Any]) -> None:
    _, error = await attempt(answers((200, lie)), READS["library"])
    assert isinstance(error, BadAnswer)
    assert next(iter(lie)) in error.message


async def test_a_slow_answer_to_a_read_is_said() -> None:
    async def handler(peer: Peer) -> None:
        await peer.body()
        await peer.gone()
        peer.close()

    server, error = await attempt(handler, READS["models"])
    assert isinstance(error, TimedOut)
    assert len(server.seen) == 1


async def test_an_answer_by_the_drop_is_given_up() -> None:
    async def handler(peer: Peer) -> None:
        await peer.head(200, content_type="application/json")
        for _ in range(100):
            await peer.raw(b" ")
            await asyncio.sleep(0.1)
        peer.close()

    server, error = await attempt(handler, READS["models"])
    assert isinstance(error, TimedOut)
    assert len(server.seen) == 1


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
