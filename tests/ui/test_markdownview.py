"""Markdown of the service is data: no HTML, no image, no link of its own, and no text that holds the window up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument

from carrel.ui.theme import theme
from carrel.ui.widgets.markdownview import MOST, MarkdownView
from stage import application


@pytest.fixture
def view() -> Iterator[MarkdownView]:
    application()
    made = MarkdownView("output", "Output")
    made.resize(600, 400)
    made.show()
    yield made
    made.close()


def test_html_is_shown_as_text(view: MarkdownView) -> None:
    view.show_markdown("before <b>bold</b> <script>alert(1)</script> after")
    assert "<b>bold</b>" in view.toPlainText()


@pytest.mark.parametrize("address", ["/dev/zero", "file:///etc/passwd", "//other/share.png", "https://x.example/a.png"])
def test_no_image_is_loaded(view: MarkdownView, address: str) -> None:
    view.show_markdown(f"![picture]({address})")
    held = view.document().resource(QTextDocument.ResourceType.ImageResource.value, QUrl(address))
    assert isinstance(held, QImage)
    assert (held.width(), held.height()) == (1, 1)


def test_a_link_is_told_and_not_followed(view: MarkdownView, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    told: list[str] = []
    view.linked.connect(told.append)
    view.show_markdown(f"[here]({secret.as_uri()})")
    view.anchorClicked.emit(QUrl(secret.as_uri()))
    assert told == [secret.as_uri()]
    assert view.toPlainText().strip() == "here"


def test_it_is_as_high_as_what_it_shows(view: MarkdownView) -> None:
    view.show_markdown("one line")
    low = view.height()
    view.show_markdown("# Title\n\n" + "- a point\n" * 30)
    assert view.height() > 5 * low
    assert view.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("text", ["x" * 1_000_000, "y" * 5000 + " z", "word " * (MOST // 4)])
def test_a_text_that_would_hold_the_window_up_is_shown_plainly(view: MarkdownView, text: str) -> None:
    view.show_markdown(text)
    assert view.is_plain
    assert view.toPlainText()
    assert view.markdown() == text


def test_headings_code_and_tables_take_the_sizes_of_the_design(view: MarkdownView) -> None:
    view.show_markdown("# One\n\ntext\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    sizes = {}
    block = view.document().begin()
    while block.isValid():
        step = block.begin()
        if not step.atEnd():
            sizes[block.text()] = step.fragment().charFormat().font().pixelSize()
        block = block.next()
    assert (sizes["One"], sizes["x = 1"]) == (theme.px(18), theme.px(12))


def test_another_theme_paints_the_same_text(view: MarkdownView) -> None:
    view.show_markdown("# One\n\n- two")
    theme.choose("dark")
    assert view.toPlainText().split() == ["One", "two"]
    theme.choose("light")
