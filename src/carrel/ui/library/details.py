"""The panel at the right: all that the service says of one file, a preview, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QSizePolicy, QWidget

from carrel.model import LibraryFile
from carrel.ui.library.preview import PreviewView
from carrel.ui.library.words import added_words, folder_words, source_words, state_words
from carrel.ui.widgets.controls import ElidedLabel, Tag, button, column, frame, head, label, named, row, tool
from carrel.ui.widgets.flow import FlowLayout
from carrel.work.catalog import kind_of


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
        self._fields = QGridLayout()
        self._fields.setHorizontalSpacing(12)
        self._fields.setVerticalSpacing(6)
        self._fields.setColumnStretch(1, 1)
        self._fields.setContentsMargins(0, 0, 0, 0)
        fields = QWidget()
        fields.setLayout(self._fields)
        self.preview = PreviewView()
        self._folder = self._button(self.tr("Show in folder"), "folder")
        self._folder.hide()
        body = column(
            row(self._state, 1), fields, self._make_actions(), label(self.tr("Preview"), "section"), self.preview,
            margins=(14, 12, 14, 12), spacing=10,
        )  # fmt: skip
        body.setStretchFactor(self.preview, 1)
        self.setLayout(column(bar, frame("clear", "true", body), spacing=0))
        self.layout().setStretch(1, 1)
        self.hide()

    def show_file(self, file: LibraryFile) -> None:
        """Show all fields of a file; the preview comes later."""
        self.file_id = file.id
        self._title.setText(file.file_name)
        self._state.show_as(*state_words(file.state))
        while taken := self._fields.takeAt(0):
            taken.widget().deleteLater()
        for number, (name, value) in enumerate(self._lines(file)):
            self._fields.addWidget(label(name, "small"), number, 0, Qt.AlignmentFlag.AlignTop)
            self._fields.addWidget(self._value(value), number, 1)
        self.show()

    def show_copy(self, has_copy: bool) -> None:
        """Offer the way to the copy on this computer where there is one."""
        self._folder.setVisible(has_copy)

    def put_away(self) -> None:
        """Close the panel."""
        self.file_id = ""
        self.hide()
        self.closed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.turned.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.turned.emit()

    def _lines(self, file: LibraryFile) -> Sequence[tuple[str, str]]:
        lines = [
            (self.tr("Type"), kind_of(file.file_name)),
            (self.tr("Folder"), folder_words("/".join(file.folder_path)) or self.tr("None")),
            (self.tr("Source"), source_words(file.provider)),
            (self.tr("Added"), added_words(file.added.timestamp() if file.added else 0.0)),
            (self.tr("Shared"), self.tr("Yes") if file.is_shared else self.tr("No")),
            (self.tr("Media type"), file.mime_type),
            (self.tr("Id"), file.id),
            (self.tr("Link"), file.download_link),
        ]
        further = [(name, str(value)) for name, value in (file.model_extra or {}).items()]
        return [(name, value) for name, value in (*lines, *further) if value]

    @staticmethod
    def _value(text: str) -> QWidget:
        """Words wrap; an id or an address has no place to break at, so it is a line that can be scrolled and copied."""
        if " " in text or len(text) <= 24:
            return label(text, wrap=True, select=True)
        made = QLineEdit(text)
        made.setReadOnly(True)
        made.setProperty("look", "plain")
        made.setCursorPosition(0)
        return made

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
