"""Makes the sample workbooks out of CSV, so that every total is a sum of what the sheets show."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

import openpyxl
import xlwt
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

import sample_blocks
import sample_zip

Cell = str | int | float
_QUARTERS_2026 = ("2026 Q1", "2026 Q2", "2026 Q3")


def _records(source: Path) -> list[dict[str, str]]:
    with source.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _notes(source: Path) -> list[str]:
    """The bullets of the notes that lie beside a CSV file."""
    return [block.text for block in sample_blocks.read(source.with_name(f"{source.stem}-notes.md"))]


def _total(records: Iterable[dict[str, str]], column: str) -> int:
    return sum(int(record[column]) for record in records)


def _names(records: list[dict[str, str]], column: str) -> list[str]:
    return list(dict.fromkeys(record[column] for record in records))


def _compared(records: list[dict[str, str]], column: str) -> list[list[Cell]]:
    """A row for each region or product line, and one for all: the quarters, the year so far, and the growth."""
    groups = [(name, [r for r in records if r[column] == name]) for name in _names(records, column)]
    rows: list[list[Cell]] = [[column.capitalize(), *_QUARTERS_2026, "2026 to date", "2025 Q3", "Growth on 2025 Q3, %"]]
    for name, group in [*groups, ("Total", records)]:
        quarters = [_total(group, quarter) for quarter in _QUARTERS_2026]
        before = _total(group, "2025 Q3")
        rows.append([name, *quarters, sum(quarters), before, round(100 * (quarters[-1] / before - 1), 1)])
    return rows


def _crossed(records: list[dict[str, str]], quarter: str) -> list[list[Cell]]:
    """One quarter, product lines by regions, with both totals."""
    regions, lines = _names(records, "region"), _names(records, "line")
    amounts = {(r["line"], r["region"]): int(r[quarter]) for r in records}
    rows: list[list[Cell]] = [[f"Revenue {quarter}, pounds", *regions, "Total"]]
    for line in lines:
        across = [amounts[line, region] for region in regions]
        rows.append([line, *across, sum(across)])
    down = [sum(amounts[line, region] for line in lines) for region in regions]
    return [*rows, ["Total", *down, sum(down)]]


def _write(sheet: Worksheet, rows: Iterable[Iterable[Cell]]) -> None:
    for row in rows:
        sheet.append(list(row))
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for row in sheet.iter_rows(min_row=2, min_col=2):
        for cell in row:
            cell.number_format = "#,##0" if isinstance(cell.value, int) else "0.0"
    sheet.column_dimensions["A"].width = 28
    for letter in "BCDEFG":
        sheet.column_dimensions[letter].width = 15
    sheet.freeze_panes = "B2"


def revenue(source: Path) -> bytes:
    """The quarterly revenue as xlsx: by region, by product line, a sheet for each quarter, and notes."""
    records = _records(source)
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    book.properties.creator = "Larkmoor Instruments Limited"
    book.properties.title = "Revenue by region, third quarter of 2026"
    book.properties.created = sample_zip.MADE_ON
    _write(book.create_sheet("By region"), _compared(records, "region"))
    _write(book.create_sheet("By product line"), _compared(records, "line"))
    for quarter in reversed([name for name in records[0] if name.startswith("20")]):
        _write(book.create_sheet(quarter), _crossed(records, quarter))
    _write(book.create_sheet("Notes"), [["Notes"], *([note] for note in _notes(source))])
    out = io.BytesIO()
    book.save(out)
    return sample_zip.sealed(out.getvalue())


def budget(source: Path) -> bytes:
    """The budget as a workbook of the older kind (xls): costs with a total, and the assumptions."""
    records = _records(source)
    years = ("2025 actual", "2026 budget")
    rows: list[list[Cell]] = [["Department", "Item", *years]]
    rows += [[r["department"], r["item"], *(int(r[year]) for year in years)] for r in records]
    rows.append(["Total", "", *(_total(records, year) for year in years)])
    book = xlwt.Workbook(encoding="utf-8")
    notes: list[list[Cell]] = [["Assumptions"]]
    notes += [[note] for note in _notes(source)]
    for name, content in (("Costs", rows), ("Assumptions", notes)):
        sheet = book.add_sheet(name)
        sheet.col(0).width = sheet.col(1).width = 30 * 256  # a character is 256 units
        for at, row in enumerate(content):
            for column, cell in enumerate(row):
                sheet.write(at, column, cell)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
