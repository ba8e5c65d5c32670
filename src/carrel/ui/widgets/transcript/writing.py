"""Markdown of what is selected in a document that was read from Markdown: only its words, in the marks they carry."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextListFormat, QTextTable

BOLD = QFont.Weight.DemiBold.value


def markdown_between(document: QTextDocument, start: int, stop: int) -> str:
    """The Markdown from one position to another. Of one paragraph it is the words alone, of a table whole rows."""
    blocks = list(_blocks(document, start, stop))
    if len(blocks) == 1:
        return _words(blocks[0], start, stop)
    table = QTextCursor(blocks[0]).currentTable() or QTextCursor(blocks[-1]).currentTable() if blocks else None
    if table is not None:
        return _rows(table, start, stop)
    lines: list[str] = []
    for number, block in enumerate(blocks):
        if number:
            beside = block.textList() is not None and blocks[number - 1].textList() is not None
            lines.append("\n" if beside else "\n\n")
        lines.append(_prefix(block) + _words(block, start, stop))
    return "".join(lines)


def _blocks(document: QTextDocument, start: int, stop: int) -> Iterator[QTextBlock]:
    block = document.findBlock(start)
    while block.isValid() and block.position() < max(stop, start + 1):
        yield block
        block = block.next()


def _prefix(block: QTextBlock) -> str:
    """What makes the block a heading, an item, a quotation."""
    look, held = block.blockFormat(), block.textList()
    if look.headingLevel():
        return "#" * look.headingLevel() + " "
    if held is None:
        return "> " if look.property(look.Property.BlockQuoteLevel) else ""
    task = {look.MarkerType.Checked: "[x] ", look.MarkerType.Unchecked: "[ ] "}.get(look.marker(), "")
    numbered = held.format().style() == QTextListFormat.Style.ListDecimal
    mark = f"{held.format().start() + held.itemNumber(block)}. " if numbered else "- "
    return "   " * (held.format().indent() - 1) + mark + task


def _words(block: QTextBlock, start: int, stop: int) -> str:
    pieces = []
    walk = block.begin()
    while not walk.atEnd():
        fragment = walk.fragment()
        cursor = QTextCursor(block)
        cursor.setPosition(max(start, fragment.position()))
        end = min(stop, fragment.position() + fragment.length())
        if end > cursor.position():
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            text = cursor.selectedText().replace("\u2028", "\n")
            pieces.append(_marked(text, fragment.charFormat(), plain=bool(block.blockFormat().headingLevel())))
        walk += 1
    return "".join(pieces)


def _marked(text: str, look: QTextCharFormat, *, plain: bool) -> str:
    """The words between their marks; `plain` is for a heading, which is bold by itself."""
    inner = text.strip()
    if not inner:
        return text
    if look.fontFixedPitch():
        marked = f"`{inner}`"
    else:
        marked = f"~~{inner}~~" if look.fontStrikeOut() else inner
        marked = f"*{marked}*" if look.fontItalic() else marked
        marked = f"**{marked}**" if look.fontWeight() > BOLD and not plain else marked
    marked = f"[{marked}]({look.anchorHref()})" if look.anchorHref() not in {"", inner} else marked
    lead = len(text) - len(text.lstrip())
    return text[:lead] + marked + text[lead + len(inner) :]


def _rows(table: QTextTable, start: int, stop: int) -> str:
    """The rows that are touched, with the line under the first that makes them a table."""
    first, last = table.cellAt(start), table.cellAt(stop)
    top = first.row() if first.isValid() else 0
    bottom = last.row() if last.isValid() else table.rows() - 1
    lines = [_row(table, number) for number in range(top, bottom + 1)]
    return "\n".join([lines[0], "|" + "---|" * table.columns(), *lines[1:]])


def _row(table: QTextTable, number: int) -> str:
    cells = (table.cellAt(number, column) for column in range(table.columns()))
    return "| " + " | ".join(_words(c.firstCursorPosition().block(), 0, c.lastPosition()) for c in cells) + " |"
