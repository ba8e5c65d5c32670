"""The dialog that manages saved prompts: a list, one of them to edit, and files to carry them elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QPlainTextEdit, QWidget

from carrel.model.prompts import Prompt
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, column, label, named, row
from carrel.ui.widgets.itemlist import Item, ItemList


class PromptBook(QDialog):
    """`saved` gives a prompt (without id: a new one), `deleted` an id."""

    saved = Signal(Prompt)
    deleted = Signal(str)
    import_asked = Signal()
    export_asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "prompts", self.tr("Saved prompts"))
        self.setWindowTitle(self.tr("Saved prompts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._prompts: Sequence[Prompt] = ()
        self._current = ""
        self._typed: dict[str, tuple[str, str]] = {}
        """Title and text of prompts that were changed, left, and not saved."""
        self._build()
        self._connect()
        self.resize(theme.px(680), theme.px(440))
        self._edit("")

    def show_prompts(self, prompts: Sequence[Prompt]) -> None:
        """List these; what is being typed stays."""
        known = {p.id for p in self._prompts}
        fresh = [p.id for p in prompts if p.id not in known]
        self._prompts = prompts
        there = {(p.title, p.text) for p in prompts}
        self._typed = {key: said for key, said in self._typed.items() if (said[0].strip(), said[1]) not in there}
        self._list()
        if not self._current and len(fresh) == 1 and self._said() == next(p for p in prompts if p.id == fresh[0]).text:
            self._current = fresh[0]  # the one that was just saved
        self.list.select(self._current)
        self._allow()

    def _list(self) -> None:
        unsaved = self.tr("Not saved")
        held = [
            Item(p.id, p.title, " ".join(p.text.split())[:80], tag=unsaved if p.id in self._typed else "")
            for p in self._prompts
        ]
        self.list.fill(held)

    def say(self, words: str) -> None:
        """Say how an import or export went."""
        self._note.setText(words)

    def _build(self) -> None:
        self.list = ItemList("prompts.list", self.tr("Saved prompts"))
        self.list.setFixedWidth(theme.px(230))
        self.title, self.text = QLineEdit(), QPlainTextEdit()
        named(self.title, "prompts.title", self.tr("Title"))
        named(self.text, "prompts.text", self.tr("Text"))
        self.text.setProperty("look", "field")
        self.text.setTabChangesFocus(True)
        self.add = button(self.tr("New"), "prompts.new", icon_name="plus")
        self.save = button(self.tr("Save"), "prompts.save", kind="primary")
        self.delete = button(self.tr("Delete"), "prompts.delete", kind="quiet")
        self.bring = button(self.tr("Import…"), "prompts.import", kind="quiet")
        self.carry = button(self.tr("Export…"), "prompts.export", kind="quiet")
        self.leave = button(self.tr("Close"), "prompts.close")
        self._note = label("", "small")
        hint = label(self.tr("Words in braces, such as {client}, are asked for when the prompt is used."), "small")
        side = column(self.list, row(self.add, 1))
        work = column(
            label(self.tr("Title"), "field"), self.title, label(self.tr("Text"), "field"), self.text, hint,
            row(self.delete, 1, self.save), spacing=6,
        )  # fmt: skip
        body = row(side, spacing=16)
        body.addLayout(work, 1)
        below = row(self.bring, self.carry, self._note, 1, self.leave)
        self.setLayout(column(body, below, spacing=14, margins=(16, 16, 16, 14)))

    def _connect(self) -> None:
        self.list.chosen.connect(self._edit)
        self.add.clicked.connect(lambda: self._edit(""))
        self.save.clicked.connect(self._save)
        self.delete.clicked.connect(self._delete)
        self.bring.clicked.connect(self.import_asked)
        self.carry.clicked.connect(self.export_asked)
        self.leave.clicked.connect(self.accept)
        self.title.textChanged.connect(lambda _: self._allow())
        self.text.textChanged.connect(self._allow)

    def _edit(self, prompt_id: str) -> None:
        """Show a prompt, as it was left; what is typed into another one is there when that is shown again."""
        self._lay_aside()
        held = self._saved(prompt_id)
        self._current = held.id
        title, text = self._typed.pop(held.id, (held.title, held.text))
        self.title.setText(title)
        self.text.setPlainText(text)
        self._list()
        self.list.select(held.id)
        self._allow()
        if not held.id:
            self.title.setFocus()

    def _saved(self, prompt_id: str) -> Prompt:
        return next((p for p in self._prompts if p.id == prompt_id), Prompt(title="", text=""))

    def _lay_aside(self) -> None:
        saved, typed = self._saved(self._current), (self.title.text(), self._said())
        if typed != (saved.title, saved.text):
            self._typed[self._current] = typed

    def _said(self) -> str:
        return self.text.toPlainText()

    def _save(self) -> None:
        self.saved.emit(Prompt(id=self._current, title=self.title.text().strip(), text=self._said()))

    def _delete(self) -> None:
        self.deleted.emit(self._current)
        self._current = ""
        self.title.clear()
        self.text.clear()
        self._edit("")

    def _allow(self) -> None:
        self.save.setEnabled(bool(self.title.text().strip() and self._said().strip()))
        self.delete.setEnabled(bool(self._current))
        self.carry.setEnabled(bool(self._prompts))
