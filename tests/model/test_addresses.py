"""Bare addresses: without what the sentence around them has after them."""

from __future__ import annotations

import pytest

from carrel.model.addresses import bare


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://example.org/terms. It says", ["https://example.org/terms"]),
        (
            "(https://example.org/a_(b)) and (http://localhost:80/x)",
            ["https://example.org/a_(b)", "http://localhost:80/x"],
        ),
        ("https://example.org/straße, www.example.org!", ["https://example.org/straße", "www.example.org"]),
        (
            "“https://example.org/?a=1&b=[2]”; [https://example.org/#x]",
            ["https://example.org/?a=1&b=[2]", "https://example.org/#x"],
        ),
        ("https://example.org/a.b...", ["https://example.org/a.b"]),
        ("xhttps://example.org, https://, www.x, ftp://example.org, a@www.example.org", []),
    ],
)
def test_an_address_ends_where_the_sentence_goes_on(text: str, found: list[str]) -> None:
    assert [text[start:stop] for start, stop in bare(text)] == found
