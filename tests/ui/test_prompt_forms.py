"""Saved prompts: the form that asks for their variables, and the book that holds them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from carrel.model.prompts import Prompt
from carrel.ui.widgets.promptbook import PromptBook
from carrel.ui.widgets.promptform import PromptForm

KEY = Qt.Key


def test_variables_are_filled_one_field_each_in_order(window: QWidget) -> None:
    form = PromptForm(window, Prompt(title="t", text="Write to {client} about {matter}, {client}."))
    filled: list[str] = []
    form.filled.connect(filled.append)
    form.open()
    fields = list(form.fields.values())
    assert [f.accessibleName() for f in fields] == ["client", "matter"]
    form.activateWindow()
    assert form.focusWidget() is fields[0]
    QTest.keyClicks(fields[0], "Ada")
    QTest.keyClick(fields[0], KEY.Key_Tab)
    assert form.focusWidget() is fields[1]
    QTest.keyClicks(fields[1], "the lease")
    form.findChild(QPushButton, "prompt.form.take").click()
    assert filled == ["Write to Ada about the lease, Ada."]


def test_the_book_makes_changes_and_deletes(window: QWidget) -> None:
    book = PromptBook(window)
    saved: list[Prompt] = []
    deleted: list[str] = []
    book.saved.connect(saved.append)
    book.deleted.connect(deleted.append)
    book.show_prompts([Prompt(id="1", title="Sum up", text="Sum up {it}")])
    book.open()
    assert not book.save.isEnabled()
    QTest.keyClicks(book.title, "New one")
    QTest.keyClicks(book.text, "Do it")
    book.save.click()
    assert saved == [Prompt(title="New one", text="Do it")]
    book.show_prompts(
        [Prompt(id="2", title="New one", text="Do it"), Prompt(id="1", title="Sum up", text="Sum up {it}")]
    )
    QTest.keyClicks(book.title, "!")
    book.save.click()
    assert saved[-1] == Prompt(id="2", title="New one!", text="Do it")
    book.list.chosen.emit("1")
    assert book.text.toPlainText() == "Sum up {it}"
    book.delete.click()
    assert deleted == ["1"]
