"""Text documents of the look: Markdown by Qt's own reader, without HTML, without images, in the theme's fonts."""

from __future__ import annotations

import re

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTable,
)

from carrel.ui.theme import theme

MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_HEADINGS = {1: 20.0, 2: 18.0, 3: 16.0, 4: 15.0, 5: 14.0, 6: 14.0}
_TOKEN = re.compile(r"\[[A-Z][A-Z_]*_\d+\]")
_EMPTY = QImage(1, 1, QImage.Format.Format_ARGB32)
_EMPTY.fill(0)


class SafeDocument(QTextDocument):
    """Loads nothing: whatever address a picture has, it is one empty pixel. (Returning None would let Qt load it.)"""

    def __init__(self, size: float = 14, *, mono: bool = False, wrap: bool = True) -> None:
        super().__init__()
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        self.setIndentWidth(theme.px(24))
        self.setDefaultFont(theme.font(size, mono=mono))
        option = QTextOption(self.defaultTextOption())
        modes = QTextOption.WrapMode
        option.setWrapMode(modes.WrapAtWordBoundaryOrAnywhere if wrap else modes.NoWrap if mono else modes.WordWrap)
        self.setDefaultTextOption(option)

    def loadResource(self, kind: int, name: QUrl) -> object:
        return _EMPTY


def show_markdown(document: QTextDocument, text: str) -> None:
    """Fill with Markdown, then give each block the look's spacing and each span its colours."""
    document.setMarkdown(text, MARKDOWN)
    together = QTextCursor(document)
    together.beginEditBlock()  # one layout for all that follows
    _dress_blocks(document)
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            _dress_table(table)
    if "_" in text:
        _dress_tokens(document)
    together.endEditBlock()


def show_plain(document: QTextDocument, text: str, leading: float = 1.4) -> None:
    """Fill with plain text, whatever stands in it; a line is `leading` times as high as its letters."""
    document.clear()
    spacing = QTextBlockFormat()
    _set_leading(document, spacing, leading)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.mergeBlockFormat(spacing)  # each further block begins with it
    cursor.insertText(text)
    cursor.endEditBlock()


def _set_leading(document: QTextDocument, spacing: QTextBlockFormat, leading: float) -> None:
    """Qt's proportion is of the font's own line height, which differs between faces; the look's is of its size."""
    font = document.defaultFont()
    percent = 100 * leading * font.pixelSize() / QFontMetricsF(font).height()
    spacing.setLineHeight(percent, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)


def _dress_blocks(document: QTextDocument) -> None:
    cursor = QTextCursor(document)
    block = document.begin()
    is_first = True
    while block.isValid():
        _dress_block(cursor, block, is_first)
        is_first = False
        block = block.next()


def _dress_block(cursor: QTextCursor, block: QTextBlock, is_first: bool) -> None:
    cursor.setPosition(block.position())
    level = block.blockFormat().headingLevel()
    spacing = QTextBlockFormat()
    _set_leading(cursor.document(), spacing, 1.6)
    in_list = block.textList() is not None
    spacing.setTopMargin(0 if is_first or in_list else theme.px(6))
    spacing.setBottomMargin(theme.px(2 if in_list else 4))
    cursor.mergeBlockFormat(spacing)
    if level:
        look = QTextCharFormat()
        font = theme.font(_HEADINGS.get(level, 14), bold=True)
        look.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)
        return
    _dress_spans(cursor, block)


def _dress_spans(cursor: QTextCursor, block: QTextBlock) -> None:
    """Code spans get the fixed font and its ground, links the accent, pictures their address as text."""
    spans = []
    walk = block.begin()
    while not walk.atEnd():
        fragment = walk.fragment()
        spans.append((fragment.position(), fragment.length(), fragment.charFormat()))
        walk += 1
    for position, length, look in reversed(spans):
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        if look.isImageFormat():
            cursor.insertText(f"[picture: {look.toImageFormat().name()}]", QTextCharFormat())
        elif look.fontFixedPitch():
            cursor.mergeCharFormat(_code_span())
        elif look.isAnchor():
            cursor.mergeCharFormat(_link())


def _dress_tokens(document: QTextDocument) -> None:
    """Redaction tokens, such as [EMAIL_1], look like what they are: something that was taken out."""
    cursor = QTextCursor(document)
    for found in reversed(list(_TOKEN.finditer(document.toPlainText()))):
        cursor.setPosition(found.start())
        cursor.setPosition(found.end(), QTextCursor.MoveMode.KeepAnchor)
        look = QTextCharFormat()
        look.setForeground(theme.color("warn"))
        look.setBackground(QBrush(theme.color("warn_soft")))
        cursor.mergeCharFormat(look)


def _code_span() -> QTextCharFormat:
    look = QTextCharFormat()
    family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    look.setFontFamilies([family])
    look.setProperty(QTextCharFormat.Property.FontPixelSize, theme.px(12.5))
    look.setBackground(QBrush(theme.color("code")))
    return look


def _link() -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(QBrush(theme.color("accent")))
    look.setFontUnderline(True)
    return look


def _dress_table(table: QTextTable) -> None:
    look = table.format()
    look.setBorder(1)
    look.setBorderCollapse(True)
    look.setBorderBrush(QBrush(theme.color("border")))
    look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    look.setCellPadding(theme.px(7))
    look.setCellSpacing(0)
    look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(look)
    header = QTextCharFormat()
    header.setForeground(QBrush(theme.color("muted")))
    header.setFontWeight(QFont.Weight.Medium)
    cursor = QTextCursor(table.document())
    for number in range(table.columns()):
        cell = table.cellAt(0, number)
        cursor.setPosition(cell.firstPosition())
        cursor.setPosition(cell.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(header)
