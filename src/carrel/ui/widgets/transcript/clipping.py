"""What the clipboard gets: Markdown of what is selected, code as it stands, a table for a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import indent
from typing import Literal

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QTextTable

from carrel.ui.widgets.notes import copy
from carrel.ui.widgets.transcript.parts import TextPart
from carrel.ui.widgets.transcript.writing import markdown_between


@dataclass(frozen=True, slots=True)
class Clip:
    """A piece of what is copied: Markdown, or plain words, or code, which mean nothing but themselves."""

    text: str
    kind: Literal["markdown", "plain", "code"] = "markdown"


def text_of(clips: Sequence[Clip]) -> str:
    """What an editor gets."""
    return "\n\n".join(clip.text for clip in clips)


def clip_of(part: TextPart, start: int, stop: int, *, alone: bool, margin: int = 0) -> Clip:
    """A part from one position to another. Where it is all of it, its own source; code stands in a fence, but `alone`
    as it is. `margin` is the column of what is copied before it: what stands in an item of that stays in it.
    """
    if part.style == "code":
        code = part.selected_text(start, stop)
        return Clip(code, "code") if alone else Clip(_moved(_fenced(code, part.language), part.column - margin))
    if part.style not in {"prose", "table"}:
        return Clip(part.selected_text(start, stop), "plain")
    whole = start <= 0 and stop >= part.length
    text = part.source if whole else markdown_between(part.document, start, stop)
    return Clip(_moved(text, part.column - margin))


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


def _moved(markdown: str, columns: int) -> str:
    return indent(markdown, " " * columns) if columns > 0 else markdown


def _fenced(code: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"
