"""Links as they are reached now: those of the built-in service are led to its port of today, broken ones stay."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from carrel.work.addresses import present
from carrel.work.context import BUILT_IN


def led(link: str, account: str = BUILT_IN) -> str:
    context: Any = SimpleNamespace(
        account_id=account, service=SimpleNamespace(account=SimpleNamespace(base_url="http://127.0.0.1:2222"))
    )
    return present(link, context)


def test_a_link_of_an_earlier_start_is_led_to_this_one() -> None:
    assert led("http://127.0.0.1:1111/files/1?a=b") == "http://127.0.0.1:2222/files/1?a=b"
    assert led("/files/1") == "http://127.0.0.1:2222/files/1"
    assert led("http://127.0.0.1:1111/files/1", "another") == "http://127.0.0.1:1111/files/1"
    assert led("https://files.example/1") == "https://files.example/1"


@pytest.mark.parametrize("account", [BUILT_IN, "another"])
@pytest.mark.parametrize("link", ["http://[x/f", "https://h\u2100x/f"])
def test_a_broken_link_stays_as_it_is(account: str, link: str) -> None:
    assert led(link, account) == link
