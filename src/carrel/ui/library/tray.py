"""The tray under the table: uploads and downloads, their progress, and what can be done with all of them at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QStackedWidget, QToolButton

from carrel.model.transfers import UNDER_WAY, Transfer
from carrel.ui.library.transferlist import TransferList
from carrel.ui.library.transferrow import ROW
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, button, chip, column, label, named, row

MOST_ROWS = 4
"""Rows that the tray shows before it scrolls."""


class Tray(QFrame):
    """One list a queue, by key ("uploads", "downloads"). `asked` tells a queue and what to do with all of it."""

    asked = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "library.tray", self.tr("Transfers"))
        self.setProperty("column", "tray")
        self._titles = {"uploads": self.tr("Uploads"), "downloads": self.tr("Downloads")}
        self.lists = {key: TransferList(f"library.{key}", words) for key, words in self._titles.items()}
        self._words = dict.fromkeys(self._titles, "")
        self._can_pause = dict.fromkeys(self._titles, "")
        self._build()
        self._front = "uploads"
        theme.changed.connect(self._refit)
        self.hide()

    def show_queue(self, key: str, rows: Sequence[Transfer], summary: str, pause: str) -> None:
        """Show a queue; `pause` is what the button for all of it does: pause, resume, or nothing."""
        was_empty = not self.lists[key].rows()
        self.lists[key].fill(rows)
        self._words[key], self._can_pause[key] = summary, pause
        if (was_empty and rows) or not self.lists[self._front].rows():
            self._front = key if rows else next((k for k, v in self.lists.items() if v.rows()), key)
        self._refresh()

    def bring(self, key: str) -> None:
        """Bring a queue to the front."""
        self._front = key
        self._refresh()

    def _build(self) -> None:
        self._title = label("", "bold")
        self._tabs: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        for key, words in self._titles.items():
            made = chip(words, f"library.show_{key}", checkable=True)
            made.clicked.connect(lambda _=False, k=key: self.bring(k))
            group.addButton(made)
            self._tabs[key] = made
        self._summary = ElidedLabel("", "muted")
        self._summary.setObjectName("library.summary")
        self._pause = button("", "library.pause_all", kind="quiet", accessible=self.tr("Pause all"))
        self._pause.clicked.connect(lambda: self.asked.emit(self._front, self._can_pause[self._front]))
        self._cancel = button(self.tr("Cancel all"), "library.cancel_all", kind="quiet")
        self._cancel.clicked.connect(lambda: self.asked.emit(self._front, "cancel"))
        self._retry = button(self.tr("Try all again"), "library.retry_all", kind="quiet")
        self._retry.clicked.connect(lambda: self.asked.emit(self._front, "retry"))
        self._clear = button(self.tr("Clear finished"), "library.clear", kind="quiet")
        self._clear.clicked.connect(lambda: self.asked.emit(self._front, "clear"))
        self._stack = QStackedWidget()
        for made in self.lists.values():
            self._stack.addWidget(made)
        top = row(self._title, *self._tabs.values(), self._summary, self._pause, self._cancel, self._retry, self._clear)
        top.setStretchFactor(self._summary, 1)
        top.setContentsMargins(14, 0, 14, 0)
        self.setLayout(column(top, self._stack, spacing=4, margins=(0, 8, 0, 8)))

    def _refresh(self) -> None:
        filled = [key for key, made in self.lists.items() if made.rows()]
        self._title.setText(self._titles[self._front])
        self._title.setVisible(len(filled) < 2)
        for key, made in self._tabs.items():
            made.setVisible(len(filled) == 2)
            made.setChecked(key == self._front)
        self._summary.setText(self._words[self._front])
        pause = self._can_pause[self._front]
        self._pause.setVisible(bool(pause))
        words = {"pause": self.tr("Pause all"), "resume": self.tr("Resume all"), "go_on": self.tr("Try now")}
        self._pause.setText(words.get(pause, ""))
        if pause:
            self._pause.setAccessibleName(words[pause])
        rows = self.lists[self._front].rows()
        self._cancel.setVisible(sum(r.state in UNDER_WAY for r in rows) > 1)
        self._retry.setVisible(sum(r.state in {"failed", "interrupted"} for r in rows) > 1)
        self._clear.setVisible(any(r.state in {"done", "cancelled"} for r in rows))
        self._stack.setCurrentWidget(self.lists[self._front])
        self._refit()
        self.setVisible(bool(filled))

    def _refit(self) -> None:
        rows = min(MOST_ROWS, max(1, len(self.lists[self._front].rows())))
        self._stack.setFixedHeight(theme.px(ROW) * rows + 2)
