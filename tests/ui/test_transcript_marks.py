"""Marks of what only one of two messages says, and buttons that fit their message."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor

from carrel.model.differences import differences
from carrel.ui.widgets.transcript import Entry, Stub, Transcript
from stage import application

LEFT = "👩‍👩‍👧 All agree 😀 here. Only the left says *this* 😀.\n\n```python\nprint(1)\n```\n\nThe end."
RIGHT = "👩‍👩‍👧 All agree 😀 here.\n\n```python\nprint(1)\n```\n\nThe end."
ACTIONS = (("copy", "Copy", "copy"), ("quote", "Quote", "quote"), ("details", "Details", "clock"))


def transcript(text: str, width: int = 700) -> Transcript:
    application()
    made = Transcript("chat.transcript", "Conversation")
    made.resize(width, 400)
    entry = Entry("a", "assistant", text, actions=ACTIONS)
    made.fill([Stub("a", "assistant", len(text))], lambda _: entry)
    return made


def marked(shown: Transcript) -> list[str]:
    """The words that stand under a mark."""
    words = []
    for part in shown._rows.view(0).words():
        for start, stop in part.differing:
            cursor = QTextCursor(part.document)
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            words.append(cursor.selectedText())
    return words


def test_marks_stand_on_the_words_that_differ_beyond_the_first_plane_too() -> None:
    left, right = transcript(LEFT), transcript(RIGHT)
    found = differences(left.texts("a"), right.texts("a"))
    left.differ("a", found[0])
    right.differ("a", found[1])
    assert marked(left) == ["Only the left says this 😀."]
    assert marked(right) == []
    left.differ("a", ())
    assert marked(left) == []


def test_buttons_leave_their_words_away_where_there_is_no_room() -> None:
    wide, narrow = transcript(RIGHT), transcript(RIGHT, width=230)
    for shown, has_words in ((wide, True), (narrow, False)):
        shown.show()
        application().processEvents()
        bar = next(w for (_, slot), w in shown._controls._shown.items() if slot == "actions")
        assert bar.property("fits") == has_words
        shown.close()
