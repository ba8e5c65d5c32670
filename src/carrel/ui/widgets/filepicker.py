"""A dialog that looks for files of the library and takes some of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QWidget

from carrel.model import LibraryFile
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, column, label, named, row, search_field
from carrel.ui.widgets.ticks import BESIDE, TickDelegate

PAUSE = 250
"""Milliseconds after the last letter before the library is asked."""


class FilePicker(QDialog):
    """`asked` tells the words to look for, `picked` the files that a person took."""

    asked = Signal(str)
    picked = Signal(list)

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        named(self, "filepicker", title)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(theme.px(560), theme.px(460))
        self._files: dict[str, LibraryFile] = {}
        self._taken: dict[str, LibraryFile] = {}
        self._build()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(lambda: self.asked.emit(self._words.text().strip()))
        self._words.textChanged.connect(self._typed)
        self._words.installEventFilter(self)
        self._list.itemChanged.connect(self._changed)
        self._list.itemClicked.connect(self._turn)
        self._take.clicked.connect(self._done)
        self._leave.clicked.connect(self.reject)

    def open(self) -> None:
        """Show, and ask for the newest files."""
        super().open()
        self._say(self.tr("Looking…"))
        self.asked.emit("")

    def show_files(self, files: Sequence[LibraryFile]) -> None:
        """List what was found; what was ticked before stays ticked."""
        self._files = {file.id: file for file in files}
        self._list.blockSignals(True)
        self._list.clear()
        for file in files:
            self._list.addItem(self._item(file))
        self._list.blockSignals(False)
        self._say("" if files else self.tr("No file of the library has these words in its name or folder."))

    def show_error(self, title: str, text: str) -> None:
        """Say why nothing can be listed."""
        self._list.clear()
        self._say(f"{title}. {text}".strip())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down in the field goes to the list."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down:
            self._list.setFocus()
            self._list.setCurrentRow(max(0, self._list.currentRow()))
            return True
        return False

    def _build(self) -> None:
        self._words = search_field(self.tr("Name or folder"), "filepicker.words")
        self._list = QListWidget()
        self._list.setItemDelegate(TickDelegate(self._list))
        self._list.setProperty("look", "ticks")
        named(self._list, "filepicker.list", self.tr("Files of the library"))
        self._note = label("", "muted", wrap=True)
        self._count = label("", "small")
        self._leave = button(self.tr("Cancel"), "filepicker.cancel")
        self._take = button(self.tr("Take"), "filepicker.take", kind="primary")
        self._take.setEnabled(False)
        buttons = row(self._count, 1, self._leave, self._take)
        body = column(self._words, self._note, self._list, buttons, margins=(16, 16, 16, 14), spacing=10)
        body.setStretchFactor(self._list, 1)
        self.setLayout(body)

    def _item(self, file: LibraryFile) -> QListWidgetItem:
        made = QListWidgetItem(file.file_name)
        made.setData(Qt.ItemDataRole.UserRole, file.id)
        made.setData(BESIDE, " / ".join(file.folder_path))
        made.setFlags(made.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        made.setCheckState(Qt.CheckState.Checked if file.id in self._taken else Qt.CheckState.Unchecked)
        return made

    def _turn(self, item: QListWidgetItem) -> None:
        is_on = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked)

    def _changed(self, item: QListWidgetItem) -> None:
        file_id = item.data(Qt.ItemDataRole.UserRole)
        if item.checkState() == Qt.CheckState.Checked:
            self._taken[file_id] = self._files[file_id]
        else:
            self._taken.pop(file_id, None)
        self._take.setEnabled(bool(self._taken))
        self._count.setText(self.tr("{n} ticked").format(n=len(self._taken)) if self._taken else "")

    def _typed(self) -> None:
        self._timer.start()

    def _done(self) -> None:
        self.picked.emit(list(self._taken.values()))
        self.accept()

    def _say(self, words: str) -> None:
        self._note.setText(words)
        self._note.setVisible(bool(words))
