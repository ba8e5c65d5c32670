"""Finds the tables that stand in the text of documents, of figures above all."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .sentences import stems

_SEPARATORS = ("\t", "|", ";", ",")
_NUMBER = re.compile(r"^[-+(]?\s*[£$€¥]?\s*[-+]?\d[\d,.' ]*\s*(?:%|[kKmM]|[A-Z]{3}|[£$€¥])?\)?$")
_MOST_ROWS = 40
_LONGEST = 10_000  # characters of a row; a longer line is data, such as a picture in JSON


@dataclass(frozen=True)
class Table:
    """A header and rows of equal width, cells as they stand in the document."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def numbers(self, column: int) -> list[float] | None:
        """The column as numbers, or None when a cell of it is none."""
        found = [number(row[column]) for row in self.rows]
        return None if any(value is None for value in found) else [value for value in found if value is not None]

    @property
    def numeric_columns(self) -> list[int]:
        """The columns, the first excepted, that hold nothing but numbers, years excepted."""
        return [
            column
            for column in range(1, len(self.header))
            if self.numbers(column) is not None and not all(_is_year(row[column]) for row in self.rows)
        ]

    def markdown(self, rows: int = 12) -> str:
        """The table as GitHub Markdown, cut after `rows` rows."""
        lines = [self.header, ("---",) + ("---:",) * (len(self.header) - 1), *self.rows[:rows]]
        text = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        return text if len(self.rows) <= rows else f"{text}\n\n…and {len(self.rows) - rows} rows more."


def number(cell: str) -> float | None:
    """The number a cell shows (`£1,250.50`, `(300)`, `12 %`), or None."""
    cell = cell.strip()
    if not _NUMBER.match(cell):
        return None
    digits = re.sub(r"[^\d.,-]", "", cell)
    if re.search(r",\d{1,2}$", digits) and "." not in digits[digits.rfind(",") :]:
        digits = digits.replace(".", "").replace(",", ".")
    try:
        value = float(digits.replace(",", ""))
    except ValueError:
        return None
    return -value if cell.startswith("(") else value


def tables(text: str) -> list[Table]:
    """Every table of at least two rows under a header that holds no numbers."""
    return [table for block in _blocks(text) if (table := _table(block)) is not None]


def relevance(table: Table, question: str, title: str = "") -> float:
    """The share of the question's words that stand in the table or its title, 0 to 1."""
    asked = stems(question)
    held = stems(" ".join((title, *table.header, *(" ".join(row) for row in table.rows))))
    return len(asked & held) / len(asked) if asked else 0.0


def _blocks(text: str) -> Iterator[list[tuple[str, ...]]]:
    """Runs of lines that split into the same number of cells at the same separator."""
    lines = [line.strip() for line in text.splitlines()]
    for separator in _SEPARATORS:
        block: list[tuple[str, ...]] = []
        for cells in [*(_cells(line, separator) for line in lines), ()]:
            if block and len(cells) != len(block[0]):
                yield block
                block = []
            if len(cells) > 1:
                block.append(cells)


def _cells(line: str, separator: str) -> tuple[str, ...]:
    if separator not in line or len(line) > _LONGEST:
        return ()
    if separator in ",;":
        return _separated(line, separator)
    return tuple(part.strip() for part in line.strip(separator if separator == "|" else "").split(separator))


def _separated(line: str, separator: str) -> tuple[str, ...]:
    """Cells of a CSV line; a separator with a space after it is one of prose."""
    if '"' in line:
        return tuple(cell.strip() for cell in next(csv.reader([line], delimiter=separator)))
    return tuple(cell.strip() for cell in re.split(rf"{separator}(?! )", line))


def _table(block: Sequence[tuple[str, ...]]) -> Table | None:
    rows = [row for row in block if not all(re.fullmatch(r":?-{2,}:?|", cell) for cell in row)]
    if len(rows) < 3 or any(number(cell) is not None and not _is_year(cell) for cell in rows[0]):
        return None
    if any(one == other for one, other in pairwise(rows)):
        rows = list(dict.fromkeys(rows))
    table = Table(rows[0], tuple(rows[1 : _MOST_ROWS + 1]))
    return table if len(table.rows) > 1 else None


def _is_year(cell: str) -> bool:
    return bool(re.fullmatch(r"(?:19|20)\d\d", cell.strip()))


def narrowed(table: Table, question: str) -> Table:
    """The table with only the rows that hold most of the question's words, or as it is when none holds any."""
    asked = stems(question)
    met = [len(asked & stems(" ".join(row))) for row in table.rows]
    most = max(met)
    rows = tuple(row for row, count in zip(table.rows, met, strict=True) if count == most)
    return Table(table.header, rows) if most else table
