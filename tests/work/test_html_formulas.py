"""Exports show formulas as a person reads them, and leave prices and code as they are."""

from __future__ import annotations

import pytest

from carrel.work.html.markup import html_of
from carrel.work.html.rendering import Rendering

TABLE = "| a |\n|---|\n| $x_1$ |"


@pytest.mark.parametrize(
    ("text", "there", "gone"),
    [
        (r"Maths: $x^2\,dx$.", "x²", "$"),
        ("$$\na_1 = b^2\n$$", "a₁ = b²", "$"),
        (r"# About \(\alpha\)", "<h1>About α</h1>", "alpha"),
        (r"*slope* $\beta_1 * \beta_2$ *and more*", "<em>and more</em>", "beta"),
        (TABLE, "<td>x₁</td>", "$"),
        ("From $5 to $10.", "From $5 to $10.", "<em>"),
        ("```\n$x^2$\n```", "$x^2$", "x²"),
        ("    $x^2$", "$x^2$", "x²"),
        ("~~~\n`\n~~~\n\n`$x^2$`", "<code>$x^2$</code>", "x²"),
    ],
)
def test_formulas_are_readable(text: str, there: str, gone: str) -> None:
    html = html_of(text, colours=False, formulas=True)
    assert there in html
    assert gone not in html


async def test_what_is_exported_has_them() -> None:
    async with Rendering() as rendering:
        assert await rendering.html(r"$x^2\,dx$") == html_of(r"$x^2\,dx$", formulas=True)
        assert "x²" in await rendering.html(r"$x^2\,dx$")
