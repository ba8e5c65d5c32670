"""Long code that streams keeps its colours, and is not coloured from its beginning at each frame."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import Entry, Transcript
from carrel.ui.widgets.transcript.document import SafeDocument, show_plain
from carrel.ui.widgets.transcript.highlight import MOST, highlight
from carrel.ui.widgets.transcript.parts import TextPart

FUNCTION = 'def function_{n}(argument):  # line {n}\n    """Said."""\n    return argument * {n}\n'


def colour(document: QTextDocument, position: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(position + 1)
    return cursor.charFormat().foreground().color().name()


def test_what_lies_beyond_the_limit_takes_no_colour_from_what_lies_before() -> None:
    code = "".join(FUNCTION.format(n=n) for n in range(400))
    assert len(code) > MOST
    part = TextPart("code", "python")
    part.show(code)
    assert colour(part.document, 0) == theme.color("info").name()
    assert colour(part.document, code.rindex("def ", 0, MOST - 200)) == theme.color("info").name()


def test_code_that_grows_has_the_colours_of_code_that_was_there_at_once() -> None:
    code = "".join(FUNCTION.format(n=n) for n in range(120))
    grown, whole = TextPart("code", "python"), TextPart("code", "python")
    whole.show(code)
    assert whole.document.toPlainText() == code
    for end in range(70, len(code) + 70, 70):
        grown.show(code[:end])
        assert grown.document is not None
    assert grown.document.toPlainText() == code
    wrong = [
        n for n in range(len(code) - 1) if code[n] > " " and colour(grown.document, n) != colour(whole.document, n)
    ]
    assert not wrong, [code[n - 20 : n + 20] for n in wrong[:3]]


def test_colours_stand_right_after_an_emoji() -> None:
    code = 'a = "😀"  # said\ndef b():\n    return 12\n'
    document = SafeDocument(12, mono=True)
    show_plain(document, code)
    highlight(document, code, "python")
    beyond = 1  # the emoji takes two of Qt's units
    assert colour(document, code.index("def") + beyond) == theme.color("info").name()
    assert colour(document, code.index("#") + beyond) == theme.color("muted").name()
    assert colour(document, code.index("12") + beyond) == theme.color("warn").name()


def test_a_long_block_keeps_its_colours_in_mid_stream() -> None:
    view = Transcript("t", "t")
    view.resize(900, 600)
    view.show()
    entry = Entry("r", "assistant", "", who="Bench")
    text = "```python\n" + "".join(FUNCTION.format(n=n) for n in range(400))
    for end in (10_000, 19_900, 21_000, len(text)):
        view.put(replace(entry, text=text[:end]))
        QApplication.processEvents()
        part = view._rows.view(0).words()[0]
        assert colour(part.document, 0) == theme.color("info").name(), end
