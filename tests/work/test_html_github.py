"""Exports read Markdown as GitHub does: pieces in the shapes that models write, compared with cmark-gfm's own HTML.

`github_markdown/cases.md` holds the pieces, `github_markdown/expected.txt` what cmark-gfm makes of them, one token a
line. After a change of the cases, `python tests/work/test_html_github.py` writes the latter anew.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from carrel.work.html.markup import html_of

FOLDER = Path(__file__).parent / "github_markdown"
CMARK = shutil.which("cmark-gfm")
EXTENSIONS = ("table", "strikethrough", "autolink", "tasklist")


class Tokens(HTMLParser):
    """HTML as tokens: tags with their attributes in order, words with single spaces, code as it is."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.all: list[str] = []
        self._words = ""
        self._in_code = 0
        self.feed(html)
        self.close()
        self._flush()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._flush()
        self._in_code += tag == "pre"
        self.all.append(" ".join([f"<{tag}", *(f'{k}="{v or ""}"' for k, v in sorted(attrs))]) + ">")

    def handle_endtag(self, tag: str) -> None:
        self._flush()
        self._in_code -= tag == "pre"
        if tag not in {"br", "hr", "input"}:
            self.all.append(f"</{tag}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        self._words += data

    def _flush(self) -> None:
        words = self._words.replace("\n", "⏎") if self._in_code else " ".join(self._words.split())
        if words:
            self.all.append(words)
        self._words = ""


def cases() -> dict[str, str]:
    pieces = re.split(r"^@@@ (.+)\n", (FOLDER / "cases.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def expected() -> dict[str, list[str]]:
    pieces = re.split(r"^@@@ (.+)\n", (FOLDER / "expected.txt").read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {name: told.splitlines() for name, told in zip(pieces[::2], pieces[1::2], strict=True)}


def cmark(markdown: str) -> list[str]:
    """What the reference makes of a piece."""
    assert CMARK is not None
    command = [CMARK, *(part for name in EXTENSIONS for part in ("-e", name))]
    done = subprocess.run(command, input=markdown, capture_output=True, text=True, encoding="utf-8", check=True)
    return Tokens(done.stdout).all


CASES = cases()


def test_there_is_an_answer_for_each_piece() -> None:
    assert list(expected()) == list(CASES)
    assert len(CASES) >= 55


@pytest.mark.parametrize("name", CASES)
def test_a_piece_comes_out_as_github_has_it(name: str) -> None:
    assert Tokens(html_of(CASES[name], colours=False)).all == expected()[name]


@pytest.mark.skipif(CMARK is None, reason="cmark-gfm is not installed; its answers are kept in expected.txt")
def test_the_kept_answers_are_those_of_the_reference() -> None:
    assert {name: cmark(markdown) for name, markdown in CASES.items()} == expected()


if __name__ == "__main__":
    lines = [f"@@@ {name}\n" + "".join(f"{token}\n" for token in cmark(words)) for name, words in CASES.items()]
    (FOLDER / "expected.txt").write_text("".join(lines), "utf-8")
