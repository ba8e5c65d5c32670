"""Text out of every accepted type, read in the reading process as the service reads it."""

import io
import json
import shutil
import zipfile
from pathlib import Path

import docx
import openpyxl
import pytest
from PIL import Image

from carrel_service.extract import Failed, ReadingProcess
from carrel_service.filetypes import MIME_TYPES
from old_office import presentation, word_document


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    process = ReadingProcess(tmp_path_factory.mktemp("reading") / "scratch")
    yield process
    process.kill()


@pytest.fixture
def read(reading, tmp_path):
    def read(name, content):
        path = tmp_path / "stored"
        path.write_bytes(content)
        return reading.read(path, name)

    return read


@pytest.fixture
def text(read):
    return lambda name, content: "\n".join(part.text for part in read(name, content))


def a_docx():
    document = docx.Document()
    document.add_heading("Lease of the quay")
    document.add_paragraph("The rent is 4,200 euros a month.")
    table = document.add_table(2, 2)
    for cell, value in zip((cell for row in table.rows for cell in row.cells), "ABCD", strict=True):
        cell.text = value
    document.sections[0].header.paragraphs[0].text = "Confidential header"
    document.add_comment(document.paragraphs[1].runs, "Checked by Ada", author="Ada")
    return saved(document)


def saved(document):
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def an_xlsx():
    book = openpyxl.Workbook()
    book.active.title = "Costs"
    book.active.append(["Item", "Euros"])
    book.active.append(["Rent", 4200.0])
    book.active.append(["Share", 0.125])
    return saved(book)


def a_picture(kind):
    out = io.BytesIO()
    exif = Image.Exif()
    exif[270] = "The quay at low tide"
    Image.new("RGB", (60, 40), "navy").save(out, kind, **({} if kind == "GIF" else {"exif": exif}))
    return out.getvalue()


def a_pdf(*pages, encrypt=None):
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=encrypt)
    for page in pages:
        canvas.drawString(72, 700, page)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def a_zip(members, kind=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


PPTX_SLIDE = (
    '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>{}</a:t></a:r></a:p><a:tbl><a:tr><a:tc><a:p><a:r><a:t>Q1'
    "</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>17</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:sld>"
)


def a_pptx():
    slides = {f"ppt/slides/slide{number}.xml": PPTX_SLIDE.format(f"Slide {number}") for number in (1, 2, 10)}
    notes = {"ppt/notesSlides/notesSlide1.xml": PPTX_SLIDE.format("Say this slowly")}
    return a_zip({**slides, **notes})


SAMPLES = {
    "pdf": (a_pdf("The lease ends in May", "Second page"), "The lease ends in May\n\nSecond page"),
    "doc": (word_document(["The rent is due.\r", "Früh am Morgen → später.\r"]), "The rent is due.\nFrüh am Morgen"),
    "docx": (a_docx(), "Lease of the quay\nThe rent is 4,200 euros a month.\nA\tB\nC\tD"),
    "xls": (a_zip({}), None),
    "xlsx": (an_xlsx(), "Costs\nItem\tEuros\nRent\t4200\nShare\t0.125"),
    "csv": (b"name,euros\nrent,4200\n", "rent,4200"),
    "json": (json.dumps({"rent": 4200}).encode(), '{"rent": 4200}'),
    "txt": ("Früh".encode("utf-16"), "Früh"),
    "html": (b"<title>T</title><p>One<br>two<script>no</script><table><tr><td>a<td>b</table>", "T\nOne\ntwo\na b"),
    "ppt": (presentation([["Title one", "Body → arrow"], ["Title two"]]), "Title one\n\nTitle two\n\nBody → arrow"),
    "pptx": (a_pptx(), "Slide 1\nQ1\t17\n\nSlide 2\nQ1\t17\n\nSlide 10\nQ1\t17\n\nSay this slowly"),
    "zip": (a_zip({"in/side.txt": "Inside the box."}), "Inside the box."),
    "md": (b"# Title\n\ntext", "# Title\n\ntext"),
    "sql": (b"CREATE TABLE t (a int);", "CREATE TABLE t (a int);"),
    "yml": (b"a: 1", "a: 1"),
    "yaml": (b"b: 2", "b: 2"),
    "png": (a_picture("PNG"), "x.png: PNG picture, 60 × 40 pixels\nDescription: The quay at low tide"),
    "jpg": (a_picture("JPEG"), "x.jpg: JPEG picture, 60 × 40 pixels\nDescription: The quay at low tide"),
    "jpeg": (a_picture("JPEG"), "x.jpeg: JPEG picture, 60 × 40 pixels"),
    "gif": (a_picture("GIF"), "x.gif: GIF picture, 60 × 40 pixels"),
    "webp": (a_picture("WEBP"), "x.webp: WEBP picture, 60 × 40 pixels\nDescription: The quay at low tide"),
}


def test_there_is_a_sample_of_every_accepted_type():
    assert set(SAMPLES) == set(MIME_TYPES)
    assert len(SAMPLES) == 21


@pytest.mark.parametrize("kind", [kind for kind, (_, wanted) in SAMPLES.items() if wanted])
def test_every_type_gives_its_text(text, kind):
    content, wanted = SAMPLES[kind]
    assert wanted in text(f"x.{kind}", content)


def test_an_old_spreadsheet_gives_its_cells(text, samples_folder):
    found = text("budget.xls", (samples_folder / "Finance" / "budget-2026.xls").read_bytes())
    assert "Department\tItem\t2025 actual\t2026 budget" in found


@pytest.fixture
def samples_folder():
    from carrel_service.samples import folder

    return folder()


def test_a_document_is_read_with_its_header_and_comments(text):
    found = text("x.docx", SAMPLES["docx"][0])
    assert "Confidential header" in found
    assert "Checked by Ada" in found


def test_word_fields_show_their_result_only(text):
    found = text("x.doc", word_document(["See \x13 HYPERLINK \x13 inner \x15 \x14the page\x15 now.\x07\x07End\r"]))
    assert found == "See the page now.\nEnd"


def test_a_presentation_gives_only_what_the_last_save_holds(text):
    assert "Withdrawn" not in text("x.ppt", presentation([["Kept"], ["Also kept"]], dead="Withdrawn"))


def test_members_of_a_zip_are_named_by_their_path(read):
    content = a_zip({
        "a/one.txt": "one", "a/b/two.md": "two", "pic.svg": "<svg/>", "__MACOSX/a/one.txt": "x",
        "deep.zip": a_zip({"three.txt": "three"}), "broken.pdf": "%PDF-nothing", "table.csv": "a,b",
    })  # fmt: skip
    assert {part.member: part.text for part in read("x.zip", content)} == {
        "a/one.txt": "one",
        "a/b/two.md": "two",
        "table.csv": "a,b",
    }


def test_a_member_with_a_hostile_name_is_read_and_written_nowhere(read, tmp_path):
    before = set(tmp_path.parent.rglob("*"))
    [part] = read("x.zip", a_zip({"../../../escape.txt": "Out I go"}))
    assert (part.member, part.text) == ("../../../escape.txt", "Out I go")
    assert set(tmp_path.parent.rglob("*")) - before <= {tmp_path / "stored"}


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("Größe".encode(), "Größe"),
        ("Größe".encode("utf-8-sig"), "Größe"),
        ("Größe".encode("utf-16-be"), None),
        ("\ufeffGröße".encode("utf-16-be"), "Größe"),
        ("Größe und Länge der Straße, für die Gebühr".encode("cp1252"), "Größe und Länge der Straße"),
        (b"one\r\ntwo\rthree\0four\xc2\xad", "one\ntwo\nthreefour"),
    ],
)
def test_plain_text_in_any_encoding(text, content, wanted):
    assert wanted is None or wanted in text("x.txt", content)


