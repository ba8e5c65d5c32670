"""The fields of an account in little room: nothing is cut, the buttons stand below what they cannot stand beside."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from carrel.ui.widgets.accountform import AccountFields


def place(form: AccountFields, name: str) -> QRect:
    one = form.findChild(QWidget, f"form.{name}")
    return QRect(one.mapTo(form, one.rect().topLeft()), one.size())


@pytest.mark.parametrize(("width", "is_beside"), [(570, True), (320, False)])
def test_the_buttons_stand_beside_the_generations_where_there_is_room(
    qtbot: QtBot, width: int, is_beside: bool
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    form = AccountFields("form")
    form.setParent(page)
    form.resize(width, 600)
    page.show()
    QApplication.processEvents()
    earlier, connect = place(form, "earlier"), place(form, "connect")
    assert form.minimumSizeHint().width() <= 320
    assert (connect.top() < earlier.bottom()) == is_beside
    assert connect.right() < width
    assert connect.left() > earlier.right() or not is_beside
