"""The dialog that asks what of which chats shall be saved, and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QDialog, QListWidget, QListWidgetItem, QRadioButton, QWidget

from carrel.ui.amounts import moment
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, column, label, named, row, search_field
from carrel.ui.widgets.ticks import BESIDE, TickDelegate
from carrel.work.export.telling import Options

if TYPE_CHECKING:
    from carrel.work.chat import ChatLine

KEY = Qt.ItemDataRole.UserRole


class ExportDialog(QDialog):
    """`confirmed` gives the options and the ids of the ticked chats."""

    confirmed = Signal(Options, list)

    def __init__(self, parent: QWidget, lines: Sequence[ChatLine], ticked: str, options: Options) -> None:
        super().__init__(parent)
        title = self.tr("Export chats")
        named(self, "export", title)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(theme.px(520), theme.px(540))
        self._build(options)
        self._fill(lines, ticked)
        self._show_options()
        self._count()

    def options(self) -> Options:
        """What is chosen."""
        return Options(
            format=self._formats.checkedButton().property("format"),
            thinking=self.thinking.isChecked(),
            events=self.events.isChecked() and self.events.isEnabled(),
        )

    def chosen(self) -> list[str]:
        """The ids of the ticked chats, in the order of the list."""
        return [item.data(KEY) for item in self._items() if item.checkState() == Qt.CheckState.Checked]

    def _build(self, options: Options) -> None:
        self._formats = QButtonGroup(self)
        formats = row(*(self._format(*f, options) for f in self._offers()), 1, spacing=16)
        self.thinking = self._box(self.tr("With the models' thinking"), "export.thinking", options.thinking)
        self.events = self._box(self.tr("With the raw events, as NDJSON beside it"), "export.events", options.events)
        self.words = search_field(self.tr("Title"), "export.words")
        self.all = button(self.tr("Tick all"), "export.all", kind="quiet")
        self.list = QListWidget()
        self.list.setItemDelegate(TickDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setProperty("look", "ticks")
        named(self.list, "export.chats", self.tr("Chats to save"))
        self.count = label("", "small")
        self._leave = button(self.tr("Cancel"), "export.cancel")
        self.save = button(self.tr("Save…"), "export.save", kind="primary")
        body = column(
            label(self.tr("Format"), "field"), formats, self.thinking, self.events,
            label(self.tr("Chats"), "field"), row(self.words, self.all), self.list,
            row(self.count, 1, self._leave, self.save), margins=(16, 16, 16, 14), spacing=10,
        )  # fmt: skip
        body.setStretchFactor(self.list, 1)
        self.setLayout(body)
        self._connect()

    def _connect(self) -> None:
        self._formats.buttonToggled.connect(lambda *_: self._show_options())
        self.words.textChanged.connect(self._filter)
        self.list.itemChanged.connect(lambda _: self._count())
        self.list.itemClicked.connect(self._turn)
        self.all.clicked.connect(self._tick_all)
        self._leave.clicked.connect(self.reject)
        self.save.clicked.connect(self._done)

    def _offers(self) -> tuple[tuple[str, str], ...]:
        return (
            ("markdown", self.tr("Markdown")),
            ("html", self.tr("HTML")),
            ("pdf", self.tr("PDF")),
            ("json", self.tr("JSON")),
        )

    def _format(self, key: str, words: str, options: Options) -> QRadioButton:
        made = QRadioButton(words)
        named(made, f"export.{key}", words)
        made.setProperty("format", key)
        made.setChecked(options.format == key)
        self._formats.addButton(made)
        return made

    @staticmethod
    def _box(words: str, object_name: str, checked: bool) -> QCheckBox:
        made = QCheckBox(words)
        named(made, object_name, words)
        made.setChecked(checked)
        return made

    def _fill(self, lines: Sequence[ChatLine], ticked: str) -> None:
        self.list.blockSignals(True)
        for line in lines:
            made = QListWidgetItem(line.title or self.tr("New chat"))
            made.setData(KEY, line.id)
            made.setData(BESIDE, moment(line.updated_at))
            made.setFlags(made.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            made.setCheckState(Qt.CheckState.Checked if line.id == ticked else Qt.CheckState.Unchecked)
            self.list.addItem(made)
            if line.id == ticked:
                self.list.setCurrentItem(made)
        self.list.blockSignals(False)

    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(n) for n in range(self.list.count())]

    def _filter(self, words: str) -> None:
        wanted = words.casefold().split()
        for item in self._items():
            item.setHidden(not all(word in item.text().casefold() for word in wanted))

    def _turn(self, item: QListWidgetItem) -> None:
        is_on = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked)

    def _tick_all(self) -> None:
        """Tick all that are listed; where they are, none."""
        listed = [item for item in self._items() if not item.isHidden()]
        is_on = all(item.checkState() == Qt.CheckState.Checked for item in listed)
        self.list.blockSignals(True)
        for item in listed:
            item.setCheckState(Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked)
        self.list.blockSignals(False)
        self.list.viewport().update()
        self._count()

    def _count(self) -> None:
        count = len(self.chosen())
        self.count.setText(self.tr("{n} ticked").format(n=count) if count != 1 else self.tr("1 chat"))
        self.save.setEnabled(count > 0)

    def _show_options(self) -> None:
        self.events.setEnabled(self._formats.checkedButton().property("format") == "json")

    def _done(self) -> None:
        self.confirmed.emit(self.options(), self.chosen())
        self.accept()
