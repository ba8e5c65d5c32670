"""Faults of requests: what may be repeated is, what may not is never, and the error says which it was."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate

import pytest

from carrel.api import Service, background, connect
from carrel.model import (
    LibraryQuery,
    RateLimited,
    SearchQuery,
    ServerFault,
    ServiceError,
    SignInNeeded,
    TimedOut,
    Unreachable,
)
from fault_calls import BUSY, GOOD, ONCE, QUICK, READS, answers, attempt
from faulty import Peer, faulty

GROUP = "requests"


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
    assert time.monotonic() - began < 250, "it did not wait for the other clock"
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
