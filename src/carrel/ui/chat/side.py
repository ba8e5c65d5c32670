"""The chat pane's list column: a search over everything, the chats or what was found, the archive."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QStackedWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, column, frame, head, label, row, search_field
from carrel.ui.widgets.itemlist import Item, ItemList

PAUSE = 150
"""Milliseconds after the last letter before a search begins."""


class ChatSide(QFrame):
    """Speaks by signals. `searched` tells the words once a person pauses, `verb_chosen` a chat and what to do."""

    renamed = Signal(str, str)
    searched = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("column", "list")
        self.list = ItemList("chat.list", self.tr("Chats"))
        self.results = ItemList("chat.results", self.tr("What was found"))
        self.search = search_field(self.tr("Search all chats"), "chat.search")
        self.add = button(self.tr("New"), "chat.new", icon_name="plus", accessible=self.tr("New chat"))
        self.archived = button("", "chat.archived", kind="quiet", icon_name="archive")
        self._nothing = label("", "muted", wrap=True)
        self._names = QLineEdit(self.list.viewport())
        self._names.setObjectName("chat.rename")
        self._names.setAccessibleName(self.tr("New title"))
        self._names.hide()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._build()
        self._connect()

    def show_archived_count(self, count: int, is_open: bool) -> None:
        """Offer the archive where there is one."""
        self.archived.setVisible(bool(count) or is_open)
        self.archived.setText(self.tr("Back to all chats") if is_open else self.tr("Archived ({n})").format(n=count))
        self.archived.setAccessibleName(self.archived.text())

    def show_results(self, items: Sequence[Item] | None, nothing: str = "") -> None:
        """Show what was found in place of the chats; None shows the chats again."""
        self._lists.setCurrentWidget(self.list if items is None else self._found)
        self._nothing.setText(nothing)
        self._nothing.parentWidget().setVisible(bool(nothing))
        self.results.fill(items or [])

    def show_menu(self, place: QPoint, verbs: Sequence[tuple[str, QObject]]) -> None:
        """Offer what can be done with a chat: (words, action) each; an empty word is a line."""
        menu = QMenu(self)
        menu.setObjectName("chat.menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, act in verbs:
            if words:
                menu.addAction(words, act)
            else:
                menu.addSeparator()
        menu.popup(place)

    def rename(self, key: str) -> None:
        """Let the title be typed over in place."""
        number = self._number(key)
        if number is None:
            return
        self.list.scrollTo(self.list.model().index(number, 0))
        self._names.setProperty("key", key)
        self._names.setText(self.list.items()[number].title)
        self._names.show()
        self.place_rename()
        self._names.setFocus()
        self._names.selectAll()

    def place_rename(self) -> None:
        """Put the title that is being typed over its entry, wherever that has gone; one whose entry is gone is left."""
        if self._names.isHidden():
            return
        number = self._number(self._names.property("key"))
        if number is None:
            self._names.hide()
            return
        box = self.list.visualRect(self.list.model().index(number, 0))
        edge = theme.px(6)
        self._names.setGeometry(8, box.top() + edge, self.list.viewport().width() - 16, box.height() - 2 * edge)

    def begin_search(self) -> None:
        """Let words be typed that are looked for in all chats."""
        self.search.setFocus()
        self.search.selectAll()

    def escape(self) -> bool:
        """Leave the new title, or the search; True where there was one."""
        if self._names.isVisible():
            self._names.hide()
            self.list.setFocus()
            return True
        if self.search.text():
            self.search.clear()
            return True
        return False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the search field, Down and Enter go to what was found."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            keys = {Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if event.key() in keys:
                self._into_list()
                return True
        return False

    def _into_list(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self.searched.emit(self.search.text().strip())
        shown = self.results if self._lists.currentWidget() is self._found else self.list
        first = next((n for n, item in enumerate(shown.items()) if item.key), None)
        shown.setFocus()
        if first is not None and not shown.currentIndex().isValid():
            shown.setCurrentIndex(shown.model().index(first, 0))

    def _build(self) -> None:
        self._found = frame("part", "found", column(self._note_row(), self.results, spacing=0))
        self._lists = QStackedWidget()
        self._lists.addWidget(self.list)
        self._lists.addWidget(self._found)
        body = column(
            head(label(self.tr("Chats"), "heading"), 1, self.add),
            frame("part", "pad", row(self.search, margins=(12, 10, 12, 4))),
            spacing=0,
        )
        body.addWidget(self._lists, 1)
        body.addWidget(frame("part", "pad", row(self.archived, 1, margins=(6, 2, 6, 4))))
        self.setLayout(body)
        self._take_width()
        theme.follow(self, self._take_width)

    def _note_row(self) -> QFrame:
        held = frame("part", "pad", column(self._nothing, margins=(17, 12, 14, 4)))
        held.hide()
        return held

    def _connect(self) -> None:
        self.list.rename_asked.connect(self.rename)
        self._names.editingFinished.connect(self._named)
        self.list.verticalScrollBar().valueChanged.connect(lambda _: self.place_rename())
        QShortcut(QKeySequence("Ctrl+Shift+F"), self).activated.connect(self.begin_search)
        self.search.installEventFilter(self)
        self.search.textChanged.connect(self._typed)
        self._timer.timeout.connect(lambda: self.searched.emit(self.search.text().strip()))

    def _take_width(self) -> None:
        self.setFixedWidth(theme.px(264))

    def _typed(self, text: str) -> None:
        if text.strip():
            self._timer.start()
        else:
            self._timer.stop()
            self.searched.emit("")

    def _named(self) -> None:
        if self._names.isVisible():
            by_enter = self._names.hasFocus()
            self._names.hide()
            if by_enter:  # else the focus has gone where the person went
                self.list.setFocus()
            self.renamed.emit(self._names.property("key"), self._names.text())

    def _number(self, key: object) -> int | None:
        """Where the list shows a chat; what was not laid out yet is."""
        number = next((n for n, item in enumerate(self.list.items()) if key and item.key == key), None)
        if number is not None:
            self.list.reach(number)
        return number
