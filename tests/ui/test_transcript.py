"""The transcript: what it shows, follows, selects and copies, and what it never does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import Entry, Stub, Transcript
from carrel.ui.widgets.transcript.parts import TextPart
from stage import application

TABLE = "| Name | Value |\n|---|--:|\n| alpha | 1 |\n| beta | 22 |"


@pytest.fixture
def view():
    app = application()
    made = Transcript("test.transcript", "Conversation")
    made.resize(900, 500)
    made.show()
    app.processEvents()
    yield made
    made.hide()
    made.deleteLater()
    app.processEvents()


def fill(view: Transcript, *entries: Entry) -> None:
    held = {e.id: e for e in entries}
    view.fill([Stub(e.id, e.role, len(e.text)) for e in entries], held.__getitem__)
    application().processEvents()


def reply(text: str, entry_id: str = "r", **values) -> Entry:
    return Entry(entry_id, "assistant", text, who="Reader", **values)


def many(count: int) -> list[Entry]:
    return [reply(f"Message {n}. " + "words and words. " * 40, str(n)) for n in range(count)]


def test_it_opens_at_the_end_and_follows_what_comes(view: Transcript) -> None:
    fill(view, *many(50))
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    before = bar.maximum()
    view.put(reply("One more.\n\n" * 30, "new"))
    assert bar.maximum() > before
    assert bar.value() == bar.maximum()


def test_it_stays_put_when_the_person_scrolled_up_and_offers_the_newest(view: Transcript) -> None:
    fill(view, *many(50))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    view.put(reply("One more.\n\n" * 30, "new"))
    assert bar.value() == place
    newest = view.findChild(object, "test.transcript.newest")
    assert newest.isVisible()
    QTest.mouseClick(newest, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    assert not newest.isVisible()


def test_scrolling_up_does_not_move_what_is_in_view(view: Transcript) -> None:
    fill(view, *many(400))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    for _ in range(80):
        rows = view._rows
        number = rows.at(bar.value() + 200)
        seen = view._top_of(number)
        bar.setValue(bar.value() - 37)
        assert abs(view._top_of(number) - (seen + 37)) <= 2


def test_only_what_is_near_the_view_is_loaded(view: Transcript) -> None:
    loaded = []
    texts = many(5000)

    def load(entry_id: str) -> Entry:
        loaded.append(entry_id)
        return texts[int(entry_id)]

    view.fill([Stub(e.id, e.role, len(e.text)) for e in texts], load)
    application().processEvents()
    assert 0 < len(set(loaded)) < 30
    assert view.show_entry("2500")
    assert "2500" in loaded
    assert abs(view._top_of(2500)) <= view._pad + 2
    assert not view.show_entry("no such message")


def test_selection_goes_over_messages_and_keeps_their_order(view: Transcript) -> None:
    fill(view, Entry("u", "user", "What is it?"), reply("It is **bold** and\n\n- one\n- two"))
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.index("What is it?") < copied.index("It is **bold** and") < copied.index("two")


def test_a_double_click_selects_a_word(view: Transcript) -> None:
    fill(view, reply("Whatever"))
    point = QPoint(int(view._left) + 20, int(view._top_of(0)) + theme.px(26) + 10)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert view.selected_text() == "Whatever"


def test_code_and_tables_are_copied_as_what_they_are(view: Transcript) -> None:
    fill(view, reply(f"Here:\n\n```python\nprint('x')\n```\n\n{TABLE}\n\nEnd."))
    buttons = {b.accessibleName(): b for b in view.viewport().findChildren(object) if hasattr(b, "accessibleName")}
    QTest.mouseClick(buttons["Copy this code"], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "print('x')"
    QTest.mouseClick(buttons["Copy as a table"], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "Name\tValue\nalpha\t1\nbeta\t22"
    assert "<td>alpha</td>" in QGuiApplication.clipboard().mimeData().html()


def test_growing_text_shows_the_same_as_the_whole_text(view: Transcript) -> None:
    text = f"# Title\n\nFirst.\n- a\n- b\n\n```js\nlet a = 1;\n```\n\n{TABLE}\n\n1. one\n2. two\n\nLast `code`."
    fill(view, reply(""))
    for end in range(0, len(text) + 1, 3):
        view.put(reply(text[:end]))
    view.put(reply(text))
    grown = view._rows.view(0)
    fill(view, reply(text))
    whole = view._rows.view(0)
    assert grown.text_between((0, 0), grown.end) == whole.text_between((0, 0), whole.end)
    assert abs(grown.height - whole.height) < 2


def test_only_what_is_in_sight_of_a_long_reply_is_painted(view: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(view, reply("A paragraph of some words.\n\n" * 2000))
    painted: list[TextPart] = []
    paint = TextPart.paint
    monkeypatch.setattr(TextPart, "paint", lambda part, *rest: (painted.append(part), paint(part, *rest)))
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    view.viewport().repaint()
    assert 0 < len(painted) < 60


def links(view: Transcript) -> list[tuple[str, ...]]:
    """The addresses in each part of the reply."""
    found = []
    for part in view._rows.view(0).words():
        looks = (look.toCharFormat() for look in part.document.allFormats() if look.isCharFormat())
        found.append(tuple(dict.fromkeys(look.anchorHref() for look in looks if look.isAnchor())))
    return found


def test_a_link_finds_its_address_in_another_piece_and_only_its_own_piece_is_read_again(view: Transcript) -> None:
    text = "Serve [written notice][1].\n\nNothing here.\n\n| a | b |\n|---|---|\n| [c] | 2 |\n\nThe end [so far].\n"
    fill(view, reply(""))
    for end in range(0, len(text), 5):
        view.put(reply(text[:end]))
    view.put(reply(text))
    assert links(view) == [(), (), (), ()]
    before = [(part.document.revision(), part.height) for part in view._rows.view(0).words()]
    view.put(reply(f"{text}\n[1]: https://example.org/1\n[C]: https://example.org/c"))
    assert links(view)[:3] == [("https://example.org/1",), (), ("https://example.org/c",)]
    after = [(part.document.revision(), part.height) for part in view._rows.view(0).words()]
    assert after[1] == before[1]
    assert view._rows.view(0).part(0).document.toPlainText() == "Serve written notice."
    grown = view._rows.view(0)
    whole = f"{text}\n[1]: https://example.org/1\n[C]: https://example.org/c"
    fill(view, reply(whole))
    assert abs(grown.height - view._rows.view(0).height) < 2


@pytest.mark.parametrize(
    "address", ["/dev/zero", "file:///etc/passwd", "\\\\host\\share\\x.png", "http://127.0.0.1/x.png"]
)
def test_no_picture_is_ever_loaded(view: Transcript, address: str) -> None:
    fill(view, reply(f"Look: ![alt words]({address}) there"))
    part = view._rows.view(0).part(0)
    assert part is not None
    assert "[picture:" in part.document.toPlainText()


def test_html_stays_text(view: Transcript) -> None:
    fill(view, reply("A <b>bold</b> <img src='/dev/zero'> word"))
    part = view._rows.view(0).part(0)
    assert part is not None
    assert "<b>bold</b>" in part.document.toPlainText()


def test_a_megabyte_without_a_space_is_shown_as_plain_lines(view: Transcript) -> None:
    fill(view, reply("x" * 1_000_000))
    part = view._rows.view(0).part(0)
    assert part is not None
    assert part.document.blockCount() == 1000


def test_wide_code_scrolls_sideways_instead_of_wrapping(view: Transcript) -> None:
    fill(view, reply("```\n" + "x" * 400 + "\nshort\n```"))
    part = view._rows.view(0).part(0)
    assert part is not None
    assert part.document.blockCount() == 2
    assert part.most_scrolled > 0
    assert part.scroll(50)
    assert part.scrolled == 50
    part.scroll(10**6)
    assert part.scrolled == part.most_scrolled
    assert not part.scroll(10)


def test_formulas_are_readable_and_prices_stay(view: Transcript) -> None:
    fill(view, reply(r"The area is $\pi r^2$ and \(\alpha \leq \beta\); it costs $5 or $10. `$\pi$`"))
    part = view._rows.view(0).part(0)
    assert part is not None
    shown = part.document.toPlainText()
    assert "π r²" in shown
    assert "α ≤ β" in shown
    assert "$5 or $10" in shown
    assert r"$\pi$" in shown


def test_a_theme_change_draws_everything_anew(view: Transcript) -> None:
    fill(view, reply(TABLE))
    light = view.grab().toImage().pixelColor(5, 5)
    theme.choose("dark")
    application().processEvents()
    dark = view.grab().toImage().pixelColor(5, 5)
    theme.choose("light")
    assert light.lightness() > 200
    assert dark.lightness() < 60


def test_what_a_person_said_stays_broken_where_it_was_when_it_is_laid_out_again(view: Transcript) -> None:
    said = Entry("u", "user", "What does the lease say about renewal, and who has to be told of it, and by when? " * 2)
    fill(view, said, reply("An answer."))
    bubble = view._rows.view(0)
    before = bubble.part(0).document.size()
    view.put(said)
    bubble.lay_out(bubble.width)
    assert bubble.part(0).document.size() == before
    assert before.width() <= bubble.width


def test_the_newest_is_not_offered_where_all_of_it_is_in_sight(view: Transcript) -> None:
    fill(view, reply("A lease of five years.", "a"))
    view.mark(["lease"])
    assert view.show_place("a", "text") == (0, 1)
    assert not view.findChild(object, "test.transcript.newest").isVisible()


def test_what_stands_beside_a_message_stays_in_a_narrow_view(view: Transcript) -> None:
    view.resize(420, 500)
    fill(view, Entry("u", "user", "What does the lease say about renewal? " * 6, versions=(2, 2)))
    places = dict(view._rows.view(0).slots(0, 500))
    assert {"edit", "versions"} <= set(places)
    assert all(place.left() >= 0 for place in places.values())
