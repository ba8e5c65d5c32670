"""The composer's row in a narrow window and with large text: nothing is cut, words go before buttons do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

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
