"""What headers say of the budget, and how little of it is believed."""

import time
from email.utils import formatdate

import pytest

from carrel.api.ratelimit import Told, resets_after, retry_after


def _at(seconds: float) -> dict[str, str]:
    """Headers of a server whose clock is five minutes behind and whose window ends in so many seconds."""
    clock = time.time() - 300
    return {"date": formatdate(clock, usegmt=True), "x-ratelimit-reset": str(int(clock + seconds))}


def test_a_reset_is_measured_against_the_servers_own_clock() -> None:
    assert resets_after(_at(30)) == pytest.approx(30, abs=1.1)


def test_without_a_date_this_computers_clock_must_do() -> None:
    assert resets_after({"x-ratelimit-reset": str(int(time.time()) + 20)}) == pytest.approx(20, abs=1.1)


@pytest.mark.parametrize("reset", ["", "soon", "-5", "1e9", "99999999999999999999", "1700000000000", "٣"])
def test_a_reset_that_cannot_be_is_not_believed(reset: str) -> None:
    assert resets_after({"x-ratelimit-reset": reset}) is None


def test_a_reset_in_an_hour_is_not_believed() -> None:
    assert resets_after(_at(3600)) is None


@pytest.mark.parametrize(
    ("text", "seconds"), [("7", 7.0), ("0", 0.0), ("", None), ("-1", None), ("later", None), ("1.5", None)]
)
def test_retry_after_in_seconds(text: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": text}) == seconds


def test_retry_after_as_a_date() -> None:
    now = time.time()
    headers = {"date": formatdate(now, usegmt=True), "retry-after": formatdate(now + 12, usegmt=True)}
    assert retry_after(headers) == pytest.approx(12, abs=0.1)


@pytest.mark.parametrize("text", ["", "-1", "many", "1e3", "12.0"])
def test_counts_that_cannot_be_are_none(text: str) -> None:
    told = Told.of({"x-ratelimit-limit": text, "x-ratelimit-remaining": text})
    assert (told.limit, told.left) == (None, None)
