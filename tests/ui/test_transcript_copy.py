"""What a selection in the transcript puts on the clipboard: Markdown of the words that are selected."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from carrel.ui.widgets.transcript import Clip, Entry, Stub, Transcript
from carrel.ui.widgets.transcript.message import BEGIN
from stage import application

TEXT = (
    "# The lease\n\nServe **written** notice, see [clause 17](https://example.org/17).\n\n"
    "- by *hand*\n- by `post`\n  1. recorded\n\n```python\nprint('``')\n```\n\n"
    "| Step | Date |\n|---|---|\n| Notice | 31 March |\n| Reply | 1 May |\n"
)


@pytest.fixture
def view() -> Transcript:
    made = Transcript("test.transcript", "Conversation")
    made.resize(900, 500)
    entries = {
        "u": Entry("u", "user", "How * is it?"),
        "r": Entry("r", "assistant", TEXT, thinking="I see.", thinking_title="Thought", thinking_open=True),
    }
    made.fill([Stub(e.id, e.role, len(e.text)) for e in entries.values()], entries.__getitem__)
    made.show()
    application().processEvents()
    return made


def select(view: Transcript, words: str) -> list[Clip]:
    """Select these words, which stand in one part of the reply, and copy them; a line break is one of the part's."""
    laid_out = view._rows.view(1)
    numbers = [BEGIN[0], *range(laid_out.end[0] + 1)]
    number = next(n for n in numbers if words in laid_out.part(n).document.toPlainText())
    start = laid_out.part(number).document.toPlainText().index(words)
    view._selection.begin((1, (number, start)))
    view._selection.cursor = (1, (number, start + len(words)))
    told: list[list[Clip]] = []
    view.copied.connect(told.append)
    view.copy_selection()
    view.copied.disconnect(told.append)
    [clips] = told
    assert QGuiApplication.clipboard().text() == clips[0].text
    return clips


@pytest.mark.parametrize(
    ("words", "copied"),
    [
        ("rve written no", "rve **written** no"),
        ("ritte", "**ritte**"),
        ("see clause 17.", "see [clause 17](https://example.org/17)."),
        ("by hand\nby post", "- by *hand*\n- by `post`"),
        ("post\nrecorded", "- `post`\n   1. recorded"),
        ("otice\n31 March\nReply", "| Notice | 31 March |\n|---|---|\n| Reply | 1 May |"),
        ("March", "March"),
    ],
)
def test_words_are_copied_in_their_marks(view: Transcript, words: str, copied: str) -> None:
    assert select(view, words) == [Clip(copied)]


def test_code_alone_is_copied_as_it_is_and_thinking_without_marks(view: Transcript) -> None:
    assert select(view, "print") == [Clip("print", "code")]
    assert select(view, "I see.") == [Clip("I see.", "plain")]


def test_whole_parts_are_copied_as_they_were_written(view: Transcript) -> None:
    view._selection.all()
    view.copy_selection()
    copied = QGuiApplication.clipboard().text()
    assert copied == f"How * is it?\n\nI see.\n\n{TEXT.strip()}"


def test_thinking_is_copied_alone_by_its_button_and_by_the_menu(view: Transcript) -> None:
    told: list[tuple[str, str]] = []
    view.acted.connect(lambda *what: told.append(what))
    button = next(b for b in view.viewport().findChildren(QToolButton) if b.accessibleName() == "Copy the thinking")
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    QTest.keyClick(button, Qt.Key.Key_Space)
    place = view.viewport().rect().center()
    QApplication.sendEvent(
        view.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.mapToGlobal(place))
    )
    [menu] = [m for m in view.findChildren(QMenu) if m.isVisible()]
    next(a for a in menu.actions() if a.text() == "Copy the thinking").trigger()
    menu.close()
    assert told == [("r", "thinking_copy")] * 2


def test_nothing_selected_leaves_the_clipboard_alone(view: Transcript) -> None:
    QGuiApplication.clipboard().setText("mine")
    view.copy_selection()
    assert QGuiApplication.clipboard().text() == "mine"
