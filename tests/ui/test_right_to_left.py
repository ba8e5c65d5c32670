"""Words that run from right to left begin at the right: in the composer, beside the bar of a quotation, in a list."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from carrel.ui.theme import theme
from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.itemlist import Item, ItemList
from carrel.ui.widgets.transcript.parts import TextPart

HEBREW = "שלום, זהו טקסט בעברית"


def bars(markdown: str, width: int = 300) -> list[int]:
    """Where bars stand that go down through the middle of a painted part."""
    part = TextPart()
    part.show(markdown)
    high = int(part.lay_out(width))
    image = QImage(width, high, QImage.Format.Format_RGB32)
    image.fill(theme.color("surface"))
    painter = QPainter(image)
    part.paint(painter, QRectF(0, 0, width, high).topLeft(), QRectF(0, 0, width, high), None)
    painter.end()
    wanted = theme.color("border").name()
    return [x for x in range(width) if image.pixelColor(x, high - 6).name() == wanted]


def test_the_bar_of_a_quotation_stands_where_its_words_begin() -> None:
    assert bars("> an English quotation") == [0, 1, 2]
    assert bars(f"> {HEBREW}") == [297, 298, 299]


def test_its_words_stand_beside_the_bar() -> None:
    part = TextPart()
    part.show(f"> {HEBREW}")
    part.lay_out(300)
    form = part.document.begin().blockFormat()
    assert (form.leftMargin(), form.rightMargin()) == (0, theme.px(16))


def test_the_composer_begins_at_the_right(composer: Composer) -> None:
    for text, side in ((HEBREW, Qt.AlignmentFlag.AlignRight), ("Hello", Qt.AlignmentFlag.AlignLeft)):
        composer.field.setPlainText(text)
        assert composer.field.document().defaultTextOption().alignment() == side


def test_what_a_list_cuts_off_is_at_the_end() -> None:
    listing = ItemList("l", "l")
    listing.resize(220, 100)
    listing.fill([Item("a", "Title", f"{HEBREW} {HEBREW} {HEBREW}")])
    listing.show()
    QApplication.processEvents()
    image, ground = listing.viewport().grab().toImage(), theme.color("window")
    seen: set[int] = set()
    for x in range(image.width()):
        for y in range(theme.px(30), theme.px(46)):
            if image.pixelColor(x, y) != image.pixelColor(image.width() - 1, 2):
                seen.add(x)
    assert seen, ground
    first = min(seen)
    dots = [y for y in range(theme.px(27), theme.px(46)) if image.pixelColor(first, y) != image.pixelColor(0, 2)]
    assert min(dots) > theme.px(36), "the dots stand low, at the left, where these words end"
