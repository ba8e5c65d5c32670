"""Stories of a person's hands on the list of chats: a title half typed, a right press, a deletion taken back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from stage import Stage, play
from stories import pick_chat, take_from_menu, titles_in, write_chat

SAID = [("Q", "A", "")]


async def begin(stage: Stage) -> None:
    """Two chats, the first one open, its title about to be typed."""
    await write_chat(stage, "b", "Quotes", SAID, ago=60)
    await write_chat(stage, "a", "Leases", SAID)
    pick_chat(stage, "Leases")
    stage.hand.key("chat.list", Qt.Key.Key_F2)
    assert stage.hand.sees("chat.rename")


def test_after_a_click_elsewhere_a_title_is_taken_and_the_focus_stays_there(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await begin(stage)
        stage.hand.type("chat.rename", "Our leases")
        stage.hand.find("chat.composer").setFocus(Qt.FocusReason.MouseFocusReason)
        await stage.hand.until(lambda: "Our leases" in titles_in(stage), "it is renamed")
        QTest.keyClicks(QApplication.focusWidget(), "q")
        assert stage.hand.find("chat.composer").toPlainText() == "q"
        assert stage.hand.find("chat.title").text() == "Our leases"
        stage.hand.find("chat.list").setFocus()
        stage.hand.key("chat.list", Qt.Key.Key_F2)
        stage.hand.type("chat.rename", "The leases")
        stage.hand.key("chat.rename", Qt.Key.Key_Return)
        assert stage.hand.find("chat.list").hasFocus()
        await stage.hand.until(lambda: "The leases" in titles_in(stage), "it is renamed")

    play(tmp_path, story)


def test_a_title_half_typed_goes_with_its_entry(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await begin(stage)
        names, shown = stage.hand.find("chat.rename"), stage.hand.find("chat.list")
        stage.hand.type("chat.rename", "Our le")

        def is_over_its_entry() -> bool:
            row = titles_in(stage).index("Leases")
            return shown.visualRect(shown.model().index(row, 0)).contains(names.geometry().center())

        assert is_over_its_entry()
        before = names.y()
        await stage.desk.session.chats.pin("b", pinned=True)
        await stage.hand.until(lambda: titles_in(stage)[0] == "[Pinned]", "the list is another")
        assert is_over_its_entry()
        assert names.y() != before
        assert names.text() == "Our le"
        for number in range(30):
            await write_chat(stage, f"more-{number}", f"More {number}", SAID, ago=3600)
        await stage.hand.until(lambda: shown.verticalScrollBar().maximum() > 200, "there are many")
        shown.verticalScrollBar().setValue(150)
        assert names.text() == "Our le"
        assert is_over_its_entry()

    play(tmp_path, story)


def test_a_right_press_leaves_the_open_chat_in_front(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "b", "Quotes", SAID, ago=60)
        await write_chat(stage, "a", "Leases", SAID)
        pick_chat(stage, "Leases")
        shown = stage.hand.find("chat.list")
        place = shown.visualRect(shown.model().index(titles_in(stage).index("Quotes"), 0)).center()
        QTest.mouseClick(shown.viewport(), Qt.MouseButton.RightButton, pos=place)
        assert stage.hand.find("chat.title").text() == "Leases"
        QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert stage.hand.find("chat.title").text() == "Quotes"

    play(tmp_path, story)


def test_undo_opens_the_chat_again_that_was_open(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "b", "Quotes", SAID, ago=60)
        await write_chat(stage, "a", "Leases", SAID)
        pick_chat(stage, "Leases")
        take_from_menu(stage, "Leases", "Delete here")
        await stage.hand.until(lambda: stage.hand.find("chat.title").text() == "New chat", "it is gone")
        stage.hand.click("toast.action")
        await stage.hand.until(lambda: stage.hand.find("chat.title").text() == "Leases", "it is back, and open")
        await stage.hand.until(lambda: "Leases" in titles_in(stage), "it is in the list again")
        take_from_menu(stage, "Leases", "Delete here")
        await stage.hand.until(lambda: stage.hand.find("chat.title").text() == "New chat", "it is gone")
        pick_chat(stage, "Quotes")
        stage.hand.click("toast.action")
        await stage.hand.until(lambda: "Leases" in titles_in(stage), "it is back")
        assert stage.hand.find("chat.title").text() == "Quotes"

    play(tmp_path, story)
