"""File names out of whatever a service calls a file."""

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from carrel.api import safe_name
from carrel.api.files import MOST_BYTES, numbered, put

HOSTILE = {
    "../../etc/passwd": "passwd",
    "..\\..\\boot.ini": "boot.ini",
    "/absolute/report.pdf": "report.pdf",
    "C:\\Users\\a\\report.pdf": "report.pdf",
    "C:report.pdf": "C_report.pdf",
    "a\0b\n\r\t.txt": "ab.txt",
    "invoice\u202efdp.exe": "invoicefdp.exe",
    "zero\u200bwidth\ufeff.txt": "zerowidth.txt",
    "CON": "_CON",
    "nul.txt": "_nul.txt",
    "com1.tar.gz": "_com1.tar.gz",
    "..": "download",
    ".": "download",
    "": "download",
    "   ": "download",
    "folder/": "folder",
    ".bashrc": "bashrc",
    "trailing. . .": "trailing",
    'a<b>c:d"e|f?g*h': "a_b_c_d_e_f_g_h",
    "~/x": "x",
    "Größe €.pdf": "Größe €.pdf",
    "e\u0301.txt": "é.txt",
    "report.pdf": "report.pdf",
}


@pytest.mark.parametrize(("said", "kept"), HOSTILE.items())
def test_only_a_plain_name_is_left(said: str, kept: str) -> None:
    assert safe_name(said) == kept


@pytest.mark.parametrize("said", [*HOSTILE, "x" * 5000 + ".pdf", "é" * 300, "." * 400, "a." + "b" * 400, "\ud800.txt"])
def test_a_name_stays_in_its_folder_and_is_short(said: str) -> None:
    name = safe_name(said)
    assert PurePosixPath(name).name == name
    assert PureWindowsPath(name).name == name
    assert 0 < len(name.encode()) <= MOST_BYTES
    assert safe_name(name) == name


def test_a_long_name_keeps_its_extension() -> None:
    assert safe_name("é" * 300 + ".pdf").endswith(".pdf")


def test_a_file_never_replaces_another(tmp_path: Path) -> None:
    wanted = tmp_path / "report.tar"
    wanted.write_text("first")
    places = []
    for number in range(3):
        part = tmp_path / "new.part"
        part.write_text(str(number))
        places.append(put(part, wanted))
        assert not part.exists()
    assert wanted.read_text() == "first"
    assert [place.name for place in places] == ["report (2).tar", "report (3).tar", "report (4).tar"]
    assert [place.read_text() for place in places] == ["0", "1", "2"]
    assert next(numbered(wanted)) == wanted
