"""A note on a page that scrolls comes to rest, whatever its words and its buttons have room for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QVBoxLayout, QWidget

from carrel.ui.widgets.notes import Note

WORDS = "The version was 7 and is now 8. The first step was intake_form and is now details."


def test_a_note_comes_to_rest_beside_a_scroll_bar(app: QApplication) -> None:
    note, below = Note("note"), QLabel()
    inside = QWidget()
    layout = QVBoxLayout(inside)
    layout.addWidget(note, 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(below)
    page = QScrollArea()
    page.setWidgetResizable(True)
    page.setWidget(inside)
    note.say(
        "warn",
        "The workflow has changed since this form was kept",
        WORDS,
        (("move", "Move to details"), ("keep", "Keep the form")),
    )
    page.show()
    for width in range(380, 620, 6):  # at some of these the bar comes with the one arrangement and goes with the other
        for height in range(100, 260, 8):
            page.resize(width, height)
            app.processEvents()
            assert inside.width() <= page.viewport().width(), "the note does not widen the page"
