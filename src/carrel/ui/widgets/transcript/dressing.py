"""Markdown as a document of the look: by Qt's own reader, without HTML, then each block and span in its dress."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontDatabase,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from carrel.model.addresses import bare
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript.document import CODE_PAD, QUOTE_STEP, SafeDocument, blocks, set_leading, spans
from carrel.ui.widgets.transcript.highlight import highlight
from carrel.ui.widgets.transcript.marks import in_units

MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_HEADINGS = {1: 20.0, 2: 18.0, 3: 16.0, 4: 15.0, 5: 14.0, 6: 14.0}
_TOKEN = re.compile(r"\[[A-Z][A-Z_]*_\d+\]")
_LINKED = (
    QTextFormat.Property.IsAnchor,
    QTextFormat.Property.AnchorHref,
    QTextFormat.Property.ForegroundBrush,
    QTextFormat.Property.TextUnderlineStyle,
    QTextFormat.Property.FontUnderline,
)
"""What makes a span a link."""

FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_KEEP = QTextCursor.MoveMode.KeepAnchor


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


def _dress_blocks(document: QTextDocument) -> None:
    """Each block by what it is: lines of code together, as one colouring goes over them."""
    cursor = QTextCursor(document)
    held = list(blocks(document))
    codes = []
    for language, run in groupby(held, _language):
        if language is None:
            for block in run:
                _dress_block(cursor, block, block.blockNumber() == 0)
        else:
            lines = list(run)
            _dress_code(document, lines, language)
            codes.append((lines[0].blockNumber(), lines[-1].blockNumber()))
    if isinstance(document, SafeDocument):
        document.quotes, document.codes = list(_quotes(held)), codes


def _language(block: QTextBlock) -> str | None:
    """Of a line of code; None of any other."""
    told = block.blockFormat().property(QTextFormat.Property.BlockCodeLanguage)
    return None if told is None else str(told)


def _is_rule(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth)


def _level(block: QTextBlock) -> int:
    return block.blockFormat().intProperty(QTextFormat.Property.BlockQuoteLevel)


def _quotes(held: list[QTextBlock]) -> Iterator[tuple[int, int, int]]:
    for level in range(1, max(map(_level, held), default=0) + 1):
        for is_in, run in groupby(held, lambda block, level=level: _level(block) >= level):
            numbers = [block.blockNumber() for block in run]
            if is_in:
                yield level, numbers[0], numbers[-1]


def _dress_code(document: QTextDocument, lines: list[QTextBlock], language: str) -> None:
    """Code that is no part of its own, as in a quotation: on its ground, and broken where the line ends."""
    cursor = QTextCursor(document)
    look = _code_span(theme.px(12))
    look.clearBackground()
    for block in lines:
        spacing = _spacing(document, block, 1.5)
        spacing.setLeftMargin(spacing.leftMargin() + theme.px(CODE_PAD))
        spacing.setTopMargin(theme.px(10) if block == lines[0] else 0)
        spacing.setBottomMargin(theme.px(10) if block == lines[-1] else 0)
        spacing.setNonBreakableLines(False)
        cursor.setPosition(block.position())
        cursor.mergeBlockFormat(spacing)
        cursor.setPosition(block.position() + block.length() - 1, _KEEP)
        cursor.mergeCharFormat(look)
    highlight(document, "\n".join(block.text() for block in lines), language, lines[0].position())


def _spacing(document: QTextDocument, block: QTextBlock, leading: float) -> QTextBlockFormat:
    spacing = QTextBlockFormat()
    set_leading(document, spacing, leading)
    if level := _level(block):
        spacing.setLeftMargin(level * theme.px(QUOTE_STEP))
        spacing.setRightMargin(0)
    return spacing


def _dress_block(cursor: QTextCursor, block: QTextBlock, is_first: bool) -> None:
    heading = block.blockFormat().headingLevel()
    spacing = _spacing(cursor.document(), block, 1.6)
    in_list = block.textList() is not None
    spacing.setTopMargin(0 if is_first or in_list else theme.px(6))
    spacing.setBottomMargin(theme.px(2 if in_list else 4))
    if _is_rule(block) or (is_first and block.length() == 1 and _is_rule(block.next())):  # Qt puts a line before it
        spacing.setLineHeight(theme.px(4), FIXED)
    cursor.setPosition(block.position())
    cursor.mergeBlockFormat(spacing)
    cursor.setPosition(block.position() + block.length() - 1, _KEEP)
    look = QTextCharFormat()
    if _level(block):
        look.setForeground(QBrush(theme.color("muted")))
    if heading:
        font = theme.font(_HEADINGS.get(heading, 14), bold=True)
        look.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
    if look.propertyCount():
        cursor.mergeCharFormat(look)
    if not heading:
        _link_bare(cursor, block)
        _dress_spans(cursor, block)


def _link_bare(cursor: QTextCursor, block: QTextBlock) -> None:
    """Addresses without marks: Qt's reader takes the full stop after them, and overlooks many."""
    text = block.text()
    if "://" not in text and "www." not in text:
        return
    taken = []
    for start, stop, look in spans(block):
        cursor.setPosition(start)
        cursor.setPosition(stop, _KEEP)
        if look.anchorHref() and look.anchorHref().removeprefix("http://") == cursor.selectedText().removeprefix(
            "http://"
        ):
            for said in _LINKED:
                look.clearProperty(said)
            cursor.setCharFormat(look)
        elif look.isAnchor() or look.fontFixedPitch():
            taken.append((start, stop))
    for start, stop in in_units(text, bare(text)):
        first, last = block.position() + start, block.position() + stop
        if not any(begin < last and first < end for begin, end in taken):
            cursor.setPosition(first)
            cursor.setPosition(last, _KEEP)
            address = cursor.selectedText()
            look = QTextCharFormat()
            look.setAnchor(True)
            look.setAnchorHref(address if "://" in address else f"http://{address}")
            cursor.mergeCharFormat(look)


