"""The transcript under the hands: wheel, bars, selecting by mouse, thinking that is folded and unfolded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from carrel.ui.widgets.transcript import Entry, Stub, Transcript
from carrel.ui.widgets.transcript.message import MessageView
from carrel.ui.widgets.transcript.parts import TextPart
from stage import application

WIDE = "```\n" + "x" * 400 + "\n```\n\n" + "Words and words. " * 400
THOUGHT = "\n".join(f"Line {n} of what is thought." for n in range(200))
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def view() -> Iterator[Transcript]:
    made = Transcript("test.transcript", "Conversation")
    made.resize(900, 500)
    made.show()
    made.activateWindow()
    application().processEvents()
    yield made
    made.hide()
    made.deleteLater()


def fill(view: Transcript, *entries: Entry) -> dict[str, Entry]:
    held = {entry.id: entry for entry in entries}
    view.fill([Stub(e.id, e.role, len(e.text)) for e in entries], lambda entry_id: held[entry_id])
    application().processEvents()
    return held


def to_top(view: Transcript) -> None:
    view.verticalScrollBar().setValue(0)


def code(view: Transcript) -> tuple[TextPart, QPointF]:
    """The first wide part in sight, and its corner in the view."""
    for number in view._visible():
        for _, place, part in view._rows.view(number)._between(-view._top_of(number), 500 - view._top_of(number)):
            if part.most_scrolled:
                return part, QPointF(place.x() + view._left, place.y() + view._top_of(number))
    raise AssertionError("no wide part is in sight")


def wheel(view: Transcript, x: int, y: int, at: QPointF, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    everywhere = view.viewport().mapToGlobal(at)
    turned = QWheelEvent(at, everywhere, QPoint(), QPoint(x, y), NONE, modifiers, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(view.viewport(), turned)


def mouse(view: Transcript, kind: QEvent.Type, at: QPointF, when: int, held: Qt.MouseButton = LEFT) -> None:
    button = NONE if kind == QEvent.Type.MouseMove else LEFT
    event = QMouseEvent(kind, at, view.viewport().mapToGlobal(at), button, held, PLAIN)
    event.setTimestamp(when)
    QApplication.sendEvent(view.viewport(), event)


PRESS, MOVE, RELEASE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove, QEvent.Type.MouseButtonRelease
TWICE = QEvent.Type.MouseButtonDblClick


def test_a_hand_that_is_not_quite_straight_on_the_touchpad_scrolls_all_the_same(view: Transcript) -> None:
    fill(view, Entry("r", "assistant", WIDE))
    to_top(view)
    part, corner = code(view)
    over = corner + QPointF(50, 20)
    wheel(view, 4, -60, over)
    assert view.verticalScrollBar().value() > 0
    assert part.scrolled == 0
    to_top(view)
    wheel(view, -60, 4, over)
    assert (view.verticalScrollBar().value(), part.scrolled) == (0, 30)
    wheel(view, 0, -60, over, SHIFT)
    assert (view.verticalScrollBar().value(), part.scrolled) == (0, 60)


def test_sideways_over_plain_words_stops_nothing(view: Transcript) -> None:
    fill(view, Entry("r", "assistant", WIDE))
    to_top(view)
    part, _ = code(view)
    below = QPointF(view._left + 20, 300)
    assert view._part_at(below.toPoint())[0] is not part
    wheel(view, 1, -120, below)
    assert view.verticalScrollBar().value() > 0


def test_the_bar_of_wide_code_is_pulled_and_pressed(view: Transcript) -> None:
    fill(view, Entry("r", "assistant", WIDE))
    to_top(view)
    part, corner = code(view)
    grip = corner + part.thumb().center()
    mouse(view, PRESS, grip, 1000)
    mouse(view, MOVE, grip + QPointF(30, 90), 1010)
    once = part.scrolled
    assert once > 30
    mouse(view, MOVE, grip + QPointF(5000, 0), 1020)
    assert part.scrolled == part.most_scrolled
    mouse(view, MOVE, grip + QPointF(30, 0), 1030)
    assert part.scrolled == pytest.approx(once), "it comes back with the hand"
    mouse(view, RELEASE, grip + QPointF(30, 0), 1040, NONE)
    mouse(view, MOVE, grip, 1050, NONE)
    assert part.scrolled == pytest.approx(once)
    assert view.selected_text() == ""
    mouse(view, PRESS, corner + QPointF(part.width - 20, part.height - 4), 9000)
    mouse(view, RELEASE, corner + QPointF(part.width - 20, part.height - 4), 9010, NONE)
    assert part.scrolled == part.most_scrolled


def test_arrows_scroll_the_wide_part_in_sight(view: Transcript) -> None:
    fill(view, Entry("r", "assistant", WIDE))
    to_top(view)
    part, _ = code(view)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert part.scrolled > 60
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Left)
    assert part.scrolled == 0


def test_three_clicks_select_the_paragraph_and_a_trembling_hand_keeps_it(view: Transcript) -> None:
    fill(view, Entry("r", "assistant", "One two three.\n\nFour five six."))
    at = QPointF(view._left + 20, view._top_of(0) + 36)
    mouse(view, PRESS, at, 1000)
    mouse(view, RELEASE, at, 1050, NONE)
    mouse(view, TWICE, at, 1100)
    assert view.selected_text() == "One"
    mouse(view, RELEASE, at, 1150, NONE)
    mouse(view, PRESS, at, 1200)
    mouse(view, MOVE, at + QPointF(2, 1), 1210)
    mouse(view, RELEASE, at, 1250, NONE)
    assert view.selected_text() == "One two three."
    mouse(view, PRESS, at, 9000)
    assert view.selected_text() == "", "a click long after is a first one"


def test_a_selection_held_below_the_edge_goes_on_scrolling(view: Transcript) -> None:
    fill(view, Entry("r", "assistant", "\n\n".join(f"Paragraph {n} of many." for n in range(100))))
    to_top(view)
    mouse(view, PRESS, QPointF(view._left + 5, 60), 1000)
    mouse(view, MOVE, QPointF(view._left + 200, 620), 1010)
    now = view.verticalScrollBar().value()
    for _ in range(500):
        if view.verticalScrollBar().value() > now + 400:
            break
        QTest.qWait(20)
    assert view.verticalScrollBar().value() > now + 400
    mouse(view, RELEASE, QPointF(view._left + 200, 620), 9000, NONE)
    assert not view._pulling.isActive()
    assert "Paragraph 20 of many." in view.selected_text()


def thinker(view: Transcript, *, is_open: bool = False, text: str = "The end.") -> Entry:
    """A reply with thinking longer than the view, which is folded as its title is pressed."""
    entry = Entry("r", "assistant", text, thinking=THOUGHT, thinking_title="Thought for 4 s", thinking_open=is_open)

    def turn(entry_id: str, key: str) -> None:
        shown = view.entry(entry_id)
        view.put(replace(shown, thinking_open=not shown.thinking_open))

    view.acted.connect(turn)
    return entry


def title(view: Transcript) -> QToolButton:
    return next(
        b for b in view.viewport().findChildren(QToolButton) if b.property("key") == "thinking" and b.isVisible()
    )


def test_thinking_at_the_end_unfolds_below_its_title(view: Transcript) -> None:
    fill(view, Entry("a", "assistant", "Before. " * 600), thinker(view))
    before = title(view).y()
    assert view.follows
    QTest.mouseClick(title(view), LEFT)
    assert title(view).y() == before
    assert not view.follows
    QTest.mouseClick(title(view), LEFT)
    assert view.follows, "it is at the end again"


def test_the_title_of_open_thinking_stays_in_sight_and_folds_it_there(view: Transcript) -> None:
    fill(view, thinker(view, is_open=True, text="The end. " * 900))
    view._follows = False
    view.verticalScrollBar().setValue(1500)
    assert title(view).y() == 0
    view.put(replace(view.entry("r"), thinking_title="Thinking… 12 s"))
    assert title(view).text() == "Thinking… 12 s"
    QTest.mouseClick(title(view), LEFT)
    assert 0 <= title(view).y() <= 1
    assert not view.follows
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    buttons = view.viewport().findChildren(QToolButton)
    assert not [b for b in buttons if b.property("key") == "thinking" and b.isVisible() and b.y() >= 0]


def test_whoever_reads_thinking_is_known(view: Transcript) -> None:
    fill(view, thinker(view, is_open=True, text="The end. " * 900))
    assert not view.is_thinking_read("r"), "the end is followed"
    view.verticalScrollBar().setValue(1500)
    assert view.is_thinking_read("r")
    assert not view.is_thinking_read("none")
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() - 300)
    assert not view.is_thinking_read("r"), "it is scrolled past"


def test_what_is_selected_stays_so_when_thinking_unfolds(view: Transcript) -> None:
    fill(view, thinker(view, text="one two"))
    view._selection.begin((0, (0, 0)))
    view._selection.cursor = (0, (0, 3))
    assert view.selected_text() == "one"
    QTest.mouseClick(title(view), LEFT)
    assert view.entry("r").thinking_open
    assert view.selected_text() == "one"
    view._select_all()
    assert view.selected_text().split() == [*THOUGHT.split(), "one", "two"]


def menu_of(view: Transcript, place: QPoint) -> QMenu:
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, place, view.mapToGlobal(place)))
    return next(menu for menu in view.findChildren(QMenu) if menu.isVisible())


def test_all_of_a_long_chat_is_copied_without_laying_it_out(view: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"**Message {n}** and words" for n in range(3000)]
    stubs = [Stub(str(n), ("user", "assistant")[n % 2], 30) for n in range(3000)]
    view.fill(stubs, lambda i: Entry(i, stubs[int(i)].role, texts[int(i)]))
    application().processEvents()
    laid_out: list[str] = []
    lay_out = MessageView.lay_out
    monkeypatch.setattr(
        MessageView, "lay_out", lambda made, width: (laid_out.append(made.entry.id), lay_out(made, width))[1]
    )
    view._select_all()
    menu = menu_of(view, QPoint(450, 250))
    copying = next(action for action in menu.actions() if action.text() == "Copy")
    assert copying.isEnabled()
    assert len(set(laid_out)) < 60
    copying.trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == "\n\n".join(texts)
    assert len(set(laid_out)) < 60


def test_past_some_length_only_the_words_are_copied(view: Transcript) -> None:
    told: list[object] = []
    view.copied.connect(told.append)
    fill(view, Entry("r", "assistant", "Short."))
    view._select_all()
    view.copy_selection()
    assert len(told) == 1
    fill(view, Entry("r", "assistant", "A paragraph of words.\n\n" * 20_000), Entry("s", "assistant", "End."))
    view._select_all()
    view.copy_selection()
    assert len(told) == 1
    assert QGuiApplication.clipboard().text().endswith("A paragraph of words.\n\n\n\nEnd.")


def test_what_is_said_of_a_failed_reply_is_copied_by_the_menu_and_by_its_button(view: Transcript) -> None:
    note = "The service stopped (stream_error · err_9f31c2)"
    actions = (("note_copy", "Copy the error", "copy"),)
    fill(view, Entry("r", "assistant", "", note=note, note_tone="danger", actions=actions))
    QGuiApplication.clipboard().setText("mine")
    menu = menu_of(view, QPoint(450, 60))
    next(action for action in menu.actions() if action.text() == "Copy the error").trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == note
    QGuiApplication.clipboard().setText("mine")
    button = next(b for b in view.viewport().findChildren(QToolButton) if b.property("key") == "note_copy")
    QTest.mouseClick(button, LEFT)
    assert QGuiApplication.clipboard().text() == note
