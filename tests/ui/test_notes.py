"""What speaks to the user shows data as it is, whatever stands in it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from carrel.model import InvalidRequest, NotFound, SignInNeeded
from carrel.ui.theme import theme
from carrel.ui.widgets.notes import EmptyState, Note, Toast, copy

HOSTILE = '<b>bold</b> <img src="file:///etc/passwd"> <a href="file:///">x</a>'


def shown(widget: QWidget) -> list[str]:
    return [w.text() for w in widget.findChildren(QLabel) if w.isVisibleTo(widget) and w.text()]


def all_plain(widget: QWidget) -> bool:
    return all(w.textFormat() == Qt.TextFormat.PlainText for w in widget.findChildren(QLabel) if w.text())


def test_a_note_shows_markup_as_text() -> None:
    note = Note("n")
    note.say("danger", HOSTILE, HOSTILE)
    assert shown(note) == [HOSTILE, HOSTILE]
    assert all_plain(note)


def test_a_toast_and_an_empty_state_do_too() -> None:
    window = QWidget()
    window.resize(800, 600)
    window.show()
    toast = Toast(window)
    toast.say(HOSTILE, "Undo")
    empty = EmptyState("e", "chat")
    empty.say(HOSTILE, HOSTILE)
    assert HOSTILE in shown(toast)
    assert shown(empty) == [HOSTILE, HOSTILE]
    assert all_plain(toast)
    assert all_plain(empty)


def test_an_error_is_its_title_its_message_and_what_can_be_done() -> None:
    note = Note("n")
    note.say_error(SignInNeeded("The service refused the key."))
    title, text = shown(note)
    assert title == "Not signed in"
    assert text == "The service refused the key. Check the client ID, API key and secret under Settings, Accounts."
    assert note.accessibleName() == f"{title}. {text}"


def test_an_error_does_not_say_the_same_thing_twice() -> None:
    note = Note("n")
    note.say_error(InvalidRequest())
    assert shown(note) == ["The request was refused"]


def test_its_actions_are_told_by_key_and_go_with_the_next_words() -> None:
    note, told = Note("n"), []
    note.acted.connect(told.append)
    note.say("warn", "Ended", actions=[("again", "Start it again"), ("log", "Show the log")])
    QTest.mouseClick(note.findChild(QPushButton, "n.again"), Qt.MouseButton.LeftButton)
    assert told == ["again"]
    note.say("info", "Started")
    QApplication.sendPostedEvents(None, 52)  # deferred deletes
    assert note.findChild(QPushButton, "n.again") is None


def test_it_is_dismissed_once_and_says_so() -> None:
    note, told = Note("n", closable=True), []
    note.closed.connect(lambda: told.append("closed"))
    note.say("info", "Hello")
    QTest.mouseClick(note.findChild(QWidget, "n.close"), Qt.MouseButton.LeftButton)
    assert told == ["closed"]
    assert note.isHidden()


def test_an_ampersand_in_a_word_to_press_is_shown() -> None:
    note = Note("n")
    note.say("info", "Files", actions=[("open", "Open R&D")])
    assert note.findChild(QPushButton, "n.open").text() == "Open R&&D"


def test_a_toast_goes_by_itself_and_its_action_is_told_once() -> None:
    window = QWidget()
    window.resize(800, 600)
    window.show()
    toast, told = Toast(window), []
    toast.acted.connect(lambda: told.append("undo"))
    toast.say("Deleted", "Undo")
    assert toast._timer.isActive()
    assert toast._timer.interval() == Toast.STAY
    action = toast.findChild(QPushButton, "toast.action")
    QTest.mouseClick(action, Qt.MouseButton.LeftButton)
    assert told == ["undo"]
    assert toast.isHidden()
    toast.say("Saved")
    assert not action.isVisibleTo(toast)
    toast._timer.timeout.emit()
    assert toast.isHidden()


def test_a_long_toast_stays_inside_the_window() -> None:
    window = QWidget()
    window.resize(400, 300)
    window.show()
    toast = Toast(window)
    toast.say("No program opens this: " + "/a/very/long/path" * 30)
    assert toast.x() >= 0
    assert toast.width() <= window.width()


def test_the_tone_colours_the_ground() -> None:
    for tone in ("danger", "warn", "info"):
        note = Note("n")
        note.resize(300, 80)
        note.say(tone, "Title")
        picture = note.grab().toImage()
        assert picture.pixelColor(150, 3).name() == theme.color(f"{tone}_soft").name()


def test_copy_puts_text_on_the_clipboard() -> None:
    copy(HOSTILE)
    assert QApplication.clipboard().text() == HOSTILE


def test_the_parts_of_an_error_are_sentences() -> None:
    note = Note("n")
    note.say_error(SignInNeeded("invalid API credentials", remedy="Check the secret."))
    assert shown(note) == ["Not signed in", "invalid API credentials. Check the secret."]
    note.say_error(NotFound("Not Found", remedy="Check the path."))
    assert shown(note) == ["Not found", "Check the path."]
