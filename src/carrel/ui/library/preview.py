"""Shows the beginning of a file in the details: text, Markdown, a table or a picture; never runs or loads anything."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QStackedWidget, QWidget

from carrel.ui.library.previewtables import Tables
from carrel.ui.theme import theme
from carrel.ui.widgets.codeview import CodeView
from carrel.ui.widgets.controls import Part, button, column, label, named, row
from carrel.ui.widgets.markdownview import MarkdownView
from carrel.work.previews import Preview

MOST_PIXELS = 64_000_000
"""Of a picture that is decoded; one that says it is larger is not read at all."""


class PreviewView(QStackedWidget):
    """One preview at a time. `linked` tells an address in a text that was pressed."""

    linked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "library.preview", self.tr("Preview"))
        self._words = label("", "muted", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._text = CodeView("library.preview.text", self.tr("Text of the file"))
        self._markdown = MarkdownView("library.preview.markdown", self.tr("Text of the file"))
        self._markdown.linked.connect(self.linked)
        self._picture = Picture("library.preview.picture", self.tr("Picture"))
        self._format = button(self.tr("Show it formatted"), "library.preview.format")
        self._format.setProperty("look", "small")
        self._format.clicked.connect(self._show_formatted)
        self._notes = {kind: label("", "small", wrap=True) for kind in ("text", "markdown")}
        for kind, note in self._notes.items():
            named(note, f"library.preview.{kind}.note")
        page = QWidget()
        page.setProperty("clear", "true")
        page.setLayout(column(self._markdown, 1, margins=(2, 2, 8, 2)))
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setWidget(page)
        self._tables = Tables()
        self._pages = {
            "text": _page(self._text, self._notes["text"]),
            "markdown": _page(self._scroll, self._notes["markdown"], row(self._format, 1)),
        }
        for one in (self._words, *self._pages.values(), self._picture, self._tables):
            self.addWidget(one)

    def say(self, words: str) -> None:
        """Say why there is nothing to see, or not yet."""
        self._words.setText(words)
        self.setCurrentWidget(self._words)

    def show_preview(self, found: Preview, picture: QImage | None) -> None:
        """Show what was read of a file."""
        match found.kind:
            case "text" | "markdown" if not found.text.strip():
                self.say(self.tr("There is nothing in it."))
            case "text":
                self._text.setLineWrapMode(_wrapping(found.path))
                self._text.show_code(found.text)
                self._show_page(found)
            case "markdown":
                self._markdown.show_markdown(found.text)
                self._scroll.verticalScrollBar().setValue(0)
                self._show_page(found)
            case "table":
                self._tables.show_tables(found.tables)
                self.setCurrentWidget(self._tables)
            case "image" if picture is not None and not picture.isNull():
                self._picture.show_picture(picture)
                self.setCurrentWidget(self._picture)
            case "image":
                self.say(self.tr("The picture cannot be read."))
            case _:
                self.say(found.text or self.tr("Files of this type are not shown here. Open the file to see it."))

    def _show_page(self, found: Preview) -> None:
        """Show the text, and say where it is not all there is, or not as it should look."""
        self._found = found
        notes = [self.tr("The beginning. Open the file to see all of it.")] if found.is_cut else []
        offers = found.kind == "markdown" and self._markdown.offers_format
        if found.kind == "markdown" and self._markdown.is_plain:
            slow = self.tr("To format it takes a moment, so it is shown as it came.")
            notes.append(slow if offers else self.tr("It is too long to be formatted here."))
        self._format.setVisible(offers)
        self._notes[found.kind].setText(" ".join(notes))
        self._notes[found.kind].setVisible(bool(notes))
        self.setCurrentWidget(self._pages[found.kind])

    def _show_formatted(self) -> None:
        self._markdown.show_formatted()
        self._show_page(self._found)


class Picture(QLabel):
    """A picture that is never larger than its room, at whatever size that is."""

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__(alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        named(self, object_name, accessible)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._whole = QPixmap()

    def show_picture(self, picture: QImage) -> None:
        """Show this one."""
        self._whole = QPixmap.fromImage(picture)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        fitted, room = self._whole, QSize(max(1, self.width()), max(1, self.height()))
        if fitted.width() > room.width() or fitted.height() > room.height():
            fitted = fitted.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        self.setPixmap(fitted)


def _page(*parts: Part) -> QWidget:
    made = QWidget()
    made.setLayout(column(*parts, spacing=6))
    made.layout().setStretch(0, 1)
    return made


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
