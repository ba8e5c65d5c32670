"""Stories of the room in the chat: nothing lies over another thing in a small window, nothing moves by itself."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from carrel.model.draft import Attachment
from carrel.ui.theme import theme
from scripted import ask, says, tell
from stage import Stage

PARAGRAPHS = "\n\n".join(f"Paragraph {n} of a long reply, with a few words more." for n in range(60))


def place(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


@pytest.mark.parametrize(("width", "height"), [(900, 600), (720, 480)])
def test_a_long_text_with_all_that_goes_along_overlaps_nothing(tmp_path: Path, width: int, height: int) -> None:
    async def story(stage: Stage) -> None:
        ui, window = stage.window.presenter("chat").ui, stage.window
        window.resize(width, height)
        box = ui.composer
        if height > 500:
            box.attach([Attachment(id=str(n), name=f"contract {n}.pdf") for n in range(3)])
            box.waiting.say([(str(n), f"message {n}", "a.pdf") for n in range(6)], goes=True)
        words = "A long paste: 4,500 characters. As a file it is read like a document."
        ui.hint.say("info", "", words, (("as-file", "Attach as a file instead"), ("as-text", "Keep as text")))
        box.field.setPlainText("\n".join(f"line {n}" for n in range(12)))
        await stage.hand.until(lambda: box.field.verticalScrollBar().maximum() > 0, "the rest is scrolled to")
        await stage.hand.settle()
        parts = [p for p in (ui.hint, box.waiting, box.held, box.field, box.tools) if p.isVisible()]
        boxes = [place(part, window) for part in parts]
        for above, below in pairwise(boxes):
            assert above.bottom() < below.top()
        assert place(box, window).contains(boxes[-1])
        assert place(window.centralWidget(), window).contains(place(box, window))
        assert box.field.height() >= 2 * box.field.fontMetrics().lineSpacing()
        for key in ("as-file", "as-text"):
            made = stage.hand.find(f"chat.hint.{key}")
            assert made.width() >= made.sizeHint().width()
            assert place(ui.hint, window).contains(place(made, window))

    tell(tmp_path, story, {})


def test_no_word_moves_when_the_scroll_bar_comes(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        transcript, composer = stage.hand.find("chat.transcript"), stage.hand.find("composer")
        for width in (1280, 900):
            stage.window.resize(width, 800)
            await stage.hand.settle()
            await ask(stage, "Short")
            left, wide = transcript._left, transcript._width
            edge = place(composer, stage.window)
            start = place(transcript.viewport(), stage.window).left()
            assert abs(start + left - edge.left()) <= 1
            assert abs(start + left + wide - edge.right()) <= 2
            await ask(stage, "Long")
            await stage.hand.until(lambda: transcript.verticalScrollBar().isVisible(), "the bar is there")
            assert (transcript._left, transcript._width) == (left, wide)
            stage.window.presenter("chat").new()

    tell(tmp_path, story, {"Short": says("Yes."), "Long": says(PARAGRAPHS, step=400)})


def test_a_toast_leaves_the_composer_free(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.resize(720, 480)
        await stage.hand.settle()
        stage.window.shell.toast("Deleted here: a chat. The service keeps its own copy.", "Undo")
        toast = stage.hand.find("toast")
        assert toast.isVisible()
        composer = place(stage.hand.find("composer"), stage.window)
        assert not place(toast, stage.window).intersects(composer)
        stage.window.go("library")
        stage.window.shell.toast("Saved.")
        assert toast.y() > stage.window.height() / 2

    tell(tmp_path, story, {})


def test_a_new_title_is_typed_over_the_whole_entry(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "Hello")
        side, listing = stage.window.presenter("chat").ui.side, stage.hand.find("chat.list")
        await stage.hand.until(
            lambda: listing.items() and listing.items()[-1].snippet == "Served in writing.", "it has a preview"
        )
        side.rename(listing.items()[-1].key)
        box = listing.visualRect(listing.model().index(len(listing.items()) - 1, 0))
        field = stage.hand.find("chat.rename", QLineEdit).geometry()
        preview = theme.px(8 + 19 + 17)  # where its lower line ends
        assert field.top() <= box.top() + theme.px(8)
        assert field.bottom() >= box.top() + preview - 1

    tell(tmp_path, story, {})


def test_the_menu_of_models_opens_at_its_button(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "Hello")
        await stage.hand.until(lambda: stage.hand.sees("transcript.again_with"), "the button is there")
        made = stage.hand.find("transcript.again_with")
        assert "Ask again with another model" in made.toolTip()
        made.setFocus()
        QTest.keyClick(made, Qt.Key.Key_Space)
        menu = stage.hand.find("chat.again_models", QMenu)
        beside = made.mapToGlobal(made.rect().bottomLeft())
        assert abs(menu.pos().x() - beside.x()) < 40
        assert abs(menu.pos().y() - beside.y()) < 40 or menu.geometry().bottom() <= beside.y()
        assert menu.activeAction().text() == "Aster Large"
        menu.close()

    tell(tmp_path, story, {})


def test_the_transcript_shows_that_the_keyboard_is_there(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "Hello")
        transcript = stage.hand.find("chat.transcript")

        def edge() -> str:
            return transcript.viewport().grab().toImage().pixelColor(0, 40).name()

        assert edge() == theme.color("surface").name()
        transcript.setFocus(Qt.FocusReason.TabFocusReason)
        assert edge() == theme.color("accent").name()
        stage.hand.find("chat.composer").setFocus()
        assert edge() == theme.color("surface").name()

    tell(tmp_path, story, {})
