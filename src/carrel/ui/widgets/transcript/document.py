"""Text documents of the look: without images, in the theme's fonts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QFontMetricsF,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)

from carrel.ui.theme import theme

UNBROKEN = 5000
"""Characters without a space after which Qt's layout freezes: such text is cut into lines first."""

LIST_STEP = 24
"""Pixels that each list goes in, at 13 px text."""

CODE_PAD = 8
"""Pixels between code inside other words and the edge of its ground."""

QUOTE_STEP = 16
"""Pixels that each quotation goes in."""

_EMPTY = QImage(1, 1, QImage.Format.Format_ARGB32)
_EMPTY.fill(0)


class Link(NamedTuple):
    """A link in a part: from, to, and where it leads."""

    start: int
    stop: int
    address: str


class SafeDocument(QTextDocument):
    """Loads nothing: whatever address a picture has, it is one empty pixel. (Returning None would let Qt load it.)"""

    def __init__(self, size: float = 14, *, mono: bool = False, wrap: bool = True) -> None:
        super().__init__()
        self.quotes: list[tuple[int, int, int]] = []
        """(level, number of the first block, of the last) of each quotation, whose bars are painted beside it."""
        self.codes: list[tuple[int, int]] = []
        """(number of the first block, of the last) of code, whose ground is painted behind it."""
        self.tokens: list[tuple[int, int]] = []
        """(from, to) of each redaction token, whose chip is painted behind it."""
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        self.setIndentWidth(theme.px(LIST_STEP))
        self.setDefaultFont(theme.font(size, mono=mono))
        option = QTextOption(self.defaultTextOption())
        modes = QTextOption.WrapMode
        option.setWrapMode(modes.WrapAtWordBoundaryOrAnywhere if wrap else modes.NoWrap if mono else modes.WordWrap)
        self.setDefaultTextOption(option)

    def loadResource(self, kind: int, name: QUrl) -> object:
        return _EMPTY


def show_plain(document: QTextDocument, text: str, leading: float = 1.4) -> None:
    """Fill with plain text, whatever stands in it; a line is `leading` times as high as its letters."""
    document.clear()
    spacing = QTextBlockFormat()
    spacing.setLineHeight(leading_of(document, leading), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.mergeBlockFormat(spacing)  # each further block begins with it
    cursor.insertText(text)
    cursor.endEditBlock()


def leading_of(document: QTextDocument, leading: float) -> float:
    """Qt's proportion is of the font's own line height, which differs between faces; the look's is of its size."""
    font = document.defaultFont()
    return 100 * leading * font.pixelSize() / QFontMetricsF(font).height()


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """All of them, in order."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def spans(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    """(from, to, look) of each piece of a block."""
    held = []
    walk = block.begin()
    while not walk.atEnd():
        fragment = walk.fragment()
        held.append((fragment.position(), fragment.position() + fragment.length(), fragment.charFormat()))
        walk += 1
    return held


def links(document: QTextDocument) -> Iterator[Link]:
    """The links from the first to the last; one in several looks is one."""
    pieces = (piece for block in blocks(document) for piece in spans(block) if piece[2].anchorHref())
    held: Link | None = None
    for start, stop, look in pieces:
        if held is not None and (held.stop, held.address) == (start, look.anchorHref()):
            held = held._replace(stop=stop)
            continue
        if held is not None:
            yield held
        held = Link(start, stop, look.anchorHref())
    if held is not None:
        yield held


def is_unbroken(text: str) -> bool:
    """Whether Qt would take too long to lay it out."""
    return len(text) > UNBROKEN and max(map(len, text.split()), default=0) > UNBROKEN


def broken(text: str) -> str:
    """Text in which no run without a space is longer than Qt can lay out quickly."""
    if not is_unbroken(text):
        return text
    return "\n".join(line[i : i + 1000] for line in text.split("\n") for i in range(0, max(1, len(line)), 1000))
