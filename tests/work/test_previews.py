"""The beginnings of files as the preview shows them: tables within bounds, and words where nothing can be shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook

from carrel.model import LibraryFile
from carrel.work.previewbook import BookRefused, read_book
from carrel.work.previews import MOST_COPY, MOST_TEXT, Preview, preview
from faulty import Peer, faulty, routes
from sessions import open_session


def book(path: Path, fill: Callable[[Workbook], None]) -> Path:
    made = Workbook()
    fill(made)
    made.save(path)
    return path


async def shown(tmp_path: Path, name: str, content: bytes) -> Preview:
    """What the preview of a file of the service shows."""

    async def give(peer: Peer) -> None:
        await peer.head(200, {"Content-Length": str(len(content))})
        await peer.raw(content)

    async with (
        faulty(routes({"GET /files/1": give})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        file = LibraryFile(id="1", file_name=name, download_link=f"{server.url}/files/1")
        return await preview(session.context, file)


async def test_the_first_sheets_of_a_workbook_as_a_person_reads_them(tmp_path: Path) -> None:
    def fill(made: Workbook) -> None:
        first = made.active
        first.title = "Revenue"
        first.append(["Month", "Euro", "Closed"])
        first.append(["July", 41200.0, datetime(2026, 8, 3, tzinfo=UTC).replace(tzinfo=None)])
        first.append(["August", 0.125, True])
        second = made.create_sheet("Notes")
        second["B3"] = "two\nlines"
        made.create_sheet("Secret").sheet_state = "hidden"

    tables = await read_book(book(tmp_path / "q3.xlsx", fill))
    assert [table.name for table in tables] == ["Revenue", "Notes"]
    assert tables[0].lines == (
        ("Month", "Euro", "Closed"),
        ("July", "41200", "2026-08-03"),
        ("August", "0.125", "True"),
    )
    assert tables[1].lines == ((), (), ("", "two lines"))
    assert not tables[0].is_cut


async def test_a_long_and_wide_sheet_is_shown_from_its_beginning(tmp_path: Path) -> None:
    def fill(made: Workbook) -> None:
        for number in range(1000):
            made.active.append([f"{number}/{n}" for n in range(40)])
        made.active["A1"] = "x" * 5000

    (table,) = await read_book(book(tmp_path / "long.xlsx", fill))
    assert (len(table.lines), len(table.lines[0]), len(table.lines[0][0])) == (200, 24, 500)
    assert table.lines[199][23] == "199/23"
    assert table.is_cut


async def test_a_cell_far_away_costs_nothing(tmp_path: Path) -> None:
    def fill(made: Workbook) -> None:
        made.active["A1"] = "near"
        made.active["XFD1048576"] = "far"

    (table,) = await read_book(book(tmp_path / "far.xlsx", fill))
    assert table.lines == (("near",),)
    assert table.is_cut


async def test_workbooks_that_cannot_be_shown_say_why(tmp_path: Path) -> None:
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(BookRefused, match="broken"):
        await read_book(broken)
    locked = tmp_path / "locked.xlsx"
    locked.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000))
    with pytest.raises(BookRefused, match="password"):
        await read_book(locked)
    whole = book(tmp_path / "whole.xlsx", lambda made: made.active.append(["a"]))
    with pytest.raises(BookRefused, match="too long"):
        await read_book(whole, limit=0.0)


async def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "bomb.xlsx", lambda made: made.active.append(["a"]))
    with ZipFile(path, "a", ZIP_DEFLATED) as archive, archive.open("xl/more.xml", "w") as part:
        for _ in range(300):
            part.write(bytes(10**6))
    assert path.stat().st_size < 2 * 10**6
    with pytest.raises(BookRefused, match="too large"):
        await read_book(path)


async def test_a_row_without_an_end_is_bounded_by_memory(tmp_path: Path) -> None:
    path = tmp_path / "row.xlsx"
    whole = book(tmp_path / "whole.xlsx", lambda made: made.active.append(["a"]))
    with ZipFile(whole) as old, ZipFile(path, "w", ZIP_DEFLATED) as new:
        for part in old.infolist():
            if part.filename != "xl/worksheets/sheet1.xml":
                new.writestr(part, old.read(part))
        with new.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(
                b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row>'
            )
            for _ in range(400):
                sheet.write(b"<c><v>1</v></c>" * 20_000)
            sheet.write(b"</row></sheetData></worksheet>")
    with pytest.raises(BookRefused):
        await read_book(path)


async def test_a_csv_file_with_its_quotes_lines_and_marks(tmp_path: Path) -> None:
    found = await shown(tmp_path, "a.csv", 'ref;words\n1;"two\nlines; one cell"\n2;\u2028x\n'.encode())
    assert found.tables[0].lines == (("ref", "words"), ("1", "two\nlines; one cell"), ("2", "\u2028x"))
    assert not found.tables[0].is_cut


async def test_a_csv_file_as_excel_writes_it(tmp_path: Path) -> None:
    found = await shown(tmp_path, "a.csv", "näme\tß\n1\t2\n".encode("utf-16"))
    assert found.tables[0].lines == (("näme", "ß"), ("1", "2"))


async def test_a_large_csv_file_is_cut_at_a_whole_line(tmp_path: Path) -> None:
    line = ",".join(["cell"] * 300) + "\n"
    found = await shown(tmp_path, "a.csv", (line * 10_000).encode())
    assert {len(each) for each in found.tables[0].lines} == {24}
    assert found.tables[0].lines[-1] == ("cell",) * 24
    assert found.tables[0].is_cut


async def test_a_file_that_is_too_large_for_a_look_is_not_fetched(tmp_path: Path) -> None:
    async def endless(peer: Peer) -> None:
        await peer.head(200, {"Content-Length": str(MOST_COPY * 10)})
        for _ in range(200):
            await peer.raw(bytes(10**6))

    async with (
        faulty(routes({"GET /files/1": endless})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        file = LibraryFile(id="1", file_name="huge.csv", download_link=f"{server.url}/files/1")
        found = await preview(session.context, file)
        assert found.kind == "none"
        assert "larger than 64 MB" in found.text
        cache = session.context.paths.cache / "previews"
        assert [name for _, _, names in os.walk(cache) for name in names] == []


async def test_a_broken_workbook_of_the_service_says_so(tmp_path: Path) -> None:
    found = await shown(tmp_path, "a.xlsx", b"no workbook")
    assert found.kind == "none"
    assert "cannot be read" in found.text


async def test_a_csv_file_of_windows_is_read(tmp_path: Path) -> None:
    found = await shown(tmp_path, "a.csv", "name;preis\r\nMüller;5 €\r\n".encode("cp1252"))
    assert found.tables[0].lines == (("name", "preis"), ("Müller", "5 €"))


async def test_a_letter_that_the_cut_goes_through_is_no_other_code(tmp_path: Path) -> None:
    found = await shown(tmp_path, "a.txt", b"x" * (MOST_TEXT - 1) + "ü and more".encode())
    assert found.is_cut
    assert found.text == "x" * (MOST_TEXT - 1)


async def test_one_damaged_byte_leaves_the_other_letters(tmp_path: Path) -> None:
    found = await shown(tmp_path, "a.txt", "grün, süß ".encode() + b"\xff")
    assert found.text == "grün, süß \ufffd"
