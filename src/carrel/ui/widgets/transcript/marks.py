"""Marks on the words of a document: places as Qt counts them, and the colours that they are painted in."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QAbstractTextDocumentLayout, QTextCharFormat, QTextCursor, QTextDocument

from carrel.ui.theme import theme

Spans = tuple[tuple[int, int], ...]
"""(from, to) as positions in a document."""


def mark(
    document: QTextDocument, start: int, stop: int, ground: str, ink: str
) -> QAbstractTextDocumentLayout.Selection:
    """What the layout paints between two positions, in the theme's colours of these roles."""
    last = max(0, document.characterCount() - 1)
    chosen = QAbstractTextDocumentLayout.Selection()
    cursor = QTextCursor(document)
    cursor.setPosition(min(start, last))
    cursor.setPosition(min(stop, last), QTextCursor.MoveMode.KeepAnchor)
    look = QTextCharFormat()
    look.setBackground(theme.color(ground))
    look.setForeground(theme.color(ink))
    chosen.cursor, chosen.format = cursor, look
    return chosen


def in_units(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    """Places in a text as Qt counts them."""
    if len(text) == units(text):
        return tuple(spans)
    return tuple((units(text[:start]), units(text[:stop])) for start, stop in spans)


def units(text: str) -> int:
    """A length as Qt counts it: a character beyond the first 65,536 takes two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
