"""Hostile files end the reading process at most: bombs, loops, aborts; the next file is read as if nothing was."""

import io
import zipfile
from pathlib import Path

import pytest

from carrel_service.extract import Failed, ReadingProcess
from running import built_in_service, upload, wait_indexed


@pytest.fixture
def reading(tmp_path):
    process = ReadingProcess(tmp_path / "scratch", time_limit=60)
    yield process
    process.kill()


def a_zip(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def sparse_sheet():
    """Two cells, the first and the last that a sheet can have: 16 thousand million between them."""
    return a_zip({
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        'officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="'
        'http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
        "</sheetData></worksheet>",
    })  # fmt: skip


def billion_laughs():
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    return a_zip({"word/document.xml": f'<!DOCTYPE d [<!ENTITY l0 "ha">{entities}]><d><t>&l11;</t></d>'})


HOSTILE = {
    "sparse.xlsx": sparse_sheet,
    "laughs.docx": billion_laughs,
    "bomb.docx": lambda: a_zip({"word/document.xml": b"<d><t>" + b" " * 300_000_000 + b"</t></d>"}),
    "many.zip": lambda: a_zip({f"{n}.txt": "x" for n in range(10_001)}),
    "nested.json": lambda: b"[" * 100_000,
}


@pytest.mark.parametrize("name", [name for name in HOSTILE if name != "nested.json"])
def test_a_hostile_file_fails_and_the_next_is_read(reading, tmp_path, name):
    path = tmp_path / "stored"
    path.write_bytes(HOSTILE[name]())
    with pytest.raises(Failed):
        reading.read(path, name)
    path.write_bytes(b"Still reading.")
    assert reading.read(path, "x.txt")[0].text == "Still reading."


def test_a_zip_bomb_is_measured_by_what_it_really_unpacks(reading, tmp_path):
    path = tmp_path / "stored"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(3):
            with archive.open(f"{number}.txt", "w", force_zip64=True) as member:
                for _ in range(700):
                    member.write(bytes(1_000_000))
    with pytest.raises(Failed, match="unpacks to more than 2 GB"):
        reading.read(path, "x.zip")
    assert not [left for left in (tmp_path / "scratch").rglob("*") if left.is_file()]


def test_a_file_that_takes_too_long_is_given_up(tmp_path):
    """A fifth of a second for what takes several: thrice 500 MB to unpack."""
    path = tmp_path / "stored"
    path.write_bytes(a_zip({f"{number}.txt": bytes(500_000_000) for number in range(3)}))
    process = ReadingProcess(tmp_path / "scratch", time_limit=0.2)
    with pytest.raises(Failed, match="took longer than"):
        process.read(path, "x.zip")
    assert not process.running


def test_text_beyond_the_limit_is_left_out(reading, tmp_path):
    path = tmp_path / "stored"
    path.write_bytes(b"word " * 5_000_000)
    assert len(reading.read(path, "x.txt")[0].text) == 20_000_000


def test_the_service_lives_on_and_says_why(tmp_path):
    with built_in_service(tmp_path, "--rate-limit", "10000") as service, service.client() as client:
        upload(client, {name: content() for name, content in HOSTILE.items()})
        upload(client, {"plain.txt": b"The quiet file in between."})
        ended = wait_indexed(client)
        assert ended.pop("plain.txt") == "success"
        assert ended.pop("nested.json") == "success"
        assert set(ended.values()) == {"failed"}
        log = service.log()
        for name in ended:
            assert f"{name} could not be indexed: " in log
        assert Path(f"/proc/{service.process.pid}").exists()
        found = client.post("/external/search", json={"query": "quiet file"}).json()["results"][0]
        assert found["title"] == "plain.txt"
