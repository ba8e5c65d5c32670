"""HTML is made apart, in bounded time: hostile texts come back as they are, and nothing active or remote passes."""

from __future__ import annotations

import asyncio

import pytest

from carrel.work.html.markup import html_of
from carrel.work.html.rendering import Rendering


async def test_texts_are_rendered_one_after_another_by_one_process() -> None:
    async with Rendering() as rendering:
        first = await rendering.html("Key points:\n- one")
        process = rendering._process
        second = await rendering.html("**two**")
        assert rendering._process is process
    assert first == "<p>Key points:</p>\n<ul><li>one</li>\n</ul>"
    assert second == "<p><strong>two</strong></p>"
    assert process.poll() is not None


async def test_a_text_that_takes_too_long_is_given_as_it_is_and_the_next_one_is_read() -> None:
    async with Rendering(limit=1.0) as rendering:
        await rendering.html("warm")
        hostile = "[" * 60_000
        assert await rendering.html(hostile) == f'<pre class="plain">{hostile}</pre>'
        assert await rendering.html("*after*") == "<p><em>after</em></p>"


async def test_a_process_that_dies_costs_one_text_its_look() -> None:
    async with Rendering() as rendering:
        await rendering.html("warm")
        rendering._process.kill()
        assert await rendering.html("a < b") == '<pre class="plain">a &lt; b</pre>'
        assert await rendering.html("a < b") == "<p>a &lt; b</p>"


async def test_a_cancelled_rendering_leaves_no_process() -> None:
    rendering = Rendering()
    await rendering.html("warm")
    process = rendering._process
    asking = asyncio.create_task(rendering.html("[" * 60_000))
    await asyncio.sleep(0.2)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert process.poll() is not None


async def test_a_rendering_that_is_cancelled_while_its_process_starts_leaves_none() -> None:
    rendering = Rendering()
    asking = asyncio.create_task(rendering.html("text"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert rendering._process is None


async def test_half_characters_do_no_harm() -> None:
    async with Rendering() as rendering:
        assert await rendering.html("a \ud83d b") == "<p>a ? b</p>"


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "<img onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,hello)",
        "[x](file:///etc/passwd)",
        "[x](vbscript:x)",
        "<javascript:alert(1)>",
        "![x](https://example.org/pixel.png)",
        "![x](file:///dev/zero)",
        "a\n\n<style>@import 'https://example.org/x.css'</style>",
        '[x](https://example.org "a\\" onclick=\\"x")',
        "```html\n<script>alert(1)</script>\n```",
        "`<b>`",
        "| <i>a</i> |\n|---|\n| <b>c</b> |",
    ],
)
def test_nothing_active_or_remote_comes_through(markdown: str) -> None:
    for colours in (False, True):
        html = html_of(markdown, colours=colours).lower()
        for bad in ("<script", "<img", "<style", "<b>", "<i>", 'href="javascript', 'href="data', 'href="file', " src="):
            assert bad not in html
        assert 'href="vbscript' not in html
        assert '" onclick="' not in html


def test_a_picture_is_told_with_its_address() -> None:
    html = html_of("See ![the plan](https://example.org/plan.png).")
    assert html == '<p>See <span class="picture">[the plan: https://example.org/plan.png]</span>.</p>'


def test_code_has_its_colours_with_it() -> None:
    html = html_of("```python\nreturn 'x' < 3\n```")
    assert html.startswith("<pre><code><span")
    assert "&lt;" in html
    assert "class=" not in html
    assert html_of("```nolanguage\na < b\n```") == '<pre><code class="language-nolanguage">a &lt; b\n</code></pre>'


def test_nesting_without_end_stops_somewhere() -> None:
    assert html_of(">" * 5000 + " deep").count("<blockquote>") < 50
