"""The beginning of a workbook, read in a process of its own (`python -m`): a workbook can claim any size.

It prints one JSON line: {"tables": [[name, lines, is_cut], …]}, or {"refused": "large" or "broken"}.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime, time
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import ZipFile

MOST_SHEETS, MOST_LINES, MOST_CELLS, MOST_WORDS = 10, 200, 24, 500
"""Sheets, lines of a sheet, cells of a line, and characters of a cell that are read."""

MOST_PARTS = 256 * 10**6
"""Bytes of the workbook's unpacked parts that must be read whole, by what the archive says of them."""

MOST_MEMORY = 512 << 20
"""Bytes of address space, libraries included."""


def read(path: Path) -> list[tuple[str, list[list[str]], bool]]:
    """Name, lines and whether there is more, for each of the first sheets; MemoryError where it is too large."""
    from openpyxl import load_workbook

    _look_at_parts(path)
    with closing(load_workbook(path, read_only=True, data_only=True)) as book:
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets
        return [(sheet.title, *_lines(sheet)) for sheet in visible[:MOST_SHEETS]]


def cell_words(value: Any) -> str:
    """As a person writes it: 12 for 12.0, a day without its midnight."""
    if value is None:
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.12g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time(0) else value.isoformat(" ", "minutes")
    return " ".join(str(value)[:MOST_WORDS].split())


def _look_at_parts(path: Path) -> None:
    """Sheets are read row by row, but the texts and styles that they share are read whole."""
    with ZipFile(path) as archive:
        whole = [part.file_size for part in archive.infolist() if not part.filename.startswith("xl/worksheets/")]
    if sum(whole) > MOST_PARTS:
        raise MemoryError


def _lines(sheet: Any) -> tuple[list[list[str]], bool]:
    rows: Iterable[tuple[Any, ...]] = sheet.iter_rows(max_row=MOST_LINES + 1, max_col=MOST_CELLS, values_only=True)
    lines = [_trimmed([cell_words(value) for value in row]) for row in islice(rows, MOST_LINES + 1)]
    while lines and not lines[-1]:
        lines.pop()
    is_cut = len(lines) > MOST_LINES or (sheet.max_column or 0) > MOST_CELLS
    return lines[:MOST_LINES], is_cut


def _trimmed(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _bound_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main(path: str) -> None:
    """Print what can be said of the workbook."""
    _bound_memory()
    told: dict[str, Any]
    try:
        told = {"tables": read(Path(path))}
    except MemoryError:
        told = {"refused": "large"}
    except Exception:  # noqa: BLE001  # a seam: a broken workbook makes the library raise whatever it met
        told = {"refused": "broken"}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
