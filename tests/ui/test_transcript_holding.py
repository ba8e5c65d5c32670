"""The transcript's place: whoever reads goes on reading the same words when the window or the text changes size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import Entry, Stub, Transcript
from stage import application

LONG = "\n\n".join(f"Clause {n} says what the tenant does about the roof, and by when. " * 6 for n in range(300))


@pytest.fixture
def view() -> Iterator[Transcript]:
    app = application()
    made = Transcript("test.transcript", "Conversation")
    made.resize(900, 500)
    made.show()
    entries = {str(n): Entry(str(n), "assistant", LONG, who="Reader") for n in range(3)}
    made.fill([Stub(e.id, e.role, len(e.text)) for e in entries.values()], entries.__getitem__)
    app.processEvents()
    yield made
    made.hide()
    made.deleteLater()
    app.processEvents()


def at_the_top(view: Transcript) -> str:
    """The 40 letters before the end of the first line that is in sight."""
    number, (part, position) = view._place_at(QPoint(view.width() - 40, 12))
    return view._rows.view(number).part(part).document.toPlainText()[max(0, position - 40) : position]


def paragraph(view: Transcript) -> tuple[int, int]:
    """The message and the part of it that stand at the top of the view."""
    number, (part, _) = view._place_at(QPoint(view.width() // 2, 12))
    return number, part


def resize(view: Transcript, width: int, height: int = 500) -> None:
    view.resize(width, height)
    application().processEvents()


def test_the_words_at_the_top_stay_there_through_many_widths(view: Transcript) -> None:
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    words, place = at_the_top(view), paragraph(view)
    for width in [*range(900, 400, -20), *range(400, 901, 20)]:
        resize(view, width)
        assert paragraph(view) == place
    assert at_the_top(view) == words


def test_they_stay_when_the_text_grows(view: Transcript) -> None:
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    words, place, base = at_the_top(view), paragraph(view), theme.base
    try:
        theme.choose("light", 4)
        assert theme.base == base + 4
        assert paragraph(view) == place
    finally:
        theme.choose("light", 0)
    assert at_the_top(view) == words


def test_the_end_stays_the_end(view: Transcript) -> None:
    for width in (600, 420, 900):
        resize(view, width)
        assert view.follows
        assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_a_place_that_was_found_stays_in_sight(view: Transcript) -> None:
    view.mark(["Clause 207 "])
    place, count = view.show_place("1", "text")
    assert (place, count) == (0, 6)

    def y() -> float:
        number, start = view._held.spot
        return view._top_of(1) + view._rows.view(1).box(number, start).top()

    for width, height in [(500, 500), (420, 300), (900, 500)]:
        resize(view, width, height)
        assert 0 <= y() < view.viewport().height()


def test_after_a_step_of_the_wheel_the_new_place_is_kept(view: Transcript) -> None:
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    resize(view, 500)
    bar.setValue(bar.value() + 4_000)
    place = paragraph(view)
    resize(view, 900)
    assert paragraph(view) == place
