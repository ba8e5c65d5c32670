"""Lists that complete a word in the composer: where they hang, what keys they take, what a click does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from carrel.model.draft import Draft
from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.composer.rows import Row

KEY = Qt.Key


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("#", ("#", "")),
        ("see #lea", ("#", "lea")),
        ("a\nb #x", ("#", "x")),
        ("C#", ("", "")),
        ("see # lea", ("", "")),
        ("/", ("/", "")),
        ("/sum up", ("/", "sum up")),
        ("one\n/two", ("/", "two")),
        ("and/or", ("", "")),
        (" /x", ("", "")),
    ],
)
def test_the_word_at_the_cursor_is_told(composer: Composer, text: str, word: tuple[str, str]) -> None:
    told = [("", "")]
    composer.field.word_typed.connect(lambda *w: told.append(w))
    composer.field.insertPlainText(text)
    assert told[-1] == word


def test_a_cursor_that_leaves_the_word_ends_it(composer: Composer) -> None:
    told: list[tuple[str, str]] = []
    composer.field.word_typed.connect(lambda *w: told.append(w))
    QTest.keyClicks(composer.field, "see #ab")
    QTest.keyClick(composer.field, KEY.Key_Home)
    assert told == [("#", ""), ("#", "a"), ("#", "ab"), ("", "")]


def offered(composer: Composer) -> list[str]:
    chosen: list[str] = []
    composer.completions.chosen.connect(chosen.append)
    composer.completions.say("", [Row("one", "One"), Row("", "Heading", is_heading=True), Row("two", "Two")])
    return chosen


def test_the_list_takes_arrows_and_enter_and_never_the_focus(composer: Composer) -> None:
    sent: list[Draft] = []
    composer.sent.connect(sent.append)
    QTest.keyClicks(composer.field, "see #")
    chosen = offered(composer)
    assert composer.completions.isVisible()
    assert composer.field.hasFocus()
    QTest.keyClick(composer.field, KEY.Key_Down)
    QTest.keyClick(composer.field, KEY.Key_Return)
    assert chosen == ["two"]
    assert sent == []
    assert not composer.completions.isVisible()
    composer.field.take_word()
    assert composer.field.toPlainText() == "see "


def test_escape_puts_the_list_away_and_enter_sends_again(composer: Composer) -> None:
    sent: list[Draft] = []
    composer.sent.connect(sent.append)
    QTest.keyClicks(composer.field, "see #x")
    chosen = offered(composer)
    QTest.keyClick(composer.field, KEY.Key_Escape)
    QTest.keyClick(composer.field, KEY.Key_Return)
    assert [d.text for d in sent] == ["see #x"]
    assert chosen == []


def test_the_list_leaves_the_keys_to_an_input_method(composer: Composer) -> None:
    chosen = offered(composer)
    QApplication.sendEvent(composer.field, QInputMethodEvent("に", []))
    QTest.keyClick(composer.field, KEY.Key_Return)
    assert chosen == []


def test_a_row_is_chosen_by_a_click(composer: Composer) -> None:
    chosen = offered(composer)
    rows = composer.completions.list
    place = rows.visualRect(rows.model().index(2, 0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == ["two"]


def test_the_list_hangs_over_the_composer_inside_the_window(composer: Composer, window: QWidget) -> None:
    offered(composer)
    box = composer.completions.geometry()
    assert composer.completions.parent() is window
    assert box.bottom() < composer.mapTo(window, QPoint(0, 0)).y()
    assert box.top() >= 0
