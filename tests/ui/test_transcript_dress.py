"""How Markdown is dressed in the transcript: code in lists, quotations, rules, tables, bare links; the header."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QImage, QTextTable
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import Entry, Stub, Transcript
from carrel.ui.widgets.transcript.document import links, spans
from carrel.ui.widgets.transcript.parts import TextPart
from stage import application

STEPS = "1. Install it:\n\n   ```python\n   def f():\n       return 1\n   ```\n\n   Then go on.\n2. Run it.\n"


@pytest.fixture
def view() -> Iterator[Transcript]:
    made = Transcript("test.transcript", "Conversation")
    made.resize(900, 500)
    made.show()
    made.activateWindow()
    application().processEvents()
    yield made
    made.hide()
    made.deleteLater()


def show(view: Transcript, text: str, **values) -> list[TextPart]:
    entry = Entry("r", "assistant", text, **values)
    view.fill([Stub("r", "assistant", len(text))], lambda _: entry)
    application().processEvents()
    return view._rows.view(0).words()


def inks(part: TextPart, block: int = 0) -> dict[str, str]:
    """The colour of each piece of a block, by its words."""
    text = part.document.toPlainText()
    found = spans(part.document.findBlockByNumber(block))
    return {text[start:stop]: look.foreground().color().name().upper() for start, stop, look in found}


def has(image: QImage, color: QColor) -> bool:
    wide, high = image.width(), image.height()
    return any(image.pixelColor(x, y) == color for y in range(high) for x in range(0, wide, 2))


def test_code_in_a_list_is_code_with_its_colours_and_its_copy_button(view: Transcript) -> None:
    parts = show(view, STEPS)
    assert [(part.style, part.depth) for part in parts] == [("prose", 0), ("code", 1), ("prose", 1), ("prose", 0)]
    code = parts[1]
    assert (code.language, code.source) == ("python", "def f():\n    return 1")
    assert inks(code)["def"] == theme.tokens.info.upper()
    assert code.width == parts[0].width - theme.px(24)
    [button] = [b for b in view.viewport().findChildren(QToolButton) if b.accessibleName() == "Copy this code"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "def f():\n    return 1"
    assert parts[3].document.begin().textList().itemText(parts[3].document.begin()) == "2."


def test_a_list_with_code_is_copied_as_the_list_it_is(view: Transcript) -> None:
    show(view, STEPS)
    view._select_all()
    view.copy_selection()
    assert QGuiApplication.clipboard().text() == (
        "1. Install it:\n\n   ```python\n   def f():\n       return 1\n   ```\n\n   Then go on.\n\n2. Run it."
    )


def test_a_click_in_a_part_within_a_list_finds_its_letter(view: Transcript) -> None:
    show(view, STEPS)
    box = view._rows.view(0).box(2, 5).translated(view._left, view._top_of(0))
    assert view._place_at(box.center().toPoint()) == (0, (2, 5))


def test_code_in_a_list_that_streams_in_is_the_same_in_the_end(view: Transcript) -> None:
    [*whole] = [(part.style, part.depth, part.source) for part in show(view, STEPS)]
    height = view._rows.view(0).height
    show(view, "")
    for end in range(len(STEPS) + 1):
        view.put(Entry("r", "assistant", STEPS[:end]))
    assert [(part.style, part.depth, part.source) for part in view._rows.view(0).words()] == whole
    assert view._rows.view(0).height == height


def test_code_in_a_quotation_has_its_font_its_ground_and_its_colours(view: Transcript) -> None:
    [part] = show(view, "> Said:\n>\n> ```python\n> a = 'b'\n> ```\n")
    [(_, _, look), *_] = spans(part.document.findBlockByNumber(1))
    assert look.fontFamilies() == [theme.font(12, mono=True).family()]
    assert inks(part, 1)["'b'"] == theme.tokens.accent.upper()
    assert part.document.codes == [(1, 1)]


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_a_quotation_has_a_bar_and_quieter_ink_and_a_rule_is_no_darker_than_a_border(
    view: Transcript, choice: str
) -> None:
    theme.choose(choice)
    part, rule = show(view, "> Said **loudly**, see [there](https://example.org)\n>\n> > deep\n\n---\n")
    found = inks(part)
    assert found["Said "] == found["loudly"] == theme.tokens.muted.upper()
    assert found["there"] == theme.tokens.accent.upper()
    assert part.document.quotes == [(1, 0, 1), (2, 1, 1)]
    shown = view.grab().toImage()
    top = round(view._top_of(0) + view._rows.view(0).box(0, 0).top())
    assert shown.pixelColor(round(view._left) + 1, top + 8) == theme.color("border")
    line = round(view._top_of(0) + view._rows.view(0).box(1, 0).top())
    ground = theme.color("surface").lightness()
    strip = [shown.pixelColor(round(view._left) + 100, y).lightness() for y in range(line - 4, line + 26)]
    darkest = max(abs(pixel - ground) for pixel in strip)
    assert 0 < darkest <= abs(theme.color("border").lightness() - ground)
    assert rule.height < theme.px(30)


def test_heads_stand_over_their_numbers(view: Transcript) -> None:
    [part] = show(view, "| Name | Value |\n|---|--:|\n| alpha | 1 |\n")
    table = next(f for f in part.document.rootFrame().childFrames() if isinstance(f, QTextTable))
    aligned = [table.cellAt(0, n).firstCursorPosition().blockFormat().alignment() for n in (0, 1)]
    assert bool(aligned[1] & Qt.AlignmentFlag.AlignRight)
    assert not aligned[0] & Qt.AlignmentFlag.AlignRight


def test_bare_links_leave_the_full_stop_to_the_sentence(view: Transcript) -> None:
    text = (
        "See https://example.org/terms. It (https://example.org/a_(b)), **www.example.org/ä**; "
        "`https://example.org/code`, [https://example.org/x.](https://example.com/y) and [a](https://example.org/z.)."
    )
    [part] = show(view, text)
    words = part.document.toPlainText()
    assert [(words[link.start : link.stop], link.address) for link in links(part.document)] == [
        ("https://example.org/terms", "https://example.org/terms"),
        ("https://example.org/a_(b)", "https://example.org/a_(b)"),
        ("www.example.org/ä", "http://www.example.org/ä"),
        ("https://example.org/x.", "https://example.com/y"),
        ("a", "https://example.org/z."),
    ]
    assert inks(part)[". It ("] == "#000000", "no ink of its own"
    view._selection.begin((0, (0, 0)))
    view._selection.cursor = (0, (0, words.index(". It")))
    view.copy_selection()
    assert QGuiApplication.clipboard().text() == "See https://example.org/terms"


def test_links_are_reached_and_opened_by_the_keyboard(view: Transcript) -> None:
    opened: list[str] = []
    view.linked.connect(opened.append)
    parts = show(
        view, "See [one](https://example.org/1) and [**t**wo](https://example.org/2).", actions=(("a", "A", "copy"),)
    )
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert opened == []
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert view.stopped_at == "https://example.org/1"
    assert parts[0].link is not None
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert view.stopped_at == "https://example.org/2"
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert opened == ["https://example.org/2"]
    assert "Copy link address" in offered(view, QContextMenuEvent.Reason.Keyboard, QPoint(5, 400))
    assert QGuiApplication.clipboard().text() == "https://example.org/2"
    QTest.keyClick(view, Qt.Key.Key_Backtab)
    assert view.stopped_at == "https://example.org/1"
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    assert view.stopped_at == ""
    assert parts[0].link is None
    button = QApplication.focusWidget()
    assert isinstance(button, QToolButton), "the buttons come after the links"
    QTest.keyClick(button, Qt.Key.Key_Backtab)
    assert view.stopped_at == "https://example.org/2"


def offered(view: Transcript, reason: QContextMenuEvent.Reason, place: QPoint) -> list[str]:
    """What the menu has; the address of a link is copied, where it is offered."""
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, place, view.mapToGlobal(place)))
    menu = next(menu for menu in view.findChildren(QMenu) if menu.isVisible())
    for action in menu.actions():
        if action.text() == "Copy link address":
            action.trigger()
    words = [action.text() for action in menu.actions()]
    menu.close()
    return words


def test_the_address_of_a_link_is_copied_by_the_menu(view: Transcript) -> None:
    show(view, "[one](https://example.org/1) and more words")
    mouse = QContextMenuEvent.Reason.Mouse
    on = view._rows.view(0).box(0, 1).translated(view._left, view._top_of(0)).center().toPoint()
    assert "Copy link address" in offered(view, mouse, on)
    assert QGuiApplication.clipboard().text() == "https://example.org/1"
    assert "Copy link address" not in offered(view, mouse, on + QPoint(120, 0))


@pytest.mark.parametrize("tag", ["", "Interrupted"])
def test_a_long_name_leaves_room_for_the_time_and_the_tag(view: Transcript, tag: str) -> None:
    view.resize(360, 300)
    drawn = []
    for who in ("A model", "A model with a very long name that goes on and on"):
        show(view, "Words.", who=who, when="12:04", tag=tag, tone="warn")
        image = view.viewport().grab().toImage()
        right = image.copy(round(view._left + view._width), 0, 40, 40)
        drawn.append(image)
        assert not has(right, theme.color("muted"))
        assert not has(right, theme.color("warn"))
    head = drawn[1].copy(round(view._left), 0, round(view._width), 40)
    assert has(head, theme.color("warn" if tag else "muted"))


def test_a_task_that_is_done_has_its_cross_also_below_code(view: Transcript) -> None:
    show(view, "```\ncode\n```\n\n- [x] signed\n- [ ] sent")
    picture, side = view.viewport().grab().toImage(), theme.px(20)

    def ink(position: int) -> int:
        """How dark the box before a text is."""
        words = view._rows.view(0).box(1, position).translated(view._left, view._top_of(0))
        box = picture.copy(int(words.left()) - side, int(words.top()), side, side)
        return sum(255 - box.pixelColor(x, y).lightness() for x in range(side) for y in range(side))

    assert ink(0) > 1.3 * ink(len("signed\n"))


def test_a_redaction_token_stands_on_a_chip(view: Transcript) -> None:
    [part] = show(view, "The card [CARD_1] 😀 of [PERSON_12] expires.")
    assert part.document.tokens == [(9, 17), (24, 35)]
    assert inks(part)["[CARD_1]"] == theme.tokens.warn.upper()
    picture, chip = view.viewport().grab().toImage(), QColor(theme.tokens.warn_soft)
    assert has(picture, chip)
    top = round(view._rows.view(0).box(0, 9).translated(0, view._top_of(0)).top())
    line = [x for x in range(picture.width()) if picture.pixelColor(x, top + theme.px(12)) == chip]
    assert max(b - a for a, b in itertools.pairwise(line)) > theme.px(10), "they are two"
    [plain] = show(view, "No card.")
    assert plain.document.tokens == []
