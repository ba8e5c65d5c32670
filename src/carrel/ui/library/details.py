"""The panel at the right: all that the service says of one file, a preview, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from carrel.model import LibraryFile
from carrel.ui.library.detailfields import Fields
from carrel.ui.library.preview import PreviewView
from carrel.ui.library.words import name_words, state_words
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, Tag, button, column, frame, head, label, named, row, tool
from carrel.ui.widgets.flow import FlowLayout


class Details(QFrame):
    """`acted` tells what to do with the file that is shown; `closed` that the panel was put away.

    `turned` tells that it came or went, for whoever gives it its room.
    """

    acted = Signal(str)
    closed = Signal()
    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "library.details", self.tr("Details"))
        self.setProperty("column", "panel")
        self.file_id = ""
        self._title = ElidedLabel("", "bold", Qt.TextElideMode.ElideMiddle)
        close = tool("close", "library.details.close", self.tr("Close the details"))
        close.clicked.connect(self.put_away)
        bar = head(self._title, close)
        bar.layout().setStretchFactor(self._title, 1)
        self._state = Tag()
        self._fields = Fields()
        self.preview = PreviewView()
        self._folder = self._button(self.tr("Show in folder"), "folder")
        self._folder.hide()
        body = column(
            row(self._state, 1), self._fields, self._make_actions(), label(self.tr("Preview"), "section"), self.preview,
            margins=(14, 12, 14, 12), spacing=10,
        )  # fmt: skip
        body.setStretchFactor(self.preview, 1)
        self.setLayout(column(bar, frame("clear", "true", body), spacing=0))
        self.layout().setStretch(1, 1)
        self.hide()

    def show_file(self, file: LibraryFile) -> None:
        """Show all fields of a file; the preview comes later."""
        self.file_id = file.id
        self._title.setText(name_words(file.file_name))
        self._state.show_as(*state_words(file.state))
        self._fields.show_file(file)
        self.show()

    def show_copy(self, has_copy: bool) -> None:
        """Offer the way to the copy on this computer where there is one."""
        self._folder.setVisible(has_copy)

    def put_away(self) -> None:
        """Close the panel."""
        self.file_id = ""
        self.hide()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the preview its half."""
        super().resizeEvent(event)
        self._fields.setMaximumHeight(max(theme.px(72), self.height() // 2 - theme.px(48)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.turned.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.turned.emit()

    def _make_actions(self) -> QWidget:
        flow = FlowLayout()
        for one in (
            self._button(self.tr("Open"), "open"), self._button(self.tr("Save as…"), "save"),
            self._button(self.tr("Copy link"), "link"), self._folder,
        ):  # fmt: skip
            flow.addWidget(one)
        made = QWidget()
        made.setLayout(flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
        return made

    def _button(self, words: str, key: str) -> QWidget:
        made = button(words, f"library.details.{key}")
        made.setProperty("look", "small")
        made.clicked.connect(lambda: self.acted.emit(key))
        return made
