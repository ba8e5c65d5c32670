"""The list column: a refresh keeps what is selected and where it is scrolled to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from carrel.ui.theme import theme
from carrel.ui.widgets.itemlist import Item, ItemList


def items(numbers: range | list[int], words: str = "") -> list[Item]:
    return [Item(str(n), f"Chat {n} {words}", snippet="said") for n in numbers]


@pytest.fixture
def listing() -> Iterator[ItemList]:
    made = ItemList("test.list", "Chats")
    made.resize(264, 300)
    made.fill(items(range(100)))
    made.show()
    QApplication.processEvents()
    yield made
    made.close()


@pytest.mark.parametrize(
    "after",
    [
        items(range(100), "changed"),
        items([100, *range(100)]),
        items([n for n in range(100) if n != 7]),
        items(list(reversed(range(100)))),
    ],
    ids=["words", "one more", "one less", "another order"],
)
def test_a_refresh_keeps_selection_and_scroll_and_tells_nobody(listing: ItemList, after: list[Item]) -> None:
    told: list[str] = []
    listing.select("50")
    listing.verticalScrollBar().setValue(1200)
    QApplication.processEvents()
    listing.chosen.connect(told.append)
    listing.fill(after)
    QApplication.processEvents()
    assert listing.current_key() == "50"
    assert next(i.data() for i in listing.selectedIndexes()).startswith("Chat 50")
    assert listing.verticalScrollBar().value() == 1200
    assert told == []


def test_a_selected_entry_that_is_gone_leaves_none_selected(listing: ItemList) -> None:
    told: list[str] = []
    listing.chosen.connect(told.append)
    listing.select("50")
    listing.fill(items([n for n in range(100) if n != 50]))
    assert listing.current_key() == ""
    assert not listing.selectedIndexes()
    listing.fill([])
    assert listing.current_key() == ""
    assert told == []


def test_only_a_person_choosing_is_told(listing: ItemList) -> None:
    told: list[str] = []
    listing.chosen.connect(told.append)
    listing.select("3")
    assert told == []
    place = listing.visualRect(listing.model().index(1)).center()
    QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told == ["1"]
    QTest.keyClick(listing, Qt.Key.Key_Down)
    assert told == ["1", "2"]
    assert listing.current_key() == "2"


def ask(listing: ItemList, place: QPoint) -> None:
    """Press the right button there."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, listing.viewport().mapToGlobal(place))
    QApplication.sendEvent(listing.viewport(), event)


def test_a_section_title_can_be_neither_chosen_nor_asked(listing: ItemList) -> None:
    told: list[str] = []
    listing.fill([Item("", "Today"), *items([1]), Item("", "Older"), *items([2])])
    QApplication.processEvents()
    listing.chosen.connect(told.append)
    listing.menu_asked.connect(lambda key, _: told.append(f"menu {key}"))
    title = listing.visualRect(listing.model().index(0)).center()
    QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=title)
    ask(listing, title)
    assert told == []
    listing.select("1")
    QTest.keyClick(listing, Qt.Key.Key_Down)
    assert told == ["2"]
    ask(listing, listing.visualRect(listing.currentIndex()).center())
    assert told == ["2", "menu 2"]


def test_an_entry_says_all_that_it_shows(listing: ItemList) -> None:
    listing.fill([Item("k", "Lease", snippet="12 pages", tag="Ready", note="09:41")])
    said = listing.model().index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Lease, Ready, 09:41, 12 pages"


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_everything_an_entry_can_have_is_painted(listing: ItemList, choice: str) -> None:
    theme.choose(choice)
    tones = ("none", "ok", "warn", "danger", "info")
    listing.fill([Item(t, "A long title " * 9, "a\nsnippet " * 20, "Tag", t, "09:41", "pin") for t in tones])
    listing.select("ok")
    picture = listing.grab().toImage()
    seen = {picture.pixelColor(x, y).name() for x in range(264) for y in range(300)}
    for ground in ("sunken", "accent_soft", "warn_soft", "danger_soft", "info_soft", "accent"):
        assert theme.color(ground).name() in seen, ground


def test_the_focus_is_seen_where_it_came_by_the_keyboard(qtbot: QtBot) -> None:
    page, field, listing = QWidget(), QLineEdit(), ItemList("test.list", "Chats")
    box = QVBoxLayout(page)
    box.addWidget(field)
    box.addWidget(listing)
    listing.fill(items(range(3)))
    qtbot.addWidget(page)
    page.show()
    QTest.qWaitForWindowActive(page)
    place = listing.visualRect(listing.model().index(0, 0))
    listing.select("0")
    field.setFocus()

    def corner() -> str:
        picture = listing.viewport().grab(place).toImage()
        return picture.pixelColor(picture.width() - 1, picture.height() // 2).name()

    QTest.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert listing.hasFocus()
    assert corner() == theme.color("accent_soft").name()
    QTest.keyClick(listing, Qt.Key.Key_Backtab)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert listing.hasFocus()
    assert corner() == theme.color("accent").name()
