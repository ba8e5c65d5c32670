"""The sample documents are what their script makes, agree with each other, and answer the questions."""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest
from PIL import Image, ImageChops, ImageStat

from samples import reading
from samples.questions import (
    ACME,
    ANSWERED,
    BRILL,
    LEASE,
    LETTERS,
    MINUTES,
    POLICIES,
    REGISTER,
    REVENUE,
    SLIDES,
    UNANSWERED,
    Question,
)

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "resources" / "samples"
NAMES = sorted(path.relative_to(SAMPLES).as_posix() for path in SAMPLES.rglob("*") if path.is_file())
TEXTS = [name for name in NAMES if name.rpartition(".")[2] not in reading.PICTURES]

# Plain texts are their own source; the rest is made.
PLAIN = {"csv", "html", "json", "md", "sql", "txt", "yaml", "yml"}
OTHER = {"docx", "pdf", "png", "pptx", "webp", "xls", "xlsx", "zip"}
MADE = [name for name in NAMES if name.rpartition(".")[2] not in PLAIN]


def sample_text(name: str) -> str:
    return reading.text_of(name, (SAMPLES / name).read_bytes())


def make(destination: Path) -> dict[str, bytes]:
    subprocess.run([sys.executable, ROOT / "packaging" / "samples.py", destination], check=True, capture_output=True)
    return {p.relative_to(destination).as_posix(): p.read_bytes() for p in destination.rglob("*") if p.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return make(tmp_path_factory.mktemp("made"))


def test_every_document_that_is_not_plain_text_is_made(made: dict[str, bytes]) -> None:
    assert sorted(made) == MADE


def test_a_second_run_writes_the_same_bytes(made: dict[str, bytes], tmp_path: Path) -> None:
    again = make(tmp_path)
    assert [name for name in MADE if again[name] != made[name]] == []


@pytest.mark.parametrize("name", [name for name in MADE if name in TEXTS])
def test_committed_text_is_what_the_script_makes(name: str, made: dict[str, bytes]) -> None:
    # Text and not bytes: compression and templates differ between versions of the libraries.
    assert sample_text(name) == reading.text_of(name, made[name])


@pytest.mark.parametrize("name", [name for name in MADE if name not in TEXTS])
def test_committed_picture_is_what_the_script_draws(name: str, made: dict[str, bytes]) -> None:
    committed, drawn = Image.open(SAMPLES / name), Image.open(io.BytesIO(made[name]))
    assert committed.size == drawn.size
    assert committed.getexif()[0x010E] == drawn.getexif()[0x010E]
    difference = ImageChops.difference(committed.convert("RGB"), drawn.convert("RGB"))
    assert max(ImageStat.Stat(difference).mean) < 2  # of 255: text and WebP differ slightly between versions


def test_the_folder_is_small_and_of_sixteen_kinds() -> None:
    assert sum((SAMPLES / name).stat().st_size for name in NAMES) < 1_000_000
    assert {name.rpartition(".")[2] for name in NAMES} == PLAIN | OTHER


@pytest.mark.parametrize("question", ANSWERED, ids=lambda question: question.text)
def test_the_named_file_holds_the_answer(question: Question) -> None:
    if question.member:
        text = " ".join(reading.members((SAMPLES / question.file).read_bytes())[question.member].split())
    else:
        text = sample_text(question.file)
    assert question.answer.casefold() in text.casefold()


def test_every_text_has_a_question() -> None:
    assert sorted({question.file for question in ANSWERED}) == TEXTS


@pytest.mark.parametrize(("question", "subject"), list(zip(UNANSWERED, ["lemon", "mayor", "violin"], strict=True)))
def test_nothing_is_said_about_what_cannot_be_answered(question: str, subject: str) -> None:
    assert subject in question
    assert [name for name in TEXTS if subject in sample_text(name).casefold()] == []


@pytest.mark.parametrize("name", TEXTS)
def test_addresses_and_numbers_are_invented(name: str) -> None:
    text = sample_text(name)
    hosts = re.findall(r"(?:@|https?://)([\w.-]+\w)", text)
    assert [host for host in hosts if not host.endswith(".example")] == []
    assert [number for number in re.findall(r"\+44[\d ]+", text) if not number.startswith("+44 20 7946 0")] == []


def rows(book: openpyxl.Workbook, sheet: str) -> dict[object, list[object]]:
    return {first: list(rest) for first, *rest in book[sheet].iter_rows(values_only=True)}


def test_the_sheets_of_the_revenue_agree() -> None:
    book = openpyxl.load_workbook(SAMPLES / REVENUE)
    for at, quarter in enumerate(["2026 Q1", "2026 Q2", "2026 Q3"]):
        lines = rows(book, quarter)
        *regions, total = lines.pop("Total")
        lines.pop(f"Revenue {quarter}, pounds")
        assert [sum(column) for column in zip(*lines.values(), strict=True)] == [*regions, total]
        by_region = rows(book, "By region")
        assert [by_region[region][at] for region in ("North", "South", "East", "West", "Total")] == [*regions, total]
        by_line = rows(book, "By product line")
        assert [by_line[line][at] for line in lines] == [amounts[-1] for amounts in lines.values()]


def test_minutes_and_slides_quote_the_revenue() -> None:
    north = rows(openpyxl.load_workbook(SAMPLES / REVENUE), "By region")
    for file in (MINUTES, SLIDES):
        assert f"£{north['North'][2]:,}" in sample_text(file)
        assert f"£{north['Total'][2]:,}" in sample_text(file)
    assert f"£{north['Total'][3]:,}" in sample_text(MINUTES)
    assert north["North"][5] == pytest.approx(12.0)


def test_lease_letters_minutes_and_slides_agree_on_the_renewal() -> None:
    lease, letters = sample_text(LEASE), sample_text(LETTERS)
    window = "between 31 March 2027 and 30 September 2027"
    assert "Expiry Date 31 March 2028" in lease
    assert window in lease
    assert window in letters
    assert "31 March to 30 September 2027" in sample_text(SLIDES)
    assert "the last day is 30 September 2027" in sample_text(MINUTES)
    reviewed = f"£{84_000 * 107 // 100:,}"  # the letters say: 7 per cent more than the rent of the lease
    assert all(reviewed in text for text in (letters, sample_text(MINUTES), sample_text(SLIDES)))


@pytest.mark.parametrize(("name", "price", "tool"), [(ACME, 6.90, 4_800), (BRILL, 6.60, 6_500)])
def test_quotes_and_slides_agree_on_five_thousand_housings(name: str, price: float, tool: int) -> None:
    quote, slides = sample_text(name), sample_text(SLIDES)
    for amount in (f"£{price:.2f}", f"£{price * 5_000:,.0f}", f"£{tool:,}"):
        assert amount in quote
        assert amount in slides


@pytest.mark.parametrize(
    ("activity", "named"),
    [
        ("Recruitment", "job applicants"),
        ("Entrance camera", "entrance camera"),
        ("Visitors' book", "visitors' book"),
        ("Web server logs", "web server logs"),
        ("Support tickets", "support tickets"),
        ("Supplier contacts", "contacts at suppliers"),
    ],
)
def test_the_register_keeps_to_the_retention_policy(activity: str, named: str) -> None:
    with (SAMPLES / REGISTER).open(encoding="utf-8", newline="") as lines:
        (period,) = [row["retention"] for row in csv.DictReader(lines) if row["activity"] == activity]
    policy = reading.members((SAMPLES / POLICIES).read_bytes())["data-retention.txt"]
    (rule,) = re.findall(rf"^{named}[^.]*", policy, re.IGNORECASE | re.MULTILINE)
    assert " ".join(rule.split()).casefold().endswith(period.casefold())
