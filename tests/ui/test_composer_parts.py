"""The composer's parts: models, options, what waits, what is pasted, and the names of all of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QPushButton, QToolButton, QWidget

from carrel.model.chat import Preferences
from carrel.model.draft import Attachment, Draft
from carrel.model.models import Model
from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.composer.field import LONG

KEY = Qt.Key


def models(count: int, groups: int = 2) -> list[Model]:
    names = (("id", f"m-{n}") for n in range(count))
    return [
        Model(id=i, name=f"Model {n}", image="logo.svg", group_name=f"Group {n % groups}", is_available=n != 1)
        for n, (_, i) in enumerate(names)
    ]


# Models


def test_models_stand_by_group_with_a_letter_after_the_default(composer: Composer) -> None:
    composer.show_models(models(4))
    composer.model.click()
    rows = composer.models.list.rows()
    assert [r.words for r in rows] == [
        "Service default", "Group 0", "Model 0", "Model 2", "Group 1", "Model 1", "Model 3",
    ]  # fmt: skip
    assert rows[0].is_chosen
    assert rows[2].letter == "M"
    assert (rows[5].beside, rows[5].can_choose) == ("Not available", False)
    assert not composer.models.words.isVisible()
    QTest.keyClick(composer.models.list, KEY.Key_Down)
    QTest.keyClick(composer.models.list, KEY.Key_Return)
    assert composer.draft().model == "m-0"
    assert composer.model.text() == "Model 0"
    assert not composer.models.isVisible()


def test_a_model_that_is_not_available_is_not_taken(composer: Composer) -> None:
    composer.show_models(models(4))
    composer.model.click()
    rows = composer.models.list
    number = [r.words for r in rows.rows()].index("Model 1")
    QTest.mouseClick(
        rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(number, 0)).center()
    )
    assert composer.draft().model is None
    assert composer.models.isVisible()


def test_many_models_are_filtered_by_typing(composer: Composer) -> None:
    composer.show_models(models(30))
    composer.model.click()
    words = composer.models.words
    assert words.isVisible()
    QTest.keyClicks(words, "model 22")
    assert [r.key for r in composer.models.list.rows() if r.key] == ["m-22"]
    QTest.keyClick(words, KEY.Key_Return)
    assert composer.draft().model == "m-22"


# Options


def test_options_are_told_and_a_style_fills_them(composer: Composer) -> None:
    styles = {"Letter": Preferences(language="German", tones="formal")}
    saved: list[tuple[str, Preferences]] = []
    options = composer.options
    options.style_saved.connect(lambda name, said: saved.append((name, said)))
    composer.show_styles(styles)
    composer.tools.options.click()
    QTest.keyClicks(options.fields["language"], "French")
    QTest.keyClicks(options.agent, "agent-7")
    assert composer.draft().preferences == Preferences(language="French")
    assert composer.draft().agent_id == "agent-7"
    QTest.keyClicks(options.name, "Lettre")
    options.save.click()
    assert saved == [("Lettre", Preferences(language="French"))]
    options.style.setCurrentIndex(options.style.findData("Letter"))
    assert composer.draft().preferences == styles["Letter"]
    assert options.delete.isEnabled()
    options.style.setCurrentIndex(0)
    assert composer.draft().preferences is None
    assert composer.draft().agent_id == "agent-7"
    assert not options.delete.isEnabled()


def test_escape_closes_the_options_and_nothing_else(composer: Composer) -> None:
    composer.tools.options.click()
    QTest.keyClick(composer.options.fields["tones"], KEY.Key_Escape)
    assert not composer.options.isVisible()
    assert composer.isVisible()


def test_not_keeping_a_chat_can_be_said_only_before_its_first_message(composer: Composer) -> None:
    told: list[bool] = []
    composer.options.kept_changed.connect(told.append)
    composer.show_chat(continuing=False, kept=True)
    composer.options.unkept.click()
    assert told == [False]
    composer.show_chat(continuing=True, kept=False)
    assert composer.options.unkept.isChecked()
    assert not composer.options.unkept.isEnabled()
    assert "ignore" in composer.switches["think"].toolTip()


def test_a_lock_checks_redaction_and_nobody_can_switch_it_off(composer: Composer) -> None:
    composer.lock_redaction(True)
    made = composer.switches["redact_pii"]
    assert made.isChecked()
    assert not made.isEnabled()
    assert "always redacts" in made.toolTip()
    composer.show_draft(Draft(text="x"))
    assert composer.draft().redact_pii is True
    composer.lock_redaction(False)
    assert made.isEnabled()
    assert not made.isChecked()


def test_a_narrow_composer_shows_switches_without_their_words(composer: Composer, window: QWidget) -> None:
    composer.show_switches(("think", "web_search", "agentic_mode", "redact_pii"))
    icons, words = Qt.ToolButtonStyle.ToolButtonIconOnly, Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    QApplication.processEvents()
    assert composer.switches["think"].toolButtonStyle() == words
    window.resize(430, 500)
    QApplication.processEvents()
    assert composer.switches["think"].toolButtonStyle() == icons
    assert composer.send.geometry().right() <= composer.tools.width()


# What goes along


def test_each_quote_is_a_chip_of_its_own_and_all_are_sent(composer: Composer) -> None:
    composer.field.setPlainText("So?")
    for passage in ("one", "two", "  ", "two", "three"):
        composer.quote(passage)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    chips = [c for c in composer.findChildren(QToolButton) if c.objectName().startswith("chat.quote.")]
    assert [c.accessibleName() for c in chips] == ["Remove “one”", "Remove “two”", "Remove “three”"]
    assert composer.draft().request().quoted_text == "one\n\ntwo\n\nthree"
    composer.findChild(QToolButton, "chat.quote.1").click()
    assert composer.draft().quotes == ("one", "three")
    for _ in range(2):
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        composer.findChild(QToolButton, "chat.quote.0").click()
    assert composer.draft().request().quoted_text is None


def test_progress_of_an_upload_is_a_chip_that_stops_it(composer: Composer) -> None:
    stopped: list[None] = []
    composer.held.upload_stopped.connect(lambda: stopped.append(None))
    composer.held.show_uploading("Uploading a.pdf 40 %")
    made = composer.findChild(QToolButton, "chat.uploading")
    assert "40 %" in made.text()
    made.click()
    assert len(stopped) == 1
    composer.held.show_uploading("")
    assert not composer.held.isVisible()


def test_what_waits_can_be_edited_removed_and_sent(composer: Composer) -> None:
    told: list[str] = []
    rows = composer.waiting
    rows.edit_asked.connect(lambda i: told.append(f"edit {i}"))
    rows.remove_asked.connect(lambda i: told.append(f"remove {i}"))
    rows.go_asked.connect(lambda: told.append("go"))
    rows.say([("a", "first\nlines", ""), ("b", "second", "")], goes=True)
    assert rows.isVisible()
    assert not rows.go.isVisible()
    rows.findChild(QToolButton, "chat.waiting.0.edit").click()
    rows.findChild(QToolButton, "chat.waiting.1.remove").click()
    rows.say([("a", "first", ""), ("b", "second", "")], goes=False)
    rows.go.click()
    assert told == ["edit a", "remove b", "go"]
    rows.say([], goes=False)
    assert not rows.isVisible()


def test_while_a_reply_streams_a_message_can_be_put_in_line(composer: Composer) -> None:
    sent: list[Draft] = []
    composer.sent.connect(sent.append)
    composer.show_streaming(True)
    assert not composer.tools.queue.isVisible()
    QTest.keyClicks(composer.field, "next")
    composer.tools.queue.click()
    assert [d.text for d in sent] == ["next"]
    assert composer.stop.isVisible()


def test_a_long_paste_is_told_and_stays_in_the_text(composer: Composer) -> None:
    told: list[str] = []
    composer.long_pasted.connect(told.append)
    for length in (LONG, LONG + 1):
        mime = QMimeData()
        mime.setText("x" * length)
        composer.field.insertFromMimeData(mime)
    assert [len(t) for t in told] == [LONG + 1]
    assert len(composer.field.toPlainText()) == 2 * LONG + 1
    composer.field.setPlainText("before " + told[0] + " after")
    composer.field.take_out(told[0])
    assert composer.field.toPlainText() == "before  after"


def test_a_pasted_picture_is_told(composer: Composer) -> None:
    told: list[QImage] = []
    composer.image_pasted.connect(told.append)
    mime = QMimeData()
    mime.setImageData(QImage(3, 2, QImage.Format.Format_RGB32))
    assert composer.field.canInsertFromMimeData(mime)
    composer.field.insertFromMimeData(mime)
    assert [(i.width(), i.height()) for i in told] == [(3, 2)]


def test_hiding_tells_at_once_what_was_typed_last(composer: Composer, window: QWidget) -> None:
    told: list[str] = []
    composer.edited.connect(lambda d: told.append(d.text))
    QTest.keyClicks(composer.field, "last words")
    window.hide()
    assert told == ["last words"]


def test_everything_has_a_name_that_a_screen_reader_says(composer: Composer) -> None:
    composer.attach([Attachment(id="1", name="a.pdf")])
    composer.waiting.say([("a", "first", "")], goes=False)
    composer.tools.options.click()
    kinds = (QToolButton, QPushButton, QLineEdit, QPlainTextEdit)
    made = [w for kind in kinds for w in composer.findChildren(kind) if not w.objectName().startswith("qt_")]
    assert len(made) > 20
    for widget in (w for w in made if not isinstance(w.parent(), QLineEdit)):
        assert widget.objectName().startswith("chat."), widget
        assert widget.accessibleName(), widget.objectName()
