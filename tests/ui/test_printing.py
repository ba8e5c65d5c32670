"""Chats on paper: what a PDF shows, and what can be copied out of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from carrel.loop import Loop
from carrel.ui.chat.printing import print_pdf
from carrel.ui.theme import LIGHT
from carrel.work.html.markup import html_of
from sessions import until
from stage import application

LONG = "value = " + "one_long_word " * 30 + "end_of_line"
REPLY = f"```\n{LONG}\n```\n\nCall 030-1234567 at 14:30.\n\n- [x] signed\n- [ ] sent\n- whatever\n\n```\nlast_code\n```"
PIECES = (
    '<div class="message user"><p class="who"><b>Asker</b></p><div class="plain">def f():<br>    inside</div></div>',
    f'<div class="message assistant"><p class="who"><b>Answerer</b></p>{html_of(REPLY)}</div>',
    '<div class="message user"><p class="who"><b>Again</b></p><div class="plain">thanks</div></div>',
)


class Paper:
    """The first page of a PDF; places are in points, from the left and from the top."""

    def __init__(self, place: Path) -> None:
        self.page = pdfium.PdfDocument(place)[0]
        self.text = self.page.get_textpage()
        self.words = self.text.get_text_range()
        self.width, self.height = self.page.get_size()

    def place(self, words: str) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the first of these words."""
        index, count = self.text.search(words).get_next()
        boxes = [self.text.get_charbox(n) for n in range(index, index + count)]
        left, bottom = min(b[0] for b in boxes), min(b[1] for b in boxes)
        right, top = max(b[2] for b in boxes), max(b[3] for b in boxes)
        return left, self.height - top, right, self.height - bottom

    def ground(self, words: str) -> str:
        """The colour of a line, just after a word that ends it."""
        _, top, right, bottom = self.place(words)
        picture = self.page.render(scale=2).to_pil().convert("RGB")
        red, green, blue = picture.getpixel((round(right * 2) + 20, round(top + bottom)))
        return f"#{red:02X}{green:02X}{blue:02X}"


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Paper:
    place = tmp_path_factory.mktemp("paper") / "chat.pdf"

    async def pieces() -> AsyncIterator[str]:
        for piece in PIECES:
            yield piece

    app = application()
    with asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
        runner.run(print_pdf("Chat", pieces(), place))
    return Paper(place)


def test_a_long_line_of_code_stays_on_the_paper(paper: Paper) -> None:
    assert paper.place("end_of_line")[2] < paper.width - 20


def test_pasted_code_keeps_its_indentation(paper: Paper) -> None:
    assert paper.place("inside")[0] > paper.place("def f")[0] + 5


def test_numbers_with_hyphens_and_colons_can_be_copied(paper: Paper) -> None:
    assert "030-1234567" in paper.words
    assert "14:30" in paper.words


def test_the_ground_of_code_ends_with_it(paper: Paper) -> None:
    assert paper.ground("last_code") == LIGHT.code
    assert paper.ground("Again") == "#FFFFFF"
    assert paper.ground("thanks") == "#FFFFFF"


def test_a_speaker_stands_apart_from_the_message_above(paper: Paper) -> None:
    line = paper.place("inside")[1] - paper.place("def f")[1]
    assert paper.place("Answerer")[1] - paper.place("inside")[1] > line * 1.5
    assert paper.place("Again")[1] - paper.place("last_code")[1] > line * 1.5


def test_a_task_has_its_box_in_the_place_of_a_bullet(paper: Paper) -> None:
    assert "\u2611 signed" in paper.words
    assert "\u2610 sent" in paper.words
    assert paper.place("signed")[0] == pytest.approx(paper.place("whatever")[0], abs=3)
    assert paper.place("\u2611")[0] < paper.place("whatever")[0] - 5


def test_a_pdf_that_is_broken_off_stops_soon_and_nothing_waits_for_it(tmp_path: Path) -> None:
    async def many() -> AsyncIterator[str]:
        for _ in range(3000):
            yield PIECES[1]

    async def story() -> tuple[bool, int]:
        printing = asyncio.create_task(print_pdf("Long", many(), tmp_path / "long.pdf"))
        await until((tmp_path / "long.pdf").exists, "the thread has begun")
        printing.cancel()
        beats = 0
        while not printing.done():
            await asyncio.sleep(0)
            beats += 1
        return printing.cancelled(), beats

    with asyncio.Runner(loop_factory=lambda: Loop(application())) as runner:
        was_cancelled, beats = runner.run(story())
    assert was_cancelled
    assert beats > 1
