"""The activity pane: every request of this session, filtered, with one of them in detail."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QSplitter, QStackedWidget, QWidget

from carrel.ui.activity.details import Details
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, chip, column, frame, head, label, named, search_field
from carrel.ui.widgets.notes import EmptyState
from carrel.ui.widgets.table import TagTable

PAUSE = 120
"""Milliseconds after the last letter before the list is filtered."""


class ActivityPane(QWidget):
    """Widgets only. `filtered` gives the text and the kind (all, failed, slow)."""

    filtered = Signal(str, str)
    chosen = Signal(str)
    curl_asked = Signal()
    clear_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "activity", self.tr("Activity"))
        self._build()
        body = column(self._head(), spacing=0)
        body.addWidget(self._split, 1)
        self.setLayout(column(frame("column", "work", body), spacing=0))
        self._connect()

    def show_empty(self, words: str) -> None:
        """Say why the list is empty; empty words where it is not."""
        self._stack.setCurrentWidget(self._empty if words else self.table)
        if words:
            self._empty.say(words)

    def focus_filter(self) -> None:
        """Go to the filter."""
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    @property
    def kind(self) -> str:
        """Which chip is chosen."""
        return next(kind for kind, made in self._kinds.items() if made.isChecked())

    def _build(self) -> None:
        self._filter = search_field(self.tr("Filter requests"), "activity.filter")
        self._filter.setMaximumWidth(theme.px(260))
        words = {"all": self.tr("All"), "failed": self.tr("Failed"), "slow": self.tr("Slow")}
        self._kinds = {k: chip(text, f"activity.kind.{k}", checkable=True) for k, text in words.items()}
        self._group = QButtonGroup(self)
        for made in self._kinds.values():
            self._group.addButton(made)
        self._kinds["all"].setChecked(True)
        self._kinds["slow"].setToolTip(self.tr("Two seconds and longer, streams and agent runs left out"))
        self._clear = button(self.tr("Clear"), "activity.clear", kind="quiet")
        columns = [self.tr("Time"), self.tr("Request"), self.tr("Status"), self.tr("Took"), self.tr("Left")]
        self.table = TagTable("activity.list", self.tr("Requests"), columns, stretch=1)
        self.table.set_widths({0: 82, 2: 112, 3: 84, 4: 54})
        self.table.hide_below(500, (3, 4))
        self._empty = EmptyState("activity.empty", "activity")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.table)
        self.details = Details()
        self._split = QSplitter()
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._stack)
        self._split.addWidget(self.details)
        self._split.setSizes([660, 540])
        self._stack.setMinimumWidth(theme.px(360))
        self.details.setMinimumWidth(theme.px(280))
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)

    def _head(self) -> QFrame:
        title = label(self.tr("Activity"), "heading")
        made = head(title, self._filter, *self._kinds.values(), 1, self._clear)
        made.layout().insertSpacing(1, 8)
        made.layout().setStretchFactor(self._filter, 3)
        return made

    def _connect(self) -> None:
        self._filter.textChanged.connect(self._typed)
        self._timer.timeout.connect(self._told)
        for made in self._kinds.values():
            made.clicked.connect(self._told)
        self._clear.clicked.connect(self.clear_asked)
        self.table.chosen.connect(self.chosen)
        self.details.curl_asked.connect(self.curl_asked)

    def _typed(self) -> None:
        self._timer.start()

    def _told(self) -> None:
        self.filtered.emit(self._filter.text().strip(), self.kind)