def _dress_spans(cursor: QTextCursor, block: QTextBlock) -> None:
    """Code spans get the fixed font and its ground, links the accent, pictures their address as text."""
    for start, stop, look in reversed(spans(block)):
        cursor.setPosition(start)
        cursor.setPosition(stop, _KEEP)
        if look.isImageFormat():
            cursor.insertText(f"[picture: {look.toImageFormat().name()}]", QTextCharFormat())
        elif look.fontFixedPitch():
            cursor.mergeCharFormat(_code_span(theme.px(12.5)))
        elif look.isAnchor():
            cursor.mergeCharFormat(_link())


def _dress_tokens(document: QTextDocument) -> None:
    """Redaction tokens, such as [EMAIL_1], look like what they are: something that was taken out."""
    cursor = QTextCursor(document)
    for found in reversed(list(_TOKEN.finditer(document.toPlainText()))):
        cursor.setPosition(found.start())
        cursor.setPosition(found.end(), _KEEP)
        look = QTextCharFormat()
        look.setForeground(theme.color("warn"))
        look.setBackground(QBrush(theme.color("warn_soft")))
        cursor.mergeCharFormat(look)


def _code_span(size: int) -> QTextCharFormat:
    look = QTextCharFormat()
    family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    look.setFontFamilies([family])
    look.setProperty(QTextCharFormat.Property.FontPixelSize, size)
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
        cursor.setPosition(cell.lastPosition(), _KEEP)
        cursor.mergeCharFormat(header)
        aligned = QTextBlockFormat()
        aligned.setAlignment(_alignment(table, number))
        cursor.mergeBlockFormat(aligned)


def _alignment(table: QTextTable, column: int) -> Qt.AlignmentFlag:
    """Of the numbers or words below the head, to which the reader gives it alone."""
    if table.rows() < 2:
        return Qt.AlignmentFlag.AlignLeft
    return table.cellAt(1, column).firstCursorPosition().blockFormat().alignment()
