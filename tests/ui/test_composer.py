"""The composer: when Enter sends, what the switches mean, what pasted files become."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from carrel.model.draft import Attachment, Draft
from carrel.model.models import Model
from carrel.ui.widgets.composer import Composer

ENTER = Qt.Key.Key_Return
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
KEYPAD = Qt.KeyboardModifier.KeypadModifier
PLAIN = Qt.KeyboardModifier.NoModifier


class Desk:
    """A composer, and what it said."""

    def __init__(self) -> None:
        self.composer = Composer()
        self.field = self.composer.field
        self.sent: list[Draft] = []
        self.edited: list[Draft] = []
        self.composer.sent.connect(self.sent.append)
        self.composer.edited.connect(self.edited.append)
        self.composer.resize(700, 200)
        self.composer.show()
        self.field.setFocus()

    def compose(self, text: str, commit: str = "") -> None:
        """What an input method does: show `text` as not yet settled, or settle `commit`."""
        event = QInputMethodEvent(text, [])
        if commit:
            event.setCommitString(commit)
        QApplication.sendEvent(self.field, event)


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.composer.close()


@pytest.mark.parametrize(
    ("send_with", "modifiers", "is_sent", "text"),
    [
        ("enter", PLAIN, True, ""),
        ("enter", KEYPAD, True, ""),
        ("enter", CONTROL, True, ""),
        ("enter", SHIFT, False, "Hello\n"),
        ("ctrl-enter", PLAIN, False, "Hello\n"),
        ("ctrl-enter", CONTROL, True, ""),
        ("ctrl-enter", CONTROL | KEYPAD, True, ""),
        ("ctrl-enter", SHIFT, False, "Hello\n"),
    ],
)
def test_enter_does_what_was_chosen(
    desk: Desk, send_with: str, modifiers: Qt.KeyboardModifier, is_sent: bool, text: str
) -> None:
    desk.field.send_with = send_with
    QTest.keyClicks(desk.field, "Hello")
    QTest.keyClick(desk.field, ENTER, modifiers)
    assert [d.text for d in desk.sent] == (["Hello"] if is_sent else [])
    assert desk.field.toPlainText() == text


@pytest.mark.parametrize("send_with", ["enter", "ctrl-enter"])
@pytest.mark.parametrize("modifiers", [PLAIN, CONTROL, KEYPAD])
def test_enter_never_sends_while_an_input_method_composes(
    desk: Desk, send_with: str, modifiers: Qt.KeyboardModifier
) -> None:
    desk.field.send_with = send_with
    QTest.keyClicks(desk.field, "Hello ")
    desk.compose("にほん")
    QTest.keyClick(desk.field, ENTER, modifiers)
    assert desk.sent == []
    desk.compose("", commit="日本")
    assert desk.field.toPlainText().replace("\n", "") == "Hello 日本"
    QTest.keyClick(desk.field, ENTER, CONTROL)
    assert [d.text.replace("\n", "") for d in desk.sent] == ["Hello 日本"]


def test_an_input_method_that_gives_up_lets_enter_send_again(desk: Desk) -> None:
    QTest.keyClicks(desk.field, "Hello")
    desk.compose("に")
    desk.compose("")
    QTest.keyClick(desk.field, ENTER)
    assert [d.text for d in desk.sent] == ["Hello"]


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_blanks_are_not_sent(desk: Desk, text: str) -> None:
    desk.field.setPlainText(text)
    assert not desk.composer.send.isEnabled()
    QTest.keyClick(desk.field, ENTER, CONTROL)
    assert desk.sent == []
    assert desk.field.toPlainText() == text


def test_pasted_files_are_told_and_not_written_into_the_text(desk: Desk, tmp_path: Path) -> None:
    told: list[list[Path]] = []
    desk.composer.files_pasted.connect(told.append)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "a b.pdf")), QUrl.fromLocalFile(str(tmp_path / "c.pdf"))])
    QApplication.clipboard().setMimeData(mime)
    desk.field.paste()
    assert told == [[tmp_path / "a b.pdf", tmp_path / "c.pdf"]]
    assert desk.field.toPlainText() == ""


def test_a_pasted_web_address_is_text(desk: Desk) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.com/a")])
    mime.setText("https://example.com/a")
    desk.field.insertFromMimeData(mime)
    assert desk.field.toPlainText() == "https://example.com/a"


def test_pasted_markup_is_text(desk: Desk) -> None:
    mime = QMimeData()
    mime.setHtml("<b>bold</b>")
    mime.setText("bold")
    desk.field.insertFromMimeData(mime)
    assert desk.field.toPlainText() == "bold"


def test_switches_say_what_was_set_and_nothing_else(desk: Desk) -> None:
    composer = desk.composer
    assert composer.draft() == Draft()
    assert composer.switches["web_search"].isChecked()  # the service has it on by itself
    composer.switches["web_search"].click()
    composer.switches["think"].click()
    assert composer.draft() == Draft(web_search=False, think=True)
    composer.switches["web_search"].click()
    composer.switches["think"].click()
    assert composer.draft() == Draft()


def test_a_switch_that_is_not_offered_says_nothing(desk: Desk) -> None:
    desk.composer.show_switches(["think"])
    desk.composer.show_draft(Draft(think=True, web_search=False, agentic_mode=True))
    assert desk.composer.draft() == Draft(think=True)
    assert not desk.composer.switches["web_search"].isVisibleTo(desk.composer)


WHOLE = Draft(
    text="Two\nlines",
    model="m-1",
    attachments=(Attachment(id="d", name="a.pdf"), Attachment(id="u", name="b.png", is_upload=True)),
    quotes=("a passage",),
    think=True,
    web_search=False,
    agent_id="agent-7",
)


def test_a_draft_that_is_shown_is_the_draft_that_is_held(desk: Desk) -> None:
    desk.composer.show_draft(WHOLE)
    assert desk.composer.draft() == WHOLE
    desk.composer.show_draft(Draft())
    assert desk.composer.draft() == Draft()
    assert desk.edited == []  # nobody typed


def test_sending_gives_the_whole_draft_and_keeps_the_switches(desk: Desk) -> None:
    desk.composer.show_draft(WHOLE)
    desk.composer.send.click()
    assert desk.sent == [WHOLE]
    assert desk.composer.draft() == WHOLE.next_turn()


def test_typing_is_told_after_a_pause(desk: Desk) -> None:
    spy = QSignalSpy(desk.composer.edited)
    QTest.keyClicks(desk.field, "Hel")
    assert desk.edited == []
    assert spy.wait(10_000)
    assert [d.text for d in desk.edited] == ["Hel"]


def test_attachments_stand_once_and_can_be_taken_away(desk: Desk) -> None:
    one, two = Attachment(id="1", name="one.pdf"), Attachment(id="2", name="two.pdf")
    desk.composer.attach([one, two])
    desk.composer.attach([one])
    assert desk.composer.draft().attachments == (one, two)
    desk.composer.findChild(type(desk.composer.clip), "chat.attachment.0").click()
    assert desk.composer.draft().attachments == (two,)


def test_the_field_grows_with_its_text_up_to_ten_lines(desk: Desk) -> None:
    heights = []
    for lines in (1, 2, 5, 10, 40):
        desk.field.setPlainText("\n".join("x" * lines))
        QApplication.processEvents()  # the layout says how high it becomes
        heights.append(desk.field.height())
    assert heights[0] == heights[1] < heights[2] < heights[3] == heights[4]


def test_up_in_an_empty_field_is_told(desk: Desk) -> None:
    spy = QSignalSpy(desk.composer.up_pressed)
    QTest.keyClick(desk.field, Qt.Key.Key_Up)
    assert spy.count() == 1
    QTest.keyClicks(desk.field, "Hello")
    QTest.keyClick(desk.field, Qt.Key.Key_Up)
    assert spy.count() == 1


def test_the_model_is_named_and_one_that_is_gone_by_its_id(desk: Desk) -> None:
    assert desk.composer.model.text() == "Service default"
    desk.composer.show_models([Model.model_validate({"id": "m-1", "name": "Small", "group_name": "House"})])
    desk.composer.show_draft(Draft(model="m-1"))
    assert desk.composer.model.text() == "Small"
    desk.composer.show_draft(Draft(model="m-9"))
    assert desk.composer.model.text() == "m-9"


def test_the_next_message_can_be_typed_at_once_after_a_press_on_send_or_stop(desk: Desk) -> None:
    window = QWidget()
    held = QVBoxLayout(window)
    held.addWidget(desk.composer)
    held.addWidget(QPushButton("What the focus would go on to"))
    window.show()
    desk.composer.sent.connect(lambda _: desk.composer.show_streaming(True))
    desk.composer.stopped.connect(lambda: desk.composer.show_streaming(False))
    QTest.keyClicks(desk.field, "Hello")
    for name in ("chat.send", "chat.stop"):
        button = desk.composer.findChild(QPushButton, name)
        button.setFocus()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert not button.isVisible()
        assert window.focusWidget() is desk.field, name
    assert [draft.text for draft in desk.sent] == ["Hello"]
    held.removeWidget(desk.composer)
    desk.composer.setParent(None)
    window.close()
