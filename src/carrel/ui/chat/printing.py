"""A PDF out of pieces of HTML, made on a thread of its own: the window goes on meanwhile."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

from PySide6.QtCore import QLocale, QMarginsF, QThread
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextCursor, QTextDocument

from carrel.ui.theme import LIGHT, theme

STYLE = f"""
body {{ color: {LIGHT.text}; }} a {{ color: {LIGHT.accent}; }}
h1 {{ font-size: 17pt; }} h2 {{ font-size: 14pt; }} h3 {{ font-size: 12pt; }} h4, h5, h6 {{ font-size: 10.5pt; }}
.when, .note, .thinking {{ color: {LIGHT.muted}; font-size: 8.5pt; }} .who {{ margin-top: 14px; }}
pre, code {{ font-size: 9pt; background-color: {LIGHT.code}; }} .thinking {{ margin-left: 12px; }}
blockquote {{ margin-left: 14px; color: {LIGHT.muted}; }} th {{ background-color: {LIGHT.code}; }}
th, td {{ padding: 4px; border: 1px solid {LIGHT.border}; }} table {{ border-collapse: collapse; }}
"""
"""Of paper: always light."""

_BOX = re.compile(r"<input [^>]*?/>")


async def print_pdf(title: str, pieces: AsyncIterator[str], place: Path) -> None:
    """Write a PDF; OSError where it cannot be written."""
    held = [_BOX.sub(_box, piece) async for piece in pieces]
    done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    printer = _Printer(title, held, place)
    printer.finished.connect(lambda: done.done() or done.set_result(printer.is_written))
    printer.start()
    try:
        is_written = await asyncio.shield(done)
    finally:
        printer.wait()
    if not is_written:
        raise OSError(f"{place.name} could not be written")


class _Printer(QThread):
    def __init__(self, title: str, pieces: list[str], place: Path) -> None:
        super().__init__()
        self._title, self._pieces, self._place = title, pieces, place
        self._face = theme.font().families()
        self.is_written = False

    def run(self) -> None:
        document = QTextDocument()
        font = document.defaultFont()
        font.setFamilies(self._face)
        font.setPointSizeF(10)
        document.setDefaultFont(font)
        document.setDefaultStyleSheet(STYLE)
        cursor = QTextCursor(document)
        for number, piece in enumerate(self._pieces):  # one by one: each holds the interpreter for a moment only
            cursor.movePosition(QTextCursor.MoveOperation.End)
            if number:
                cursor.insertBlock()
            cursor.insertHtml(piece)
        writer = QPdfWriter(str(self._place))
        writer.setTitle(self._title)
        writer.setCreator("Carrel")
        is_metric = QLocale().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
        size = QPageSize(QPageSize.PageSizeId.A4 if is_metric else QPageSize.PageSizeId.Letter)
        writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(12, 12, 12, 12)))
        document.print_(writer)
        self.is_written = self._place.exists() and self._place.stat().st_size > 0


def _box(found: re.Match[str]) -> str:
    """Paper has no boxes to tick."""
    return "\u2611" if "checked" in found[0] else "\u2610"
