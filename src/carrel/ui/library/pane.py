"""The library pane's widgets: list column, table, tray, and what stands there while there is nothing to list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedWidget, QWidget

from carrel.ui.library.filetable import FileTable
from carrel.ui.library.sidebar import Sidebar
from carrel.ui.library.skeleton import Skeleton
from carrel.ui.library.tray import Tray
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, column, frame, head, named, search_field, tip, tool
from carrel.ui.widgets.notes import EmptyState, Note

if TYPE_CHECKING:
    from carrel.ui.library.details import Details
    from carrel.work.catalog import Catalog

DETAILS, LEAST_DETAILS = 320, 250
"""Pixels of the details at 13 px text, where there is room, and where there is little."""

LEAST_TABLE = 335
"""Pixels that the table keeps beside the details; where that cannot be, they cover it."""

WORDS = 540
"""Pixels of the work column from which its buttons have words beside their icons."""


class LibraryPane(QWidget):
    """Widgets only. `acted` tells the key of something that a person wants done."""

    acted = Signal(str)
    filtered = Signal(str)
    more_asked = Signal(QPoint)

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        named(self, "library", self.tr("Library"))
        self.sidebar = Sidebar()
        self.table = FileTable(catalog)
        self.tray = Tray()
        self.note = Note("library.note", closable=True)
        self.empty = EmptyState("library.empty", "library")
        self.skeleton = Skeleton()
        self.filter = search_field(self.tr("Filter by name or folder"), "library.filter")
        self.filter.textChanged.connect(self.filtered)
        self.note.acted.connect(self.acted)
        self.empty.acted.connect(self.acted)
        self._stack = QStackedWidget()
        for one in (self.skeleton, self.table, self.empty):
            self._stack.addWidget(one)
        self._head = self._make_head()
        self._details: Details | None = None
        self._middle = QHBoxLayout()
        self._middle.setSpacing(0)
        self._middle.addWidget(self._stack, 1)
        self.work = frame("column", "work", column(self._head, self.note, self._middle, self.tray, spacing=0))
        self.work.layout().setStretchFactor(self._middle, 1)
        box = QHBoxLayout(self)
        box.setSpacing(0)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.sidebar)
        box.addWidget(self.work, 1)
        self.show_selection(0)
        theme.changed.connect(self._refit)
        self._refit()

    def add_details(self, details: Details) -> None:
        """Give the details a place beside the table: they are made when they are first asked for."""
        self._details = details
        self._middle.addWidget(details)
        details.turned.connect(self._share)

    def show_files(self) -> None:
        """Show the table."""
        self._stack.setCurrentWidget(self.table)

    def show_loading(self) -> None:
        """Show that nobody has said yet what there is."""
        self._stack.setCurrentWidget(self.skeleton)

    def show_empty(self, title: str, text: str, actions: tuple[tuple[str, str], ...] = ()) -> None:
        """Say why there is nothing, and what the first step is."""
        self.empty.say(title, text, actions)
        self._stack.setCurrentWidget(self.empty)

    def show_selection(self, count: int) -> None:
        """Offer what can be done with so many selected files."""
        for one in (self.ask, self.download):
            one.setVisible(count > 0)
        words = self.tr("Ask about 1 file") if count == 1 else self.tr("Ask about {n} files").format(n=count)
        self.ask.setAccessibleName(words)
        self._name_buttons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
        self._name_buttons()

    def _share(self) -> None:
        """Divide the room between table and details; in a narrow window these cover the table."""
        if self._details is None:
            return
        is_open = self._details.isVisibleTo(self)
        room = self.width() - self.sidebar.width()
        is_wide = room >= theme.px(LEAST_TABLE + LEAST_DETAILS)
        wide = min(theme.px(DETAILS), room - theme.px(LEAST_TABLE))
        self._details.setFixedWidth(wide if is_wide else room)
        self._stack.setVisible(is_wide or not is_open)

    def _name_buttons(self) -> None:
        """Where there is little room, an icon and its tool tip are enough."""
        is_wide = self.width() - self.sidebar.width() >= theme.px(WORDS)
        for one in (self.ask, self.download):
            one.setText(one.accessibleName() if is_wide else "")
            tip(one, "" if is_wide else one.accessibleName())

    def _make_head(self) -> QFrame:
        self.ask = self._button("", "ask", "chat")
        self.download = self._button(self.tr("Download"), "download", "download")
        self.upload = self._button(self.tr("Upload"), "upload", "upload", kind="primary")
        self.upload.setToolTip(self.tr("Upload files (Ctrl+N)"))
        self.more = tool("more", "library.more", self.tr("More"))
        self.more.clicked.connect(lambda: self.more_asked.emit(self.more.mapToGlobal(self.more.rect().bottomLeft())))
        self.filter.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        made = head(self.filter, 1, self.ask, self.download, self.more, self.upload)
        made.layout().setStretchFactor(self.filter, 100)
        return made

    def _button(self, words: str, key: str, icon_name: str, kind: str = "") -> QWidget:
        made = button(words, f"library.{key}", kind=kind, icon_name=icon_name)
        made.clicked.connect(lambda: self.acted.emit(key))
        return made

    def _refit(self) -> None:
        self.filter.setMaximumWidth(theme.px(340))
        self.filter.setMinimumWidth(theme.px(120))
        self._share()
