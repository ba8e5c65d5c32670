"""The redaction of a text: what was taken out looks so, and both texts scroll together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from carrel.model.redaction import Redaction
from carrel.ui.chat.redactionview import RedactionView
from carrel.ui.theme import theme
from stage import application

LINE = "😀 Write to {who} about the lease [1]."


@pytest.fixture
def shown(window: QWidget) -> Iterator[RedactionView]:
    texts = ["\n".join([LINE.format(who=who)] * 60) for who in ("Helen Marsh of Harbour Street", "[PERSON_NAME_1]")]
    window.show()
    made = RedactionView(window, Redaction("reply", *texts, count=1))
    made.open()
    application().processEvents()
    yield made
    theme.choose("light", 0)


def field(shown: RedactionView, key: str) -> QPlainTextEdit:
    return shown.findChild(QPlainTextEdit, f"chat.redaction.text_{key}")


def inked(side: QPlainTextEdit) -> list[str]:
    """The words of the first line that stand on the ground of what was taken out."""
    block, found, cursor = side.document().firstBlock(), [], QTextCursor(side.document())
    pieces = block.begin()
    while not pieces.atEnd():
        piece = pieces.fragment()
        look = piece.charFormat()
        if look.background().color() == theme.color("warn_soft") and look.foreground().color() == theme.color("warn"):
            cursor.setPosition(piece.position())
            cursor.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
            found.append(cursor.selectedText())
        pieces += 1
    return found


def test_tokens_look_as_in_the_transcript_in_each_theme(shown: RedactionView) -> None:
    for name in ("light", "dark"):
        theme.choose(name, 0)
        assert inked(field(shown, "redacted")) == ["[PERSON_NAME_1]"]
        assert inked(field(shown, "original")) == []


def test_both_texts_scroll_together(shown: RedactionView) -> None:
    left, right = (field(shown, key).verticalScrollBar() for key in ("redacted", "original"))
    assert min(left.maximum(), right.maximum()) > 0
    left.setValue(left.maximum())
    assert right.value() == right.maximum()
    right.setValue(0)
    assert left.value() == 0
