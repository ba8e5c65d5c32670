"""The gaps between a reply's events: however many there are, at most one bar a pixel is painted."""

from __future__ import annotations

from itertools import accumulate
from random import Random

from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from carrel.ui.chat.details import Gaps, bars
from carrel.ui.theme import theme


def test_of_thousands_the_highest_of_each_pixel_is_kept() -> None:
    dice = Random(7)
    gaps = [dice.choice((0.001, 0.002, 0.05)) for _ in range(20_000)]
    gaps[12_345] = 1.0
    times = [0.0, *accumulate(gaps)]
    shown = bars(times, 360)
    assert len(shown) <= 361
    assert max(share for _, _, share in shown) == 1.0
    x = 360 * times[12_345] / times[-1]
    assert any(abs(at - x) < 0.01 and share == 1.0 for at, _, share in shown)


def test_few_are_shown_each_in_its_place() -> None:
    assert bars([10.0, 11.0, 13.0, 14.0], 400) == [(0.0, 99.0, 0.5), (100.0, 199.0, 1.0), (300.0, 99.0, 0.5)]


def test_events_of_one_moment_are_one_bar() -> None:
    assert len(bars([5.0] * 100, 400)) == 1


def test_they_are_painted_anew_at_another_width(qtbot: QtBot) -> None:
    made = Gaps([0.0, 1.0, 4.0])
    qtbot.addWidget(made)
    for width in (200, 400):
        made.resize(width, 60)
        image = made.grab().toImage()
        assert QColor(image.pixel(width - 20, 5)) == theme.color("accent")
        assert QColor(image.pixel(width // 8, 5)) == theme.color("code")
