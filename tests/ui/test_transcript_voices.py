"""What a screen reader meets in the transcript: each message in sight, who said it, its words, and its buttons."""

from __future__ import annotations

import gc

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication

from carrel.ui.widgets.transcript import Entry, Stub, Transcript

NAME, WORDS = QAccessible.Text.Name, QAccessible.Text.Description


@pytest.fixture
def view(app: QApplication) -> Transcript:
    made = Transcript("test.transcript", "Conversation")
    made.resize(900, 500)
    made.show()
    app.processEvents()
    return made


def fill(view: Transcript, *entries: Entry) -> QAccessibleInterface:
    held = {e.id: e for e in entries}
    view.fill([Stub(e.id, e.role, len(e.text)) for e in entries], held.__getitem__)
    QApplication.processEvents()
    told = QAccessible.queryAccessibleInterface(view.viewport())
    assert told is not None
    return told


def items(told: QAccessibleInterface) -> list[QAccessibleInterface]:
    children = [told.child(n) for n in range(told.childCount())]
    return [child for child in children if child.role() == QAccessible.Role.ListItem]


def many(count: int) -> list[Entry]:
    return [Entry(str(n), "assistant", f"Message {n}. " + "words " * 60, who="Reader") for n in range(count)]


def test_each_message_in_sight_is_an_item_with_who_and_its_words(view: Transcript) -> None:
    asked = Entry("u", "user", "How?", attachments=("lease.pdf",), quoted="clause 4")
    answer = Entry(
        "r",
        "assistant",
        "By **hand**.\n\n- one",
        who="Reader",
        when="10:41",
        tag="Stopped",
        note="You stopped this.",
        thinking="Section 17 first.",
        thinking_title="Thought for 4 s",
        thinking_open=True,
        actions=(("copy", "Copy", "copy"),),
    )
    told = fill(view, asked, answer)
    assert told.role() == QAccessible.Role.List
    assert told.text(NAME) == "Conversation"
    first, second = items(told)
    assert (first.text(NAME), first.text(WORDS)) == ("You", "clause 4\nHow?\nlease.pdf")
    assert second.text(NAME) == "Reader, 10:41, Stopped"
    assert second.text(WORDS) == "Section 17 first.\n\nBy hand.\none\nYou stopped this."
    assert second.text(QAccessible.Text.Value) == second.text(WORDS)
    assert second.parent().object() is view.viewport()


def test_a_message_comes_before_its_buttons_and_both_are_found_by_their_place(view: Transcript) -> None:
    told = fill(view, *(Entry(str(n), "assistant", "Yes.", actions=(("copy", "Copy", "copy"),)) for n in range(2)))
    roles = [told.child(n).role() for n in range(told.childCount())]
    assert roles[0] == roles[2] == QAccessible.Role.ListItem
    assert roles[1] != QAccessible.Role.ListItem
    assert [told.indexOfChild(told.child(n)) for n in range(4)] == [0, 1, 2, 3]
    for child in items(told):
        place = child.rect()
        assert told.childAt(place.left() + 5, place.top() + 5).object() is child.object()
    bar = told.child(1).rect().center()
    assert told.childAt(bar.x(), bar.y()).role() != QAccessible.Role.ListItem
    assert told.childAt(-50, -50) is None
    assert told.child(99) is None


def test_a_message_that_grows_says_what_it_says_now(view: Transcript) -> None:
    [told] = items(fill(view, Entry("r", "assistant", "Half")))
    view.put(Entry("r", "assistant", "Half and half."))
    assert told.text(WORDS) == "Half and half."


def test_only_messages_in_sight_are_told_and_those_that_leave_are_dropped(view: Transcript) -> None:
    told = fill(view, *many(500))
    seen = [item.text(WORDS).split(".")[0] for item in items(told)]
    assert 0 < len(seen) < 12
    assert seen[-1] == "Message 499"
    view.show_entry("100")
    assert any(item.text(WORDS).startswith("Message 100.") for item in items(told))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(view.viewport()._voices) == len(items(told))


def test_a_reader_that_follows_a_long_scroll_finds_no_message_gone(view: Transcript) -> None:
    told = fill(view, *many(300))
    bar = view.verticalScrollBar()
    for number in range(300):
        bar.setValue(bar.maximum() * (number * 7 % 300) // 300)
        words = [item.text(WORDS) for item in items(told)]
        assert all(w.startswith("Message ") for w in words)
        if number % 50 == 0:
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            gc.collect()


def test_a_transcript_that_goes_takes_its_voices_with_it(app: QApplication) -> None:
    for _ in range(20):
        made = Transcript("test.transcript", "Conversation")
        made.resize(900, 900)
        made.show()
        told = fill(made, *many(3))
        assert len(items(told)) == 3
        del told
        made.hide()
        made.deleteLater()
        del made
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    assert not [w for w in app.topLevelWidgets() if isinstance(w, Transcript)]
