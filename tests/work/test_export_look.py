"""The look of an exported page: wide tables scroll, and each paragraph runs as its own letters do."""

from __future__ import annotations

import re

from carrel.work.export.page import style


def rule(selector: str) -> str:
    """What the style sheet says of exactly this selector on the screen."""
    screen = style().partition("@media print")[0]
    return "; ".join(body for heads, body in re.findall(r"([^{}]+)\{([^{}]*)\}", screen) if heads.strip() == selector)


def test_a_wide_table_scrolls_and_keeps_its_words_whole() -> None:
    assert "overflow-x: auto" in rule("table")
    assert "display: block" in rule("table")
    assert "overflow-wrap: normal" in rule("th, td")


def test_hebrew_and_english_paragraphs_each_run_their_own_way() -> None:
    heads = next(h for h, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style()) if "unicode-bidi: plaintext" in body)
    assert {"p", "li", "td", "blockquote", ".plain"} <= {name.strip() for name in heads.split(",")}
