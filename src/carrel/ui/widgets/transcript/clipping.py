"""What the clipboard gets: code as it stands, a table as tab-separated text and as HTML that a spreadsheet takes."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QTextTable

from carrel.ui.widgets.notes import copy
from carrel.ui.widgets.transcript.parts import TextPart


def copy_part(part: TextPart) -> None:
    """Copy one part of a reply."""
    cells = table_cells(part) if part.style == "table" else []
    if not cells:
        copy(part.source)
        return
    data = QMimeData()
    data.setText("\n".join("\t".join(row) for row in cells))
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in cells)
    data.setHtml(f"<table>{body}</table>")
    QGuiApplication.clipboard().setMimeData(data)


def table_cells(part: TextPart) -> list[list[str]]:
    """The words of a table, row by row."""
    table = next((f for f in part.document.rootFrame().childFrames() if isinstance(f, QTextTable)), None)
    if table is None:
        return []
    return [
        [
            part.selected_text(table.cellAt(r, c).firstPosition(), table.cellAt(r, c).lastPosition()).replace("\n", " ")
            for c in range(table.columns())
        ]
        for r in range(table.rows())
    ]
