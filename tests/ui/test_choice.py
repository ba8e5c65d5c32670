"""Choices and numbers leave the wheel to the page, until a person has gone into them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from carrel.ui.widgets.choice import Choice, Number


@pytest.fixture
def form(qtbot: QtBot) -> QWidget:
    """A choice and a number on a page, neither of which has the focus."""
    page = QWidget()
    choice = Choice("form.model", "Model")
    choice.addItems(["Reader", "Own", "Third"])
    choice.setCurrentIndex(1)
    number = Number("form.limit", "Limit", 0, 100)
    number.setValue(50)
    box = QVBoxLayout(page)
    box.addWidget(choice)
    box.addWidget(number)
    page.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    qtbot.addWidget(page)
    page.show()
    page.setFocus()
    qtbot.waitUntil(page.hasFocus)
    return page


def wheel(widget: QWidget) -> bool:
    """Turn the wheel one step down over a widget; whether it took the step."""
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(
        centre, widget.mapToGlobal(centre), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    widget.event(event)
    QApplication.processEvents()
    return event.isAccepted()


def test_the_wheel_over_them_scrolls_the_page_and_changes_nothing(form: QWidget) -> None:
    choice, number = form.findChild(Choice), form.findChild(Number)
    assert not wheel(choice)
    assert not wheel(number)
    assert (choice.currentIndex(), number.value()) == (1, 50)


def test_the_wheel_gives_them_no_focus(form: QWidget) -> None:
    for widget in (form.findChild(Choice), form.findChild(Number)):
        assert widget.focusPolicy() & Qt.FocusPolicy.WheelFocus != Qt.FocusPolicy.WheelFocus


def test_the_wheel_turns_the_one_that_a_person_has_gone_into(form: QWidget, qtbot: QtBot) -> None:
    number = form.findChild(Number)
    number.setFocus()
    qtbot.waitUntil(number.hasFocus)
    assert wheel(number)
    assert number.value() == 49
