"""The letters of a PDF report: those of its own fonts, those of this computer's, and a sign for any other."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2
import pytest
import reportlab

from carrel_service import fonts
from carrel_service.charts import chart, svg
from carrel_service.figures import tables
from carrel_service.fonts import SIGN, lettering
from carrel_service.reports import pdf

VERA = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
"""A font with the Polish Ł, without ą, Greek, Cyrillic and Chinese; it comes with reportlab."""


def said(content: bytes) -> str:
    document = pypdfium2.PdfDocument(content)
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return text


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Have this computer own just these fonts."""
    monkeypatch.setattr(fonts, "folders", lambda: iter([tmp_path / "none", tmp_path]))
    monkeypatch.setattr(fonts, "_known", {})
    monkeypatch.setattr(fonts, "_nowhere", set())

    def own(**files: Path) -> None:
        for name, file in files.items():
            shutil.copy(file, tmp_path / f"{name}.ttf")

    return own


def test_western_europe_needs_no_font_of_this_computer(only: Callable[..., None]) -> None:
    content = pdf("# Übersicht\n\nDéjà vu: 5 € – “naïve” œuvre", "T")
    assert "Déjà vu: 5 € – “naïve” œuvre" in said(content)
    assert b"FontFile2" not in content


def test_a_letter_comes_from_a_font_that_has_it_and_any_other_is_a_sign_that_is_explained(
    only: Callable[..., None], tmp_path: Path
) -> None:
    only(Vera=VERA)
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    told = said(pdf("**Łódź** lease, Жук\n\n| Ł | Ж |\n", "T"))
    assert "Łód" in told
    assert "Ж" not in told
    assert "[?][?][?]" in told
    assert "[?] stands for a letter" in told


def test_without_any_font_the_report_is_laid_out_all_the_same(only: Callable[..., None]) -> None:
    told = said(pdf("The lease of 中文 runs. <para> 🙂", "T"))
    assert "The lease of [?][?] runs. <para> [?]" in told


def test_a_family_with_other_letters_serves_the_whole_text(
    only: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Own", "OwnBold", "OwnItalic", "OwnBoldItalic")
    monkeypatch.setattr(fonts, "_FAMILIES", (tuple(f"{name}.ttf" for name in names),))
    styles = ("Vera", "VeraBd", "VeraIt", "VeraBI")
    only(**{name: VERA.with_stem(style) for name, style in zip(names, styles, strict=True)})
    assert lettering("Lodz").base == "Helvetica"
    assert lettering("Łeba").base == "Own"
    content = pdf("Łeba **Łeba** *Łeba*", "T")
    assert said(content).split() == ["Łeba"] * 3
    assert set(re.findall(rb"FontName /\w+\+([\w-]+)", content)) == {
        b"BitstreamVeraSans-Roman",
        b"BitstreamVeraSans-Bold",
        b"BitstreamVeraSans-Oblique",
    }


def test_greek_polish_and_cyrillic_on_a_computer_with_fonts() -> None:
    text = "Zażółć gęślą jaźń. Ελληνικά. Съешь ещё этих мягких булок."
    if not lettering(text).is_whole:
        pytest.skip("this computer has no TrueType font with these letters")
    told = said(pdf(f"## {text}\n\n{text} **{text}** *{text}*", "T"))
    assert told.count("Zażółć gęślą jaźń") == 4
    assert told.count("мягких") == 4
    assert "stands for" not in told


def test_a_chart_bears_the_same_letters() -> None:
    (table,) = tables("Город,Q1\nГданьск,1\nŁódź,2\n")
    title = "Город in a.csv"
    letters = lettering(title + table.markdown())
    if not letters.is_whole:
        pytest.skip("this computer has no TrueType font with these letters")
    told = said(pdf("Chart", "T", chart(table, title, letters)))
    assert "Гданьск" in told
    assert "Łódź" in told
    assert "Гданьск" in svg(chart(table, title)).decode()


def test_signs_stand_for_what_the_base_font_lacks_in_a_chart(only: Callable[..., None]) -> None:
    letters = lettering("中文")
    assert letters.plain("a 中文") == "a [?][?]"
    assert SIGN not in letters.plain("中")
