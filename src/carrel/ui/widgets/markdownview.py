"""Markdown of the service, shown safely: no HTML, no image is ever loaded, links leave only through a signal."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named

MOST = 200_000
"""Characters that are shown: more takes longer than a person waits."""

AT_ONCE, ASKED = 60_000, 600_000
"""What is laid out at once, and what only where it is asked for, in characters: 60,000 take about 50 ms."""

BAR = 80
"""Characters of prose that take as long to lay out as one cell of a table, for which a bar stands."""

UNBROKEN = re.compile(r"\S{5000}")
"""A run without a space that would hold the window up while it is laid out."""

MARKDOWN = QTextDocument.MarkdownFeature(
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub.value | QTextDocument.MarkdownFeature.MarkdownNoHTML.value
)
HEADINGS = {1: 18, 2: 16, 3: 15}
"""Pixels of headings by level, at 13 px text; smaller ones are as high as the text."""


class _Document(QTextDocument):
    def loadResource(self, kind: int, url: QUrl) -> object:
        """Qt would open any path that an image names, a device or another computer's among them."""
        return QImage(1, 1, QImage.Format.Format_ARGB32)


class MarkdownView(QTextBrowser):
    """As high as what it shows. `linked` tells an address that was clicked; nothing is opened here."""

    linked = Signal(str)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        named(self, object_name, accessible)
        self._text = ""
        self._is_asked = False
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.anchorClicked.connect(lambda url: self.linked.emit(url.toString()))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._draw()
        theme.changed.connect(self._draw)

    @property
    def is_plain(self) -> bool:
        """Whether the text is shown as it is, since laying it out could hold the window up."""
        return not self._can_format(ASKED if self._is_asked else AT_ONCE)

    @property
    def offers_format(self) -> bool:
        """Whether a text that is shown as it is could be laid out, where somebody would wait for it."""
        return self.is_plain and self._can_format(ASKED)

    def show_markdown(self, text: str) -> None:
        """Show it, from the top."""
        if text != self._text:
            self._text, self._is_asked = text, False
            self._draw()

    def show_formatted(self) -> None:
        """Lay out the text that is shown, though it takes a moment."""
        self._is_asked = True
        self._draw()

    def markdown(self) -> str:
        """What is shown, as it came."""
        return self._text

    def _can_format(self, most: int) -> bool:
        weight = len(self._text) + BAR * self._text.count("|")
        return weight <= most and len(self._text) <= MOST and UNBROKEN.search(self._text) is None

    def _draw(self) -> None:
        """Build the document apart, as wide as it will be, and show it when it is whole: so it is laid out once."""
        made = _Document(self)
        made.setTextWidth(self.viewport().width())
        made.setDocumentMargin(0)
        made.setDefaultFont(theme.font(14))
        if self.is_plain:
            made.setPlainText(_broken(self._text[:MOST]))
        else:
            made.setMarkdown(self._text, MARKDOWN)
            _dress(made)
        former = self.document()
        self.setDocument(made)
        if isinstance(former, _Document):
            former.deleteLater()
        made.documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(max(theme.px(20), round(self.document().size().height()) + 2))


def _broken(text: str) -> str:
    """The text with a line break in each run that has no place to break at."""
    return UNBROKEN.sub(lambda run: "\n".join(re.findall(r".{1,200}", run.group())), text)


def _dress(document: QTextDocument) -> None:
    """Give headings, code, tables and lines the sizes and the colours of the design."""
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        _dress_block(block)
        block = block.next()
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            _dress_table(frame)
    cursor.endEditBlock()


def _dress_block(block: QTextBlock) -> None:
    cursor, held = QTextCursor(block), block.blockFormat()
    made = QTextBlockFormat()
    is_code = held.hasProperty(QTextFormat.Property.BlockCodeFence.value) or held.hasProperty(
        QTextFormat.Property.BlockCodeLanguage.value
    )
    made.setLineHeight(118 if is_code else 132, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if not block.textList() and not is_code:
        made.setBottomMargin(theme.px(8))
    if is_code:
        made.setBackground(theme.color("code"))
    if held.headingLevel():
        made.setTopMargin(theme.px(8))
        made.setBottomMargin(theme.px(4))
    cursor.mergeBlockFormat(made)
    if held.headingLevel():
        _set_font(block, _heading_font(held.headingLevel()))
    elif is_code:
        _set_font(block, theme.font(12, mono=True))


def _set_font(block: QTextBlock, font: QFont) -> None:
    """Give a block's text this font; the reader's own steps of size are taken away, for they go before pixels."""
    pieces = []
    step = block.begin()
    while not step.atEnd():
        piece = step.fragment()
        pieces.append((piece.position(), piece.length(), piece.charFormat()))
        step += 1
    cursor = QTextCursor(block)
    for start, length, ink in pieces:
        ink.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)
        ink.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(ink)


def _heading_font(level: int) -> QFont:
    return theme.font(HEADINGS.get(level, 14), bold=True)


def _dress_table(table: QTextTable) -> None:
    made = table.format()
    made.setBorder(1)
    made.setBorderCollapse(True)
    made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setBorderBrush(theme.color("border"))
    made.setCellPadding(theme.px(5))
    made.setCellSpacing(0)
    made.setBottomMargin(theme.px(10))
    table.setFormat(made)
