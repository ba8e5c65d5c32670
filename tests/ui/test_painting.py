"""A fault of ours while the transcript is painted is said, and the window lives on."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from carrel.ui.widgets.transcript import Entry, Stub, Transcript
from carrel.ui.widgets.transcript.message import MessageView
from stage import application


@pytest.mark.qt_log_ignore("Painter ended with", "This plugin does not support")
def test_a_fault_in_painting_does_not_end_the_program(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    view = Transcript("test.transcript", "Conversation")
    qtbot.addWidget(view)
    entry = Entry("r", "assistant", "Words.", who="Reader")
    view.fill([Stub(entry.id, entry.role, len(entry.text))], lambda _: entry)

    def broken(*_: object) -> None:
        raise ValueError("cannot be painted")

    with monkeypatch.context() as patch, qtbot.capture_exceptions() as caught:
        patch.setattr(MessageView, "paint", broken)
        view.show()
        application().processEvents()
    assert caught
    assert all("cannot be painted" in str(error) for _, error, _ in caught)
    picture = view.grab().toImage()
    shades = {picture.pixel(x, y) for x in range(0, picture.width(), 2) for y in range(0, picture.height(), 2)}
    assert len(shades) > 2, "the words are there again"