def test_an_office_file_under_another_generations_name_is_read_as_what_it_is(text):
    assert "The rent is 4,200 euros" in text("x.doc", SAMPLES["docx"][0])
    assert "The rent is due." in text("x.docx", SAMPLES["doc"][0])
    assert text("x.xls", b"<html><table><tr><td>7</td></tr></table></html>") == "7"
    assert text("x.xls", b"a\tb\n1\t2\n") == "a\tb\n1\t2"


@pytest.mark.skipif(not shutil.which("tesseract"), reason="reads pictures only where an OCR engine is installed")
def test_a_picture_is_read_by_the_engine_that_is_installed(text):
    plan = Path(__file__).parents[2] / "resources" / "samples" / "Contracts" / "Property" / "floor-plan.png"
    assert "Calibration laboratory" in text("floor-plan.png", plan.read_bytes())


def test_a_pdf_without_a_text_layer_says_what_it_is(text):
    from carrel_service.extract import ocr

    if ocr.engine():
        pytest.skip("an OCR engine is installed here")
    assert text("scan.pdf", a_pdf("")) == "scan.pdf: PDF of 1 pages without a text layer"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("x.txt", b"", "empty"),
        ("x.pdf", a_pdf("secret", encrypt="pass"), "password-protected"),
        ("x.doc", word_document(["a"], encrypted=True), "password-protected"),
        ("x.doc", word_document(["a"], ident=0xA5DC), "older than Word 97"),
        ("x.ppt", presentation([["a"]], encrypted=True), "password-protected"),
        ("x.pdf", b"%PDF-1.4 nothing more", "broken"),
        ("x.docx", b"PK\x03\x04" + b"junk" * 400, "broken"),
        ("x.docx", a_zip({"other.xml": "<a/>"}), "not a document"),
        ("x.doc", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000), "broken"),
        ("x.xlsx", b"PK\x03\x04" + b"junk" * 400, "broken"),
        ("x.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "broken"),
        ("x.zip", b"not a zip at all", "broken"),
        ("x.zip", a_zip({}), "nothing in it"),
    ],
)
def test_what_cannot_be_read_fails_with_its_reason(read, name, content, reason):
    with pytest.raises(Failed, match=reason):
        read(name, content)
