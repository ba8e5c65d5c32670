"""The search pane: options and recent queries at the left, the query and its results at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from carrel.model import SearchQuery
from carrel.ui.search.options import SearchOptions
from carrel.ui.search.results import Card, ResultList
from carrel.ui.widgets.controls import ElidedLabel, button, column, frame, head, label, named, row, search_field
from carrel.ui.widgets.itemlist import Item, ItemList
from carrel.ui.widgets.listcolumn import ListColumn
from carrel.ui.widgets.notes import EmptyState, Note, announce


class SearchPane(QWidget):
    """Widgets only: `asked` gives the words, the presenter does the rest."""

    asked = Signal(str)
    options_changed = Signal()
    recent_chosen = Signal(int)
    forget_asked = Signal()
    about_asked = Signal(list)
    acted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "search", self.tr("Search"))
        self._build()
        layout = row(self._list_column(), spacing=0)
        layout.addWidget(self._work_column(), 1)
        self.setLayout(layout)
        self._connect()
        self.show_empty("start")

    @property
    def words(self) -> str:
        """What stands in the query field."""
        return self.query.text()

    def show_query(self, query: SearchQuery) -> None:
        """Set words and options."""
        self.query.setText(query.keyword)
        self.options.show_query(query)

    def show_recent(self, queries: Sequence[str]) -> None:
        """List the latest queries."""
        self._recent.fill([Item(str(n), words, strong=False) for n, words in enumerate(queries)])
        self._recent_title.setVisible(bool(queries))
        self._forget.setVisible(bool(queries))

    def show_options(self, words: str) -> None:
        """Say why there are no options; empty where there are."""
        self.options.setVisible(not words)
        self._no_options.setText(words)
        self._no_options.setVisible(bool(words))

    def show_going(self) -> None:
        """A search is under way; what was found before stays."""
        self.note.hide()
        self.say_status(self.tr("Searching…"))
        if not self.results.count():
            self.show_empty("going")

    def show_results(self, cards: Sequence[Card], status: str) -> None:
        """Show what was found."""
        self.results.fill(cards)
        self.say_status(status)
        self._stack.setCurrentWidget(self.results)
        announce(self, status)

    def say_status(self, words: str) -> None:
        """Say how the search stands."""
        self._status.setText(words)

    def show_empty(self, kind: str, detail: str = "") -> None:
        """Say why there are no cards: start, going, nothing (`detail` tells what may help)."""
        self.results.fill(())
        self._status.setText("")
        self._stack.setCurrentWidget(self.empty)
        match kind:
            case "start":
                title, text = (
                    self.tr("Search your documents"),
                    self.tr(
                        "Words and meaning are both looked at. Type a few words, or a whole question, and press Enter."
                    ),
                )
                self.empty.say(title, text)
            case "going":
                self.empty.say(self.tr("Searching…"))
            case _:
                actions = (("wider", self.tr("Look wider")),) if detail else ()
                self.empty.say(self.tr("Nothing found"), detail or self.tr("Try other words."), actions)

    def _build(self) -> None:
        self.query = search_field(self.tr("Search by words and meaning"), "search.query")
        self.query.setProperty("look", "large")
        self._go = button(self.tr("Search"), "search.go", kind="primary")
        self._go.setProperty("look", "large")
        self.options = SearchOptions()
        self._no_options = label("", "muted", wrap=True)
        self._no_options.setObjectName("search.no_options")
        self._no_options.hide()
        self._recent_title = label(self.tr("Recent"), "section")
        self._forget = button(self.tr("Clear"), "search.forget", kind="quiet")
        self._forget.setProperty("look", "small")
        self._recent = ItemList("search.recent", self.tr("Recent searches"))
        self._status = ElidedLabel("", "muted")
        self._status.setObjectName("search.status")
        self._all = button(self.tr("Select all"), "search.all", kind="quiet")
        self._about = button("", "search.about", icon_name="chat")
        self.note = Note("search.note")
        self.results = ResultList()
        self.empty = EmptyState("search.empty", "search")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.results)

    def _list_column(self) -> ListColumn:
        recent = row(self._recent_title, 1, self._forget, margins=(14, 4, 8, 2))
        self._no_options.setContentsMargins(14, 12, 14, 12)
        body = column(head(label(self.tr("Search"), "heading")), self.options, self._no_options, recent, spacing=0)
        body.addWidget(self._recent, 1)
        return ListColumn(body)

    def _work_column(self) -> QFrame:
        self._bar = QWidget()
        tools = row(self._status, self._all, self._about, spacing=10)
        tools.setStretchFactor(self._status, 1)
        self._bar.setLayout(column(self.note, tools, margins=(16, 8, 16, 8)))
        body = column(head(self.query, self._go, height=60), self._bar, spacing=0)
        body.addWidget(self._stack, 1)
        return frame("column", "work", body)

    def _connect(self) -> None:
        self.query.returnPressed.connect(lambda: self.asked.emit(self.words))
        self.query.textEdited.connect(self._right_again)
        self._go.clicked.connect(lambda: self.asked.emit(self.words))
        self.options.changed.connect(self.options_changed)
        self._recent.chosen.connect(lambda key: self.recent_chosen.emit(int(key)))
        self._forget.clicked.connect(self.forget_asked)
        self.results.ticks_changed.connect(self._ticked)
        self.results.ask_asked.connect(self._ask)
        self._all.clicked.connect(lambda: self.results.tick_all(len(self.results.ticked()) < self.results.count()))
        self._about.clicked.connect(self._ask)
        self.note.acted.connect(self.acted)
        self.empty.acted.connect(self.acted)

    def _right_again(self) -> None:
        if self.note.isVisible():
            self.note.hide()

    def _ask(self) -> None:
        if ticked := self.results.ticked():
            self.about_asked.emit(ticked)

    def _ticked(self) -> None:
        count, of = len(self.results.ticked()), self.results.count()
        self._all.setVisible(of > 0)
        self._all.setText(self.tr("Select none") if count == of else self.tr("Select all"))
        self._about.setVisible(of > 0)
        self._about.setEnabled(count > 0)
        words = self.tr("Ask about {n} selected").format(n=count) if count else self.tr("Ask about selected")
        self._about.setText(words)
        self._about.setAccessibleName(words)

    def focus_query(self) -> None:
        """Go to the query, all of it selected."""
        self.query.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.query.selectAll()
