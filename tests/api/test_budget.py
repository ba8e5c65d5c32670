"""The budget's limiter by itself: places, order, windows, and what answers teach it."""

import asyncio
import time
from email.utils import formatdate

import pytest

from carrel.api import background
from carrel.api.budget import KEPT, Limiter, limiter_of
from carrel.model import Account, Budget


def _headers(left: int, limit: int = 100, ends_in: float = 60) -> dict[str, str]:
    now = time.time()
    return {
        "date": formatdate(now, usegmt=True),
        "x-ratelimit-limit": str(limit),
        "x-ratelimit-remaining": str(left),
        "x-ratelimit-reset": str(int(now + ends_in)),
    }


async def _taken(limiter: Limiter, seconds: float = 0.05) -> bool:
    try:
        await asyncio.wait_for(limiter.take(), seconds)
    except TimeoutError:
        return False
    return True


async def test_a_fresh_limiter_allows_what_the_document_says() -> None:
    limiter = Limiter()
    for _ in range(100):
        assert await _taken(limiter)
    assert not await _taken(limiter)
    assert limiter.now().left == 0


async def test_calls_in_flight_count_until_they_are_answered() -> None:
    limiter = Limiter()
    await limiter.take()
    await limiter.take()
    assert limiter.now().left == 98
    limiter.answered(_headers(40))
    assert limiter.now().left == 39
    limiter.answered(_headers(39))
    assert limiter.now() == Budget(100, 39, pytest.approx(60, abs=2), 0)


async def test_answers_out_of_order_do_not_raise_what_is_left() -> None:
    limiter = Limiter()
    for _ in range(2):
        await limiter.take()
    headers = [_headers(10), _headers(11)]
    for each in headers:
        limiter.answered(each)
    assert limiter.now().left == 10


async def test_background_work_leaves_places_for_a_person() -> None:
    limiter = Limiter()
    await limiter.take()
    limiter.answered(_headers(KEPT))
    with background():
        assert not await _taken(limiter)
    assert await _taken(limiter)


async def test_a_small_limit_still_lets_background_work_through() -> None:
    limiter = Limiter()
    await limiter.take()
    limiter.answered(_headers(4, limit=5))
    with background():
        assert await _taken(limiter)


async def test_a_person_goes_before_background_work_that_waits_longer() -> None:
    limiter = Limiter()
    limiter.refused(0.15)
    order: list[str] = []

    async def call(name: str, behind: bool) -> None:
        if behind:
            with background():
                await limiter.take()
        else:
            await limiter.take()
        order.append(name)

    calls = [asyncio.create_task(call(f"background {n}", True)) for n in range(3)]
    await asyncio.sleep(0.01)
    calls += [asyncio.create_task(call(f"person {n}", False)) for n in range(2)]
    await asyncio.sleep(0.01)
    assert limiter.now().waiting == 5
    await asyncio.wait_for(asyncio.gather(*calls), 5)
    assert order == ["person 0", "person 1", "background 0", "background 1", "background 2"]


async def test_a_refusal_holds_everything_back_until_its_end() -> None:
    limiter = Limiter()
    limiter.refused(0.2)
    began = time.monotonic()
    await asyncio.wait_for(limiter.take(), 5)
    assert time.monotonic() - began >= 0.19


async def test_a_cancelled_wait_gives_its_place_back() -> None:
    limiter = Limiter()
    limiter.refused(0.1)
    waiting = [asyncio.create_task(limiter.take()) for _ in range(5)]
    await asyncio.sleep(0.01)
    for task in waiting[:4]:
        task.cancel()
    await asyncio.wait_for(waiting[4], 5)
    await asyncio.gather(*waiting, return_exceptions=True)
    assert limiter.now() == Budget(100, 99, pytest.approx(60, abs=1), 0)


async def test_wrong_headers_teach_nothing() -> None:
    limiter = Limiter()
    await limiter.take()
    limiter.answered({"x-ratelimit-limit": "lots", "x-ratelimit-remaining": "-4", "x-ratelimit-reset": "soon"})
    assert limiter.now().left == 99


async def test_a_late_answer_of_the_window_before_teaches_nothing() -> None:
    limiter = Limiter()
    for _ in range(2):
        await limiter.take()
    limiter.answered(_headers(80, ends_in=50))
    limiter.answered(_headers(0, ends_in=10))
    assert limiter.now().left == 80


async def test_listeners_hear_each_change_until_they_leave() -> None:
    limiter = Limiter()
    heard: list[Budget] = []
    leave = limiter.listen(heard.append)
    await limiter.take()
    limiter.answered(_headers(55))
    assert [budget.left for budget in heard] == [99, 55]
    leave()
    await limiter.take()
    assert len(heard) == 2


def test_accounts_that_share_a_key_share_the_budget() -> None:
    def account(key: str, **more: str) -> Account:
        return Account(base_url="http://127.0.0.1:1", client_id="one", api_key=key, secret="s", **more)

    one = limiter_of(account("shared-key-of-this-test"))
    assert limiter_of(account("shared-key-of-this-test", tenant_id="other")) is one
    assert limiter_of(account("another-key-of-this-test")) is not one
