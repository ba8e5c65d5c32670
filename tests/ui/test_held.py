"""What goes along with a message, as chips: a press on one is not lost, and the focus does not go to nowhere."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from carrel.model.draft import Attachment
from carrel.ui.widgets.composer import Composer

LEFT = Qt.MouseButton.LeftButton


def chip_of(composer: Composer, name: str) -> QToolButton:
    return next(made for made in composer.held.findChildren(QToolButton, name) if not made.isHidden())


def test_the_cross_of_an_upload_is_met_though_its_progress_goes_on(composer: Composer) -> None:
    stopped: list[bool] = []
    composer.held.upload_stopped.connect(lambda: stopped.append(True))
    composer.held.show_uploading("Uploading a.pdf 10 %")
    QApplication.processEvents()
    made = chip_of(composer, "chat.uploading")
    made.setFocus()
    QTest.mousePress(made, LEFT)
    composer.held.show_uploading("Uploading a.pdf 20 %")
    assert "20 %" in made.text()
    assert made.accessibleName() == "Remove Uploading a.pdf 20 %"
    QTest.mouseRelease(made, LEFT)
    assert stopped == [True]
    assert made.hasFocus()
    composer.held.show_uploading("")
    assert not composer.held.isVisible()


def test_the_focus_goes_back_to_the_words_when_a_chip_was_removed(composer: Composer) -> None:
    composer.attach([Attachment(id="1", name="a.pdf")])
    composer.quote("## A *quoted* passage")
    QApplication.processEvents()
    assert "“A quoted passage”" in chip_of(composer, "chat.quote.0").text()
    for name in ("chat.quote.0", "chat.attachment.0"):
        made = chip_of(composer, name)
        made.setFocus()
        QTest.mouseClick(made, LEFT)
        assert composer.field.hasFocus()
        QApplication.processEvents()
    assert composer.draft().is_empty
