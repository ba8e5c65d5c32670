"""Markdown as a document of the look: by Qt's own reader, without HTML, then each block and span in its dress."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

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
from carrel.ui.widgets.transcript.document import CODE_PAD, QUOTE_STEP, SafeDocument, blocks, leading_of, spans
from carrel.ui.widgets.transcript.highlight import highlight
from carrel.ui.widgets.transcript.marks import in_units

MARKDOWN = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_HEADINGS = {1: 20.0, 2: 18.0, 3: 16.0, 4: 15.0, 5: 14.0, 6: 14.0}
_TOKEN = re.compile(r"\[[A-Z][A-Z_]*_\d+\]")
_SPANNED = re.compile(r"[`\[!<@]|://|www\.")
"""What Markdown with code spans, pictures or links has: most pieces of a reply have none."""

_LINKED = (
    QTextFormat.Property.IsAnchor,
    QTextFormat.Property.AnchorHref,
    QTextFormat.Property.ForegroundBrush,
    QTextFormat.Property.TextUnderlineStyle,
    QTextFormat.Property.FontUnderline,
)
"""What makes a span a link."""

_LANGUAGE = QTextFormat.Property.BlockCodeLanguage
_LEVEL = QTextFormat.Property.BlockQuoteLevel
_RULE = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
_KEEP = QTextCursor.MoveMode.KeepAnchor


def show_markdown(document: QTextDocument, text: str) -> None:
    """Fill with Markdown, then give each block the look's spacing and each span its colours."""
    document.setMarkdown(text, MARKDOWN)
    if isinstance(document, SafeDocument):
        document.tokens = []
    together = QTextCursor(document)
    together.beginEditBlock()  # one layout for all that follows
    _dress_blocks(document, has_spans=_SPANNED.search(text) is not None)
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            _dress_table(table)
    if "_" in text:
        dress_tokens(document)
    together.endEditBlock()


def dress_tokens(document: QTextDocument) -> None:
    """Redaction tokens, such as [EMAIL_1], look like what they are: something that was taken out."""
    look = QTextCharFormat()
    look.setForeground(theme.color("warn"))
    cursor, text = QTextCursor(document), document.toPlainText()
    tokens = in_units(text, [found.span() for found in _TOKEN.finditer(text)])
    if isinstance(document, SafeDocument):
        document.tokens = list(tokens)
    else:  # nobody paints chips behind the words of other documents
        look.setBackground(QBrush(theme.color("warn_soft")))
    for start, stop in tokens:
        cursor.setPosition(start)
        cursor.setPosition(stop, _KEEP)
        cursor.mergeCharFormat(look)


class _Line(NamedTuple):
    """A block with what its format says, which is read once, since each frame of a stream dresses some anew."""

    block: QTextBlock
    heading: int
    level: int
    """How many quotations it stands in."""
    language: str | None
    """Of a line of code; None of any other."""
    is_rule: bool
    is_rtl: bool
    """Whether a line of a quotation runs from right to left; of others nobody asks."""


def _dress_blocks(document: QTextDocument, *, has_spans: bool) -> None:
    """Each block by what it is: lines of code together, as one colouring goes over them."""
    cursor, leading = QTextCursor(document), leading_of(document, 1.6)
    lines = list(map(_line, blocks(document)))
    if len(lines) > 1 and lines[1].is_rule and lines[0].block.length() == 1:  # Qt puts a line before it
        lines[0] = lines[0]._replace(is_rule=True)
    codes = []
    for is_code, run in groupby(lines, lambda line: line.language is not None):
        held = list(run)
        if is_code:
            codes += _dress_codes(document, held)
        else:
            for line in held:
                _dress_block(cursor, line, leading, is_first=line is lines[0])
                if has_spans and not line.heading:
                    _link_bare(cursor, line.block)
                    _dress_spans(cursor, line.block)
    if isinstance(document, SafeDocument):
        document.quotes, document.codes = list(_quotes(lines)), codes


def _line(block: QTextBlock) -> _Line:
    form = block.blockFormat()
    language = form.property(_LANGUAGE)
    is_rule = form.hasProperty(_RULE)
    level = form.intProperty(_LEVEL)
    is_rtl = level > 0 and block.textDirection() == Qt.LayoutDirection.RightToLeft
    return _Line(block, form.headingLevel(), level, language and str(language), is_rule, is_rtl)


def _quotes(lines: list[_Line]) -> Iterator[tuple[int, int, int]]:
    for level in range(1, max((line.level for line in lines), default=0) + 1):
        for (is_in, _), run in groupby(lines, lambda line, level=level: (line.level >= level, line.is_rtl)):
            numbers = [line.block.blockNumber() for line in run]
            if is_in:
                yield level, numbers[0], numbers[-1]


def _dress_codes(document: QTextDocument, lines: list[_Line]) -> Iterator[tuple[int, int]]:
    """Code that is no part of its own, as in a quotation: on its ground, and broken where the line ends."""
    cursor = QTextCursor(document)
    look = _code_span(theme.px(12))
    look.clearBackground()
    leading = leading_of(document, 1.5)
    for language, run in groupby(lines, lambda line: line.language or ""):
        held = list(run)
        for line in held:
            spacing = _spacing(line, leading)
            spacing.setLeftMargin(spacing.leftMargin() + theme.px(CODE_PAD))
            spacing.setTopMargin(theme.px(10) if line is held[0] else 0)
            spacing.setBottomMargin(theme.px(10) if line is held[-1] else 0)
            spacing.setNonBreakableLines(False)
            _select(cursor, line.block)
            cursor.mergeBlockFormat(spacing)
            cursor.mergeCharFormat(look)
        highlight(document, "\n".join(line.block.text() for line in held), language, held[0].block.position())
        yield held[0].block.blockNumber(), held[-1].block.blockNumber()


def _spacing(line: _Line, leading: float) -> QTextBlockFormat:
    spacing = QTextBlockFormat()
    if line.is_rule:
        spacing.setLineHeight(theme.px(4), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    else:
        spacing.setLineHeight(leading, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if line.level:
        inset = line.level * theme.px(QUOTE_STEP)
        spacing.setLeftMargin(0 if line.is_rtl else inset)
        spacing.setRightMargin(inset if line.is_rtl else 0)
    return spacing


def _dress_block(cursor: QTextCursor, line: _Line, leading: float, *, is_first: bool) -> None:
    block = line.block
    spacing = _spacing(line, leading)
    in_list = block.textList() is not None
    spacing.setTopMargin(0 if is_first or in_list else theme.px(6))
    spacing.setBottomMargin(theme.px(2 if in_list else 4))
    cursor.setPosition(block.position())
    cursor.mergeBlockFormat(spacing)
    if line.level:
        look = QTextCharFormat()
        look.setForeground(QBrush(theme.color("muted")))
        _select(cursor, block)
        cursor.mergeCharFormat(look)
    if line.heading:
        look = QTextCharFormat()
        font = theme.font(_HEADINGS.get(line.heading, 14), bold=True)
        look.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        _select(cursor, block)
        cursor.mergeCharFormat(look)


def _select(cursor: QTextCursor, block: QTextBlock) -> None:
    cursor.setPosition(block.position())
    cursor.setPosition(block.position() + block.length() - 1, _KEEP)


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
