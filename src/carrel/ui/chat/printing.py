"""A PDF out of pieces of HTML, made on a thread of its own: the window goes on meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

from PySide6.QtCore import QLocale, QMarginsF, QThread
from PySide6.QtGui import (
    QFont,
    QPageLayout,
    QPageSize,
    QPdfWriter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from carrel.ui.theme import LIGHT, theme

STYLE = f"""
body {{ color: {LIGHT.text}; }} a {{ color: {LIGHT.accent}; }}
h1 {{ font-size: 17pt; }} h2 {{ font-size: 14pt; }} h3 {{ font-size: 12pt; }} h4, h5, h6 {{ font-size: 10.5pt; }}
.when, .note, .thinking {{ color: {LIGHT.muted}; font-size: 8.5pt; }} .plain {{ white-space: pre-wrap; }}
pre, code {{ font-size: 9pt; background-color: {LIGHT.code}; white-space: pre-wrap; }}
.thinking {{ margin-left: 12px; }} blockquote {{ margin-left: 14px; color: {LIGHT.muted}; }}
th {{ background-color: {LIGHT.code}; }} th, td {{ padding: 4px; border: 1px solid {LIGHT.border}; }}
table {{ border-collapse: collapse; margin-top: 6px; margin-bottom: 6px; }}
"""
"""Of paper: always light."""

APART = 16
"""Pixels between two messages, and a little more than between two paragraphs of one."""

BOXES = ("\u2611", "\u2610")
"""What stands for a task's box: done, and open. Drawn as text, so that whoever copies from a PDF gets it too."""

HANGING = 15.5 / 96
"""Inches of a box and the space after it: further lines of a task begin beside it. Qt scales no indent to paper."""

_INPUT = re.compile(r"<input [^>]*?/>")


async def print_pdf(title: str, pieces: AsyncIterator[str], place: Path) -> None:
    """Write a PDF; OSError where it cannot be written. Broken off, it ends once its thread has left the file."""
    held = [_INPUT.sub(_box, piece) async for piece in pieces]
    done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    printer = _Printer(title, held, place)
    printer.finished.connect(lambda: done.done() or done.set_result(printer.is_written))
    printer.start()
    broken_off: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.shield(done)
        except asyncio.CancelledError as error:
            printer.requestInterruption()
            broken_off = error
    printer.wait()
    if broken_off is not None:
        raise broken_off
    if not done.result():
        raise OSError(f"{place.name} could not be written")


class _Printer(QThread):
    def __init__(self, title: str, pieces: list[str], place: Path) -> None:
        super().__init__()
        self._title, self._pieces, self._place = title, pieces, place
        self._face = theme.font().families()
        self.is_written = False

    def run(self) -> None:
        writer = self._writer()
        document = QTextDocument()
        document.setDefaultFont(self._font(document.defaultFont()))
        document.setDefaultStyleSheet(STYLE)
        for piece in self._pieces:  # one by one: each holds the interpreter for a moment only
            if self.isInterruptionRequested():
                return
            _append(document, piece, HANGING * writer.resolution())
        document.print_(writer)
        self.is_written = self._place.exists() and self._place.stat().st_size > 0

    def _writer(self) -> QPdfWriter:
        writer = QPdfWriter(str(self._place))
        writer.setTitle(self._title)
        writer.setCreator("Carrel")
        is_metric = QLocale().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
        size = QPageSize(QPageSize.PageSizeId.A4 if is_metric else QPageSize.PageSizeId.Letter)
        writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(12, 12, 12, 12)))
        return writer

    def _font(self, font: QFont) -> QFont:
        font.setFamilies(self._face)
        font.setPointSizeF(10)
        font.setFeature(QFont.Tag("calt"), 0)  # a hyphen in its other shape is no hyphen to whoever copies from a PDF
        return font


def _append(document: QTextDocument, piece: str, hanging: float) -> None:
    """Put a piece at the end, apart from what stands before it, in a block that has nothing of the former one's."""
    cursor = QTextCursor(document)
    cursor.movePosition(QTextCursor.MoveOperation.End)
    apart = QTextBlockFormat()
    if not document.isEmpty():
        apart.setTopMargin(APART)
        cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
    first = cursor.position()
    cursor.insertHtml(piece.replace("\n</code></pre>", "</code></pre>"))
    cursor.setPosition(first)
    cursor.mergeBlockFormat(apart)  # here, since Qt drops the margin of the first block of what is inserted
    _unlist_tasks(cursor, hanging)


def _unlist_tasks(cursor: QTextCursor, hanging: float) -> None:
    """From here on a task has its box in the place of the bullet."""
    block, boxed = cursor.block(), QTextBlockFormat()
    boxed.setTextIndent(-hanging)
    while block.isValid():
        if (found := block.textList()) is not None and block.text().startswith(BOXES):
            found.remove(block)
            cursor.setPosition(block.position())
            cursor.mergeBlockFormat(boxed)
        block = block.next()


def _box(found: re.Match[str]) -> str:
    return BOXES["checked" not in found[0]]
