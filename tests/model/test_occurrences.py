"""Where words stand: the text as it is shown, without the marks of Markdown, in pieces that are laid out alone."""

from __future__ import annotations

import pytest

from carrel.model.occurrences import context, count, pattern, shown_markdown, shown_plain
from carrel.model.segments import CHUNK


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("**Bold**, *slanted*, ***both*** and ~~gone~~", "Bold, slanted, both and gone"),
        ("# Heading\n\n- [x] item\n1. first\n> said", "Heading item first said"),
        ("`code_with_*` and _this_, snake_case, 2 * 3", "code_with_* and this, snake_case, 2 * 3"),
        ("See [the plan](https://example.org/a_(b) 'Title') & &lt;more&gt;", "See the plan & <more>"),
        ("A ![map](map.png) and <https://example.org>", "A [picture: map.png] and https://example.org"),
        ("| a | b |\n|---|--:|\n| **1** | x\\|y |", "a b 1 x|y"),
        ("Either | or\n\n---\n\nTitle\n=====\n\n[1]: https://example.org", "Either | or Title"),
        ("\\*not slanted\\*  \nnext\\\nline", "*not slanted* next line"),
        ("See [the plan][1], [Two] and [three].\n\nMore.\n\n[1]: x\n[two]: y", "See the plan, Two and [three]. More."),
        (r"By \(\alpha\) para, $\frac{a}{b_1}$ and `$x_1$` for $5", "By α para, a/b₁ and $x_1$ for $5"),
        ("```python\n**kwargs\n```", "**kwargs"),
    ],
)
def test_marks_of_markdown_are_no_words(markdown: str, shown: str) -> None:
    assert " ".join(" ".join(shown_markdown(markdown)).split()) == shown


def test_gaps_and_cases_are_alike_and_pieces_are_apart() -> None:
    wanted = pattern(["written  NOTICE"])
    assert wanted is not None
    assert count(["Written\nnotice, written\u00a0notice", "unwritten notice"], wanted) == 3
    assert count(["written", "notice"], wanted) == 0
    assert pattern(["  ", ""]) is None


def test_any_of_several_words_is_found_and_the_longest_counts() -> None:
    wanted = pattern(["rent", "rent review", "a.b"])
    assert wanted is not None
    assert wanted.findall("Rent review, a.b, axb, rent") == ["Rent review", "a.b", "rent"]


def test_context_overlooks_the_marks_between_words() -> None:
    wanted = context("serve written notice by")
    assert wanted is not None
    assert wanted.search("You **serve** written-notice, by hand")
    assert context("…") is None


def test_plain_text_is_cut_after_a_line_else_after_a_word_and_no_word_is_lost() -> None:
    lines = "\n".join(f"line {n} of some length" for n in range(1000))
    pieces = shown_plain(lines)
    assert "\n".join(pieces) == lines
    words = "word " * 2000
    assert "".join(shown_plain(words)) == words
    assert "".join(shown_plain("x" * 7000)) == "x" * 7000
    assert max(map(len, [*pieces, *shown_plain(words)])) <= CHUNK
