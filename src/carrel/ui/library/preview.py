"""Shows the beginning of a file in the details: text, Markdown, a table or a picture; never runs or loads anything."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPixmap
from PySide6.QtWidgets import QLabel, QScrollArea, QStackedWidget, QWidget

from carrel.ui.library.previewtables import Tables
from carrel.ui.theme import theme
from carrel.ui.widgets.codeview import CodeView
from carrel.ui.widgets.controls import column, label, named
from carrel.ui.widgets.markdownview import MarkdownView
from carrel.work.previews import Preview

MOST_PIXELS = 64_000_000
"""Of a picture that is decoded; one that says it is larger is not read at all."""


class PreviewView(QStackedWidget):
    """One preview at a time."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "library.preview", self.tr("Preview"))
        self._words = label("", "muted", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._text = CodeView("library.preview.text", self.tr("Text of the file"))
        self._markdown = MarkdownView("library.preview.markdown", self.tr("Text of the file"))
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        named(self._picture, "library.preview.picture", self.tr("Picture"))
        page = QWidget()
        page.setProperty("clear", "true")
        page.setLayout(column(self._markdown, 1, margins=(2, 2, 8, 2)))
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setWidget(page)
        self._tables = Tables()
        for one in (self._words, self._text, self._scroll, self._picture, self._tables):
            self.addWidget(one)

    def say(self, words: str) -> None:
        """Say why there is nothing to see, or not yet."""
        self._words.setText(words)
        self.setCurrentWidget(self._words)

    def show_preview(self, found: Preview, picture: QImage | None) -> None:
        """Show what was read of a file."""
        match found.kind:
            case "text":
                self._text.setLineWrapMode(_wrapping(found.path))
                self._text.show_code(found.text)
                self.setCurrentWidget(self._text)
            case "markdown":
                self._markdown.show_markdown(found.text)
                self.setCurrentWidget(self._scroll)
            case "table":
                self._tables.show_tables(found.tables)
                self.setCurrentWidget(self._tables)
            case "image" if picture is not None and not picture.isNull():
                self._show_picture(picture)
            case "image":
                self.say(self.tr("The picture cannot be read."))
            case _:
                self.say(found.text or self.tr("Files of this type are not shown here. Open the file to see it."))

    def _show_picture(self, picture: QImage) -> None:
        pixmap = QPixmap.fromImage(picture)
        room = QSize(max(60, self.width()), max(60, self.height()))
        if pixmap.width() > room.width() or pixmap.height() > room.height():
            pixmap = pixmap.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        self._picture.setPixmap(pixmap)
        self.setCurrentWidget(self._picture)


def _wrapping(path: Path | None) -> CodeView.LineWrapMode:
    """Prose wraps in a narrow panel; the lines of code stay whole."""
    is_prose = path is not None and path.suffix.lower() == ".txt"
    return CodeView.LineWrapMode.WidgetWidth if is_prose else CodeView.LineWrapMode.NoWrap


def read_picture(path: Path) -> QImage:
    """A picture, no larger than a screen shows; empty where it cannot be read. Reads the disk: call it in a thread."""
    reader = QImageReader(str(path))
    reader.setAutoTransform(True)
    size = reader.size()
    if size.width() * size.height() > MOST_PIXELS:
        return QImage()
    most = theme.px(1200)
    if size.isValid() and max(size.width(), size.height()) > most:
        reader.setScaledSize(size.scaled(QSize(most, most), Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()
