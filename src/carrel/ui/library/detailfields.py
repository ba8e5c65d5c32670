"""The fields of a file in the details: as high as they are up to half of the panel, then they scroll."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QScrollArea, QSizePolicy, QTextBrowser, QWidget

from carrel.model import LibraryFile
from carrel.ui.library.words import added_words, folder_words, name_words, source_words
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import label, named
from carrel.work.catalog import kind_of

LONG = 24
"""Letters of a word that may be wider than the panel."""


class Fields(QScrollArea):
    """A name and a value a line."""

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        named(self, "library.details.fields", self.tr("What the service says of the file"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._grid.setContentsMargins(0, 0, 6, 0)
        page = QWidget()
        page.setProperty("clear", "true")
        page.setLayout(self._grid)
        self.setWidget(page)

    def show_file(self, file: LibraryFile) -> None:
        """Show all that the service says of a file, from the top."""
        while taken := self._grid.takeAt(0):
            taken.widget().hide()
            taken.widget().deleteLater()
        for number, (key, name, value) in enumerate(self._lines(file)):
            shown = _value(value)
            is_label = isinstance(shown, QLabel)  # whose accessible name is read in place of its words
            named(shown, f"library.details.field.{key}", f"{name}: {value}" if is_label else name)
            self._grid.addWidget(label(name, "small"), number, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(shown, number, 1)
        self.verticalScrollBar().setValue(0)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self.viewport().width()
        return QSize(theme.px(200), max(self._grid.heightForWidth(width), self._grid.minimumSize().height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(120), min(self.sizeHint().height(), theme.px(72)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _lines(self, file: LibraryFile) -> Sequence[tuple[str, str, str]]:
        folder = "/".join(part for part in file.folder_path if part.strip())
        lines = [
            ("type", self.tr("Type"), kind_of(file.file_name)),
            ("folder", self.tr("Folder"), folder_words(folder) or self.tr("None")),
            ("source", self.tr("Source"), source_words(file.provider)),
            ("added", self.tr("Added"), added_words(file.added.timestamp() if file.added else 0.0)),
            ("shared", self.tr("Shared"), self.tr("Yes") if file.is_shared else self.tr("No")),
            ("media_type", self.tr("Media type"), file.mime_type),
            ("id", self.tr("Id"), file.id),
            ("link", self.tr("Link"), file.download_link),
        ]
        further = [(name, name, str(value)) for name, value in (file.model_extra or {}).items()]
        return [line for line in (*lines, *further) if line[2]]


class Words(QTextBrowser):
    """Prose with a word that is wider than the panel: broken where there is no other way, never cut."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        self.document().setDefaultFont(theme.font(13))
        self.setPlainText(text)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(round(self.document().size().height()) + 1)


def _value(text: str) -> QWidget:
    """Words wrap; an id or an address has no place to break at, so it is a line that can be scrolled and copied."""
    longest = max(map(len, text.split()), default=0)
    if longest <= LONG:
        return label(text, wrap=True, select=True)
    if len(text.split()) > 1:
        return Words(name_words(text))
    made = QLineEdit(text)
    made.setReadOnly(True)
    made.setProperty("look", "plain")
    made.setCursorPosition(0)
    return made
