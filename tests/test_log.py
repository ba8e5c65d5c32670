"""The log's filter: no secret passes, whatever order they were told in."""

from __future__ import annotations

from carrel.log import SecretFilter


def test_a_secret_that_begins_with_another_is_hidden_whole() -> None:
    for number in range(50):  # a set would have another order each time
        short, long = f"acme{number:04}", f"acme{number:04}-9f8e7d6c5b4a"
        for told in ([short, long], [long, short]):
            hidden = SecretFilter()
            for secret in told:
                hidden.hide([secret])
            assert hidden.scrub(f"GET with {long} failed") == "GET with •••• failed"


def test_what_is_too_short_is_not_hidden() -> None:
    hidden = SecretFilter()
    hidden.hide(["abc"])
    assert hidden.scrub("abc and more") == "abc and more"
