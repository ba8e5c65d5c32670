"""The left column of the search: options, or why there are none."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from carrel.ui.search.pane import SearchPane


def test_there_are_options_or_words_that_say_why_not() -> None:
    pane = SearchPane()
    pane.show()
    options, words = pane.findChild(QWidget, "search.options"), pane.findChild(QLabel, "search.no_options")
    assert (options.isVisible(), words.isVisible()) == (True, False)
    pane.show_options("Only the words.")
    assert (options.isVisible(), words.isVisible()) == (False, True)
