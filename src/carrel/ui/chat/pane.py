"""The chat pane's widgets: the list of chats, the transcript, the composer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QStackedWidget, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.controls import ElidedLabel, Tag, button, column, frame, head, label, row, search_field
from carrel.ui.widgets.itemlist import ItemList
from carrel.ui.widgets.notes import EmptyState, Note
from carrel.ui.widgets.transcript import Transcript


class ChatPane(QWidget):
    """Speaks by signals; the presenter fills it."""

    renamed = Signal(str, str)
    menu_chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("chat.pane")
        self.chats = ItemList("chat.list", self.tr("Chats"))
        self.filter = search_field(self.tr("Search chats"), "chat.filter")
        self.add = button(self.tr("New"), "chat.new", icon_name="plus", accessible=self.tr("New chat"))
        self.title = ElidedLabel("", "bold")
        self.title.setObjectName("chat.title")
        self.note = Note("chat.note", closable=True)
        self.transcript = Transcript("chat.transcript", self.tr("Conversation"))
        self.empty = EmptyState("chat.empty", "chat")
        self.composer = Composer()
        self.hint = Note("chat.hint", closable=True)
        self.unkept = Tag(self.tr("Not kept"), "warn")
        self.unkept.setObjectName("chat.not_kept")
        self.unkept.setToolTip(
            self.tr("Nothing of this chat is written to this computer; it is gone when Carrel closes.")
        )
        self.unkept.hide()
        self._names = QLineEdit(self.chats)
        self._names.setObjectName("chat.rename")
        self._names.setAccessibleName(self.tr("New title"))
        self._names.hide()
        self._build()
        self.chats.menu_asked.connect(self._menu)
        self._names.editingFinished.connect(self._named)

    def show_transcript(self, shown: bool) -> None:
        """Show the conversation, or the empty state."""
        self._middle.setCurrentWidget(self.transcript if shown else self.empty)

    def rename(self, key: str) -> None:
        """Let the title be typed over in place."""
        rows = [n for n, item in enumerate(self.chats.items()) if item.key == key]
        if not rows:
            return
        box = self.chats.visualRect(self.chats.model().index(rows[0], 0))
        self._names.setProperty("key", key)
        self._names.setText(self.chats.items()[rows[0]].title)
        self._names.setGeometry(box.adjusted(8, 6, -8, -6))
        self._names.show()
        self._names.setFocus()
        self._names.selectAll()

    def _build(self) -> None:
        side = column(
            head(label(self.tr("Chats"), "heading"), 1, self.add),
            frame("part", "pad", row(self.filter, margins=(12, 10, 12, 4))),
            spacing=0,
        )
        side.addWidget(self.chats, 1)
        listing = frame("column", "list", side)
        listing.setFixedWidth(theme.px(264))
        theme.changed.connect(lambda: listing.setFixedWidth(theme.px(264)))
        top = head(spacing_free(self.title), self.unkept)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.empty)
        self._middle.addWidget(self.transcript)
        below = row(0, spacing=0, margins=(24, 0, 24, 14))
        typing = frame("part", "typing", column(self.hint, self.composer, spacing=8))
        below.insertWidget(1, typing, 1)
        below.addStretch(0)
        typing.setMaximumWidth(theme.px(740))
        theme.changed.connect(lambda: typing.setMaximumWidth(theme.px(740)))
        work = column(top, self.note, spacing=0)
        work.addWidget(self._middle, 1)
        work.addLayout(below)
        body = row(listing, spacing=0)
        body.addWidget(frame("column", "work", work), 1)
        self.setLayout(body)

    def _menu(self, key: str, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Rename"), lambda: self.rename(key))
        menu.addAction(self.tr("Pin to the top, or no longer"), lambda: self.menu_chosen.emit(key, "pin"))
        menu.addSeparator()
        menu.addAction(self.tr("Delete here"), lambda: self.menu_chosen.emit(key, "delete"))
        menu.popup(place)

    def _named(self) -> None:
        if self._names.isVisible():
            self._names.hide()
            self.renamed.emit(self._names.property("key"), self._names.text())


def spacing_free(widget: QWidget) -> QFrame:
    """A widget that may take all the room of its row."""
    held = frame("part", "room", row(widget))
    held.layout().setStretch(0, 1)
    return held
