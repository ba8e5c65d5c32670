"""The composer keeps what is typed apart: edits and drafts, pastes, messages that begin like a command."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QLabel

from carrel.model.draft import Attachment, Draft
from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.composer.field import LONG
from carrel.ui.widgets.composer.rows import Row

KEY = Qt.Key
FILE = Attachment(id="d", name="a.pdf")


def test_an_edit_holds_what_was_typed_before_and_sending_brings_it_back() -> None:
    typed = Draft(text="half a thought", attachments=(FILE,), think=True)
    edit = Draft(text="asked").as_edit("message", typed)
    assert (edit.edits, edit.aside, edit.text) == ("message", typed, "asked")
    assert Draft(text="another").as_edit("other", edit).aside == typed
    assert edit.next_turn() == typed
    assert edit.as_sent() == Draft(text="asked")
    assert Draft.model_validate_json(edit.model_dump_json(exclude_defaults=True)) == edit


def test_a_draft_that_comes_back_loses_nothing_of_either() -> None:
    typed, back = Draft(text="typed", quotes=("a",)), Draft(text="back", attachments=(FILE,))
    assert typed.with_returned(back) == Draft(text="back\n\ntyped", quotes=("a",), attachments=(FILE,))
    edit = Draft(text="edit").as_edit("message", typed)
    assert edit.with_returned(back) == edit.model_copy(update={"aside": typed.with_returned(back)})
    assert typed.with_returned(edit) == edit


def test_that_a_draft_is_an_edit_is_told_once(composer: Composer) -> None:
    spy = QSignalSpy(composer.edits_changed)
    edit = Draft(text="asked").as_edit("message", Draft(text="typed"))
    composer.show_draft(edit)
    composer.show_draft(edit.model_copy(update={"text": "asked otherwise"}))
    assert spy.count() == 1
    QTest.keyClick(composer.field, KEY.Key_Return)
    assert spy.count() == 2
    assert composer.draft() == Draft(text="typed")


def test_up_edits_nothing_while_a_file_or_a_quotation_waits_for_words(composer: Composer) -> None:
    spy = QSignalSpy(composer.up_pressed)
    for held in (Draft(attachments=(FILE,)), Draft(quotes=("passage",))):
        composer.show_draft(held)
        QTest.keyClick(composer.field, KEY.Key_Up)
        assert composer.draft() == held
    assert spy.count() == 0
    composer.show_draft(Draft())
    QTest.keyClick(composer.field, KEY.Key_Up)
    assert spy.count() == 1


def test_a_long_paste_is_told_as_it_stands_in_the_field_and_taken_out_whole(composer: Composer) -> None:
    told: list[str] = []
    composer.long_pasted.connect(told.append)
    QTest.keyClicks(composer.field, "Mind ")
    composer.field.insertPlainText("🙂 this: ")
    mime = QMimeData()
    mime.setText("The lamp\u00a0is green.\r\n" * (LONG // 10))
    composer.field.insertFromMimeData(mime)
    composer.field.insertPlainText("after")
    assert told
    assert told[0] in composer.field.toPlainText()
    assert composer.field.take_out(told[0])
    assert composer.field.toPlainText() == "Mind 🙂 this: after"
    assert not composer.field.take_out(told[0])


def test_the_field_wraps_and_has_no_bar_below(composer: Composer) -> None:
    composer.field.setPlainText("words that go on " * 200)
    assert not composer.field.horizontalScrollBar().isVisible()
    assert composer.field.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff


@pytest.mark.parametrize(("key", "chosen"), [(KEY.Key_Down, ["one"]), (KEY.Key_Up, ["two"])])
def test_a_list_that_points_nowhere_lets_enter_send_until_an_arrow_points(
    composer: Composer, key: Qt.Key, chosen: list[str]
) -> None:
    sent: list[Draft] = []
    told: list[str] = []
    composer.sent.connect(sent.append)
    composer.completions.chosen.connect(told.append)
    rows = [Row("one", "One"), Row("two", "Two")]
    QTest.keyClicks(composer.field, "see issue #5")
    composer.completions.say("", rows, points=False)
    QTest.keyClick(composer.field, KEY.Key_Return)
    assert ([d.text for d in sent], told) == (["see issue #5"], [])
    composer.completions.say("", rows, points=False)
    QTest.keyClick(composer.field, key)
    QTest.keyClick(composer.field, KEY.Key_Return)
    assert (len(sent), told) == (1, chosen)


def test_a_message_in_line_shows_what_goes_along(composer: Composer) -> None:
    composer.waiting.say([("a", "first", "lease.pdf, 1 quotation"), ("b", "second", "")], goes=True)
    beside = composer.waiting.findChild(QLabel, "chat.waiting.0.along")
    assert beside.isVisible()
    assert beside.text() == "lease.pdf, 1 quotation"
    assert composer.waiting.findChild(QLabel, "chat.waiting.1.along") is None
