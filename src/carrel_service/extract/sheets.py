"""Reads spreadsheets, old and new: a line a row, cells apart by tabs, each sheet under its name."""

from collections.abc import Iterable, Iterator
from datetime import datetime, time
from pathlib import Path
from typing import Any

from .text import MOST_TEXT, Failed


def read(path: Path, _name: str) -> str:
    """All sheets' cells as they would be read out; by openpyxl where calamine fails."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        with path.open("rb") as file:
            book = CalamineWorkbook.from_filelike(file)
            return _text((name, book.get_sheet_by_name(name).iter_rows()) for name in book.sheet_names)
    except CalamineError as error:
        if "password" in str(error).lower():
            raise Failed("it is password-protected") from error
        return _by_openpyxl(path, error)


def _by_openpyxl(path: Path, first: Exception) -> str:
    from openpyxl import load_workbook

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # a seam: two readers have failed, the first one's words are better
        raise Failed(f"it is broken ({first})") from error
    try:
        return _text((sheet.title, sheet.iter_rows(values_only=True)) for sheet in book.worksheets)
    finally:
        book.close()


def _text(sheets: Iterable[tuple[str, Iterable[Iterable[Any]]]]) -> str:
    lines: list[str] = []
    length = 0
    for line in _lines(sheets):
        lines.append(line)
        length += len(line) + 1
        if length > MOST_TEXT:
            break
    return "\n".join(lines)


def _lines(sheets: Iterable[tuple[str, Iterable[Iterable[Any]]]]) -> Iterator[str]:
    for name, rows in sheets:
        yield f"\n{name}"
        for row in rows:
            if line := "\t".join(_cell(value) for value in row).rstrip():
                yield line


def _cell(value: Any) -> str:
    """As a person writes it: 12 for 12.0, a day without its midnight."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, datetime) and value.time() == time(0):
        return value.date().isoformat()
    return " ".join(str(value).split())
