"""What an observer sees: every call once, as it ended, and never a secret."""

from pathlib import Path
from typing import Any

import pytest

from carrel.api import Limits, connect
from carrel.api.call import Call
from carrel.model import Budget, ChatRequest, Exchange, LibraryQuery, SearchQuery, ServerFault, StreamBroken
from faulty import Peer, faulty, routes

QUICK = Limits(backoff=0.01, refused_backoff=0.01)


async def test_a_call_is_told_with_its_sizes_times_and_budget() -> None:
    async def search(peer: Peer) -> None:
        await peer.json({"results": []}, headers={"X-RateLimit-Remaining": "41"})

    told: list[Exchange] = []
    async with faulty(search) as server, connect(server.account(), observer=told.append) as service:
        await service.search(SearchQuery(keyword="rent"))
    (exchange,) = told
    assert (exchange.method, exchange.path, exchange.status, exchange.left) == ("POST", "/external/search", 200, 41)
    assert (exchange.request, exchange.response) == ('{"keyword": "rent"}', '{"results": []}')
    assert (exchange.sent, exchange.received) == (19, 15)
    assert exchange.error == ""
    assert 0 < exchange.took < 60
    assert exchange.headers["X-API-Key"] == exchange.headers["X-Secret"] == "hidden"
    assert exchange.headers["X-Client-ID"] == f"•••• {server.account().client_id[-4:]}"


async def test_tries_of_one_call_are_one_exchange() -> None:
    statuses = iter([500, 502, 200])

    async def library(peer: Peer) -> None:
        await peer.json({}, next(statuses))

    told: list[Exchange] = []
    async with faulty(library) as server, connect(server.account(), observer=told.append, limits=QUICK) as service:
        await service.library(LibraryQuery(search="a b"))
    assert [exchange.statuses for exchange in told] == [(500, 502, 200)]
    assert told[0].path == "/external/libraries?search=a+b"


async def test_failed_and_cancelled_calls_are_told_too(tmp_path: Path) -> None:
    document = tmp_path / "a.txt"
    document.write_text("words")

    async def broken(peer: Peer) -> None:
        await peer.json({"message": "Oh no."}, 500)

    async def endless(peer: Peer) -> None:
        await peer.begin_stream()
        await peer.event("content", {"content": "x"})
        await peer.gone()
        peer.close()

    async def cut(peer: Peer) -> None:
        await peer.begin_stream()
        peer.close()

    told: list[Exchange] = []
    table = {
        "POST /external/conversations": endless,
        "POST /external/conversations/c": cut,
        "POST /external/upload": broken,
    }
    async with faulty(routes(table)) as server, connect(server.account(), observer=told.append) as service:
        with pytest.raises(ServerFault):
            await service.upload([document])
        stream = service.chat(ChatRequest(content="x"))
        await anext(stream)
        await stream.aclose()
        with pytest.raises(StreamBroken):
            async for _ in service.continue_chat("c", ChatRequest(content="x")):
                pass
    assert [exchange.error for exchange in told] == ["The service failed", "Stopped", "The reply was interrupted"]
    assert [exchange.stream for exchange in told] == [False, True, True]


async def test_no_secret_is_told_even_where_the_service_repeats_it() -> None:
    async def parrot(peer: Peer) -> None:
        await peer.json({"items": [], "headers": peer.seen.headers, "query": peer.seen.query})

    told: list[Exchange] = []
    async with faulty(parrot) as server, connect(server.account(), observer=told.append) as service:
        account = server.account()
        await service.library(LibraryQuery(search=account.api_key.get_secret_value()))
    assert server.seen[0].query["search"] == account.api_key.get_secret_value()
    for secret in account.secrets():
        assert secret not in repr(told)


async def test_long_bodies_are_cut() -> None:
    async def long(peer: Peer) -> None:
        await peer.json({"items": [], "more": "x" * 500_000})

    told: list[Exchange] = []
    async with faulty(long) as server, connect(server.account(), observer=told.append) as service:
        await service.search(SearchQuery(keyword="y" * 100_000))
    assert len(told[0].response) == len(told[0].request) == 64 * 1024
    assert told[0].received > 500_000


async def test_a_listeners_fault_is_not_the_calls(log_watch: Any) -> None:
    log_watch.expect("a listener of the service failed")

    async def library(peer: Peer) -> None:
        await peer.json({"items": []})

    def broken(_: Exchange | Budget) -> None:
        raise KeyError("a fault of the window")

    async with faulty(library) as server, connect(server.account(), observer=broken, budget=broken) as service:
        page = await service.library(LibraryQuery())
    assert page.items == ()


async def test_the_budget_is_told() -> None:
    async def library(peer: Peer) -> None:
        await peer.json({}, headers={"X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "12"})

    told: list[Budget] = []
    async with faulty(library) as server, connect(server.account(), budget=told.append) as service:
        await service.library(LibraryQuery())
        assert (service.budget.limit, service.budget.left) == (50, 12)
    assert (told[-1].limit, told[-1].left) == (50, 12)


async def test_a_body_is_built_once_for_all_tries_and_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    real = Call.content

    def content(call: Call) -> bytes:
        built.append(1)
        return real(call)

    statuses = iter([500, 200])

    async def search(peer: Peer) -> None:
        await peer.json({"results": []}, next(statuses))

    monkeypatch.setattr(Call, "content", content)
    told: list[Exchange] = []
    async with faulty(search) as server, connect(server.account(), observer=told.append, limits=QUICK) as service:
        await service.search(SearchQuery(keyword="Prüfung 👍"))
    assert told[0].statuses == (500, 200)
    assert told[0].request == '{"keyword": "Prüfung 👍"}'
    assert built == [1]
