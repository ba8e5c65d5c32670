"""The composer's row in a narrow window and with large text: nothing is cut, words go before buttons do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from carrel.model.draft import Draft
from carrel.model.models import Model
from carrel.ui.theme import theme
from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.notes import EmptyState


@pytest.fixture(autouse=True)
def usual_size() -> Iterator[None]:
    yield
    theme.choose("light", 0)


def shown(composer: Composer, width: int, grow: int) -> None:
    theme.choose("light", grow)
    composer.show_switches(["think", "agentic_mode", "redact_pii", "compare"])
    composer.setFixedWidth(width)
    QApplication.processEvents()


@pytest.mark.parametrize(("width", "grow"), [(1000, 0), (560, 0), (408, 0), (408, 4)])
@pytest.mark.parametrize("streaming", [False, True])
def test_no_button_is_cut(composer: Composer, width: int, grow: int, *, streaming: bool) -> None:
    composer.show_streaming(streaming)
    shown(composer, width, grow)
    tools = composer.tools
    seen = [m for m in (tools.clip, *tools.switches.values(), tools.options, tools.send, tools.stop) if m.isVisible()]
    for made in seen:
        assert tools.rect().contains(made.geometry()), made.objectName()
        if made is not tools.clip:  # the style sheet says how wide an icon alone is
            assert made.width() >= made.sizeHint().width(), made.objectName()


def test_words_go_in_order_and_come_back(composer: Composer) -> None:
    shown(composer, 1000, 0)
    assert composer.tools.send.text() == "Send"
    shown(composer, 408, 4)
    assert composer.tools.send.text() == ""
    assert composer.tools.send.accessibleName() == "Send"
    shown(composer, 1000, 0)
    assert composer.tools.send.text() == "Send"
    assert composer.tools.model.text() == "Service default"


def test_icons_grow_with_the_text(composer: Composer) -> None:
    shown(composer, 1000, 0)
    before = composer.switches["think"].iconSize().width()
    shown(composer, 1000, 4)
    assert composer.switches["think"].iconSize().width() > before


def test_the_options_are_as_wide_as_the_text_wants(composer: Composer) -> None:
    shown(composer, 1000, 4)
    composer.tools.options.click()
    assert composer.options.width() == theme.px(340)
    composer.options.close()


def test_an_empty_state_wraps_its_words_into_the_room_there_is() -> None:
    theme.choose("light", 4)
    made = EmptyState("test.empty")
    made.say("Ask", "Type a question below. Attach files from the library, or drop them anywhere on this window.")
    made.resize(430, 400)
    made.show()
    QApplication.processEvents()
    assert made.rect().contains(made._text.geometry())
    assert made._text.height() >= made._text.heightForWidth(made._text.width())


ALL = ("think", "web_search", "agentic_mode", "redact_pii", "compare")


def dressed(composer: Composer, width: int, model: str = "Service default") -> Composer:
    theme.choose("light", 0)
    composer.show_switches(ALL)
    composer.tools.show_model(model)
    composer.setFixedWidth(width)
    QApplication.processEvents()
    return composer


def test_all_five_switches_have_their_words_at_the_composers_full_width(composer: Composer) -> None:
    switches = dressed(composer, 740).switches
    words = {made.sizeHint().width() for made in switches.values()}
    assert min(words) > theme.px(40), "an icon alone is narrower"
    assert composer.tools.model.text() == "Service default"


def test_the_model_loses_letters_before_the_switches_lose_words(composer: Composer) -> None:
    made = dressed(composer, 740, "A model with a long name")
    assert made.tools.model.text().endswith("…")
    assert made.switches["compare"].sizeHint().width() > theme.px(40)
    assert made.tools.model.width() >= made.tools.model.sizeHint().width()


def test_in_the_smallest_window_the_model_still_has_letters(composer: Composer) -> None:
    tools = dressed(composer, 332).tools
    assert len(tools.model.text()) >= 3
    assert "Service default" in tools.model.toolTip()
    for made in (tools.clip, tools.model, *tools.switches.values(), tools.options, tools.send):
        assert tools.rect().contains(made.geometry()), made.objectName()


def test_a_model_that_has_gone_is_marked(composer: Composer) -> None:
    composer.show_models([Model(id="a", is_available=False), Model(id="b")])
    composer.show_draft(Draft(model="a"))
    assert composer.tools.model.property("wrong")
    assert "not available" in composer.tools.model.toolTip()
    composer.show_draft(Draft(model="b"))
    assert not composer.tools.model.property("wrong")
