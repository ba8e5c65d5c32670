"""The workflows pane: the list, the form of one workflow, the request that it comes to, and its runs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QStackedWidget, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import (
    ElidedLabel,
    button,
    column,
    frame,
    head,
    label,
    named,
    row,
    search_field,
    tip,
    tool,
)
from carrel.ui.widgets.itemlist import Item, ItemList
from carrel.ui.widgets.listcolumn import ListColumn
from carrel.ui.widgets.notes import EmptyState, Note
from carrel.ui.workflows.form import WorkflowForm
from carrel.ui.workflows.runs import RequestPanel

TITLE = 60
PAUSE = 300
"""Milliseconds after the last letter before the list is asked anew."""

SIDE_BY_SIDE = 780
"""Pixels of the work column from which form and request stand side by side."""


class WorkflowsPane(QWidget):
    """Widgets only. `acted` tells a key: queue, and what notes offer; `page_asked` a step through the pages.

    `workflow_chosen` tells a group that the list came to, `workflow_taken` one that was clicked, or Enter pressed on.
    """

    workflow_chosen = Signal(str)
    workflow_taken = Signal(str)
    searched = Signal(str)
    page_asked = Signal(int)
    acted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "workflows", self.tr("Workflows"))
        self._build()
        self._column = self._list_column()
        layout = row(self._column, spacing=0)
        layout.addWidget(self._work_column(), 1)
        self.setLayout(layout)
        self._connect()
        self.form.stand_after(self._queue)
        theme.follow(self, self._arrange)
        self.show_empty(
            self.tr("No workflow chosen"), self.tr("Choose one at the left to fill in its form and queue a run.")
        )

    def show_list(self, items: Sequence[Item], page: int, pages: int) -> None:
        """List a page of workflows."""
        self.list.fill(items)
        self._say_list("" if items else self.tr("No workflows here."))
        self._pages.setVisible(pages > 1)
        self._page.setText(self.tr("Page {n} of {all}").format(n=page, all=pages))
        self._back.setEnabled(page > 1)
        self._forth.setEnabled(page < pages)

    def say_list(self, words: str) -> None:
        """Say something in place of the list: that it loads."""
        self._say_list(words if not self.list.items() else "")

    def show_workflow(self, title: str, facts: str) -> None:
        """Bring the form to the front; the presenter fills it."""
        self._title.setText(title if len(title) <= TITLE else f"{title[: TITLE - 1]}…")
        tip(self._title, title)
        self._facts.setText(f"· {facts}" if facts else "")
        self._queue.show()
        self._stack.setCurrentWidget(self._split)

    def show_empty(self, title: str, text: str) -> None:
        """Say why there is no form."""
        self._title.setText("")
        self._facts.setText("")
        self._queue.hide()
        self._empty.say(title, text)
        self._stack.setCurrentWidget(self._empty)

    def show_unsupported(self, title: str, text: str) -> None:
        """Say that the account has no workflows."""
        self._search.hide()
        self._say_list("")
        self.show_empty(title, text)

    def focus_search(self) -> None:
        """Go to the list's own search."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Form and request stand side by side where there is room for both, else one below the other."""
        wide = self.width() - self._column.width() >= theme.px(SIDE_BY_SIDE)
        self._panel.setMinimumWidth(theme.px(320) if wide else 0)
        wanted = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self._split.orientation() != wanted:
            self._split.setOrientation(wanted)
            self._split.setSizes([500, 440] if wide else [300, 240])
            self.request.make_room(wide)

    def _build(self) -> None:
        self._search = search_field(self.tr("Search workflows"), "workflows.search")
        self.list = ItemList("workflows.list", self.tr("Workflows"))
        self._words = label("", "muted", wrap=True)
        self._words.setContentsMargins(14, 12, 14, 12)
        self.list_note = Note("workflows.list_note", closable=True)
        self._back = tool("left", "workflows.page_back", self.tr("Former page"))
        self._forth = tool("right", "workflows.page_forth", self.tr("Next page"))
        self._page = label("", "small")
        self._title = label("", "bold")
        self._title.setObjectName("workflows.title")
        self._facts = ElidedLabel("", "muted")
        self._queue = button(self.tr("Queue run"), "workflows.queue", kind="primary")
        self.incoming = Note("workflows.incoming")
        self.note = Note("workflows.note", closable=True)
        self.form = WorkflowForm()
        self.request = RequestPanel()
        self._empty = EmptyState("workflows.empty", "workflows")
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)

    def _list_column(self) -> ListColumn:
        self._pages = QWidget()
        self._pages.setLayout(row(self._back, 1, self._page, 1, self._forth, margins=(12, 4, 12, 6)))
        self._pages.hide()
        search = column(self._search, self.list_note, margins=(12, 10, 12, 4))
        body = column(head(label(self.tr("Workflows"), "heading")), search, self._words, spacing=0)
        body.addWidget(self.list, 1)
        body.addWidget(self._pages)
        return ListColumn(body)

    def _work_column(self) -> QFrame:
        inside = QWidget()
        inside.setProperty("clear", True)
        inside.setLayout(column(self.note, self.form, margins=(18, 14, 18, 20), spacing=12))
        scroll = QScrollArea()
        scroll.setObjectName("workflows.form_page")
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        self._split = QSplitter()
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(scroll)
        self._panel = self._panel_scroll()
        self._split.addWidget(self._panel)
        self._split.setSizes([500, 440])
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._split)
        tools = head(self._title, self._facts, self._queue)
        tools.layout().setStretchFactor(self._facts, 1)
        body = column(tools, self.incoming, spacing=0)
        body.addWidget(self._stack, 1)
        return frame("column", "work", body)

    def _panel_scroll(self) -> QScrollArea:
        made = QScrollArea()
        made.setObjectName("workflows.request_page")
        made.setWidgetResizable(True)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setWidget(self.request)
        return made

    def _connect(self) -> None:
        self.list.chosen.connect(self.workflow_chosen)
        self.list.taken.connect(self.workflow_taken)
        self._search.textChanged.connect(self._typed)
        self._timer.timeout.connect(lambda: self.searched.emit(self._search.text().strip()))
        self._back.clicked.connect(lambda: self.page_asked.emit(-1))
        self._forth.clicked.connect(lambda: self.page_asked.emit(1))
        self._queue.clicked.connect(lambda: self.acted.emit("queue"))
        self.note.acted.connect(self.acted)
        self.list_note.acted.connect(self.acted)
        self.request.acted.connect(self.acted)

    def _typed(self) -> None:
        self._timer.start()

    def _say_list(self, words: str) -> None:
        self._words.setText(words)
        self._words.setVisible(bool(words))
