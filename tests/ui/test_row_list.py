"""The short list to choose from: one press chooses once, on every desktop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyle, QWidget

from carrel.ui.widgets.composer.rows import Row, RowList


@pytest.fixture
def rows(window: QWidget) -> RowList:
    made = RowList("some.rows", "Rows")
    made.setStyleSheet("QListView { activate-on-singleclick: 1 }")  # as on many desktops
    window.layout().insertWidget(0, made, 10)
    window.show()
    made.fill([Row("", "Letters", is_heading=True), Row("a", "A"), Row("b", "B"), Row("c", "C", can_choose=False)])
    return made


@pytest.fixture
def chosen(rows: RowList) -> list[str]:
    made: list[str] = []
    rows.chosen.connect(made.append)
    return made


def press(rows: RowList, number: int) -> None:
    place = rows.visualRect(rows.model().index(number, 0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_one_click_chooses_once(rows: RowList, chosen: list[str]) -> None:
    assert rows.style().styleHint(QStyle.StyleHint.SH_ItemView_ActivateItemOnSingleClick, None, rows) == 1
    press(rows, 2)
    assert chosen == ["b"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_chooses_once_what_is_pointed_at(rows: RowList, chosen: list[str], key: Qt.Key) -> None:
    rows.step(1)
    QTest.keyClick(rows, key)
    assert chosen == ["b"]


def test_what_cannot_be_chosen_is_not(rows: RowList, chosen: list[str]) -> None:
    press(rows, 0)
    press(rows, 3)
    assert chosen == []
