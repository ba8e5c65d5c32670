"""What a message quotes can be read once it is sent: in plain words, on a few lines, as wide as the bubble may be."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import Entry, Transcript
from carrel.ui.widgets.transcript.quoting import MOST, Quote, plain

LONG = "# Renewal\n\nThe renewal must be served **in writing** before the term ends. " * 12


@pytest.mark.parametrize(
    ("markdown", "said"),
    [
        ("## Second chat\n\nThe *renewal* is `due`.", "Second chat The renewal is due."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a b --- --- 1 2"),
        ("See [the lease](https://x.example/a_b) and ![a plan](p.png).", "See the lease and a plan."),
        ("> quoted\n- item 2 * 3", "quoted - item 2 3"),
        ("snake_case stays, 3 < 4", "snake_case stays, 3 < 4"),
    ],
)
def test_the_marks_of_markdown_are_left_away(markdown: str, said: str) -> None:
    assert plain(markdown) == said


def test_it_has_a_few_lines_and_says_that_there_is_more() -> None:
    quote = Quote(LONG)
    tall = quote.lay_out(500)
    assert tall == MOST * theme.px(16) + theme.px(6)
    assert quote._lines[-1].endswith("…")
    assert quote._lines[0].startswith("“Renewal The renewal")
    assert Quote("").lay_out(500) == 0
    short = Quote("In writing 😀 please")
    short.lay_out(500)
    assert short._lines == ["“In writing 😀 please”"]


def test_a_short_message_has_a_bubble_as_wide_as_its_long_quotation() -> None:
    view = Transcript("t", "t")
    view.resize(900, 500)
    view.show()
    view.put(Entry("u", "user", "Why?", quoted=LONG))
    QApplication.processEvents()
    box = view._rows.view(0)._bubble.box
    assert box.width() == pytest.approx(theme.px(560), abs=2)
