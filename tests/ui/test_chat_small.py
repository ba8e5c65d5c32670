"""Small things of the chat: plurals, rows that wait, what a note says aloud, prompts that are not lost."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from carrel.model.prompts import Prompt
from carrel.ui.chat.compareview import CompareView
from carrel.ui.chat.printing import STYLE, _append
from carrel.ui.theme import theme
from carrel.ui.widgets.composer.waiting import WaitingRows
from carrel.ui.widgets.notes import Note
from carrel.ui.widgets.promptbook import PromptBook
from carrel.ui.widgets.promptform import PromptForm
from carrel.ui.widgets.transcript import Entry, Transcript


def test_one_sentence_differs_and_two_differ() -> None:
    view = CompareView()
    said = []
    for count in (None, 0, 1, 2):
        view.say_count(count)
        said.append(view._count.text())
    assert said == ["", "No sentence differs", "1 sentence differs", "2 sentences differ"]


def test_a_narrow_comparison_cuts_no_button() -> None:
    view = CompareView()
    view.ask("Which of the two supplier quotes is the better one, and why?")
    view.say_count(12)
    view.show()
    for width in (900, 380):
        view.resize(width, 400)
        QApplication.processEvents()
        bar = view.earlier.parentWidget()
        assert view.earlier.width() >= view.earlier.sizeHint().width()
        assert view.differences.width() >= view.differences.sizeHint().width()
        assert bar.rect().contains(view.differences.geometry())
    view.show_earlier(False)
    assert not view.earlier.isVisible()


def test_what_waits_says_for_what(window: QWidget) -> None:
    rows = WaitingRows()
    window.layout().addWidget(rows)
    waiting = [("1", "one", "")]
    rows.say(waiting, goes=True)
    assert rows._words.text() == "Waits for the reply to end"
    rows.say(waiting, goes=False, undecided=True)
    assert rows._words.text() == "Waits until you keep one of the two replies"
    assert rows.go.isHidden()
    rows.say(waiting, goes=False)
    assert not rows.go.isHidden()


def test_the_mark_of_what_waits_follows_the_theme() -> None:
    rows = WaitingRows()
    rows.say([("1", "one", "a.pdf")], goes=True)

    def inks() -> set[str]:
        picture = next(mark.pixmap() for mark in rows.findChildren(QLabel) if not mark.pixmap().isNull()).toImage()
        spots = (picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height()))
        return {spot.name() for spot in spots if spot.alpha() > 150}

    before = inks()
    theme.choose("dark")
    assert inks() != before


def test_a_note_keeps_its_buttons_while_its_words_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("carrel.ui.widgets.notes.announce", lambda _, text: told.append(text))
    note, acted = Note("n"), []
    note.acted.connect(acted.append)
    note.say("info", "", "Exporting, 1 of 9…", (("cancel", "Cancel"),))
    made = note.findChild(QPushButton, "n.cancel")
    QTest.mousePress(made, Qt.MouseButton.LeftButton)
    note.say("info", "", "Exporting, 2 of 9…", (("cancel", "Cancel"),))
    QTest.mouseRelease(made, Qt.MouseButton.LeftButton)
    assert acted == ["cancel"]
    assert told == ["Exporting, 1 of 9…", "Exporting, 2 of 9…"]


def test_a_prompt_that_is_left_keeps_what_was_typed(window: QWidget) -> None:
    book = PromptBook(window)
    held = [Prompt(id="1", title="One", text="First"), Prompt(id="2", title="Two", text="Second")]
    book.show_prompts(held)
    book.open()
    book.list.chosen.emit("1")
    QTest.keyClicks(book.title, "!")
    book.list.chosen.emit("2")
    assert book.title.text() == "Two"
    assert [item.tag for item in book.list.items()] == ["Not saved", ""]
    book.list.chosen.emit("1")
    assert book.title.text() == "One!"
    book.add.click()
    QTest.keyClicks(book.title, "Third")
    book.list.chosen.emit("2")
    book.add.click()
    assert book.title.text() == "Third"
    book.list.chosen.emit("1")
    book.delete.click()
    assert not book._typed.get("1")


def test_the_form_says_which_prompt_it_fills_in(window: QWidget) -> None:
    form = PromptForm(window, Prompt(title="Write to a client", text="To {client}"))
    assert "Write to a client" in [label.text() for label in form.findChildren(QLabel)]
    assert form.findChild(QPushButton, "prompt.form.take").text() == "Insert"


def test_where_links_lead_takes_no_line_of_its_own() -> None:
    view = Transcript("t", "t")
    view.resize(800, 600)
    view.show()
    texts = {"a": "See [the lease][1].\n\nAnd more.", "b": "See [the lease][1].\n\n[1]: https://x.example\n\nAnd more."}
    for key, text in texts.items():
        view.put(Entry(key, "assistant", text))
    QApplication.processEvents()
    plain, defined = (view._rows.view(number).height for number in (0, 1))
    assert abs(defined - plain) < theme.px(10), "less than a line"


def test_on_paper_a_table_stands_apart_from_what_stands_above_it() -> None:
    document = QTextDocument()
    document.setDefaultStyleSheet(STYLE)
    _append(document, "<p>Above.</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table><p>Below.</p>", 10)
    document.setTextWidth(600)
    layout = document.documentLayout()
    table = layout.frameBoundingRect(document.rootFrame().childFrames()[0])
    above = layout.blockBoundingRect(document.begin())
    assert table.top() >= above.bottom() + 6
