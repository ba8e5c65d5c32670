"""Stories of a person whose message has signs and pastes in it that mean nothing but themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from carrel.model.prompts import Prompt
from stage import Stage, play
from stories import requests, states


async def sent(stage: Stage, words: str) -> None:
    """Press Enter; these words are what was asked."""
    stage.hand.key("chat.composer", Qt.Key.Key_Return)
    await stage.hand.until(lambda: states(stage) == ["complete"], "it was answered")
    assert words in requests(stage)[0]
    assert stage.hand.find("chat.composer").toPlainText() == ""
    assert stage.hand.find("composer").draft().attachments == ()


@pytest.mark.parametrize("text", ["Which hosts are in {place}?", "Tell me: what /etc/hosts says, what? and why."])
def test_a_message_that_begins_with_a_path_is_sent(tmp_path: Path, text: str) -> None:
    async def story(stage: Stage) -> None:
        await stage.desk.session.prompts.save(Prompt(id="p", title="Names", text=text))
        stage.hand.type("chat.composer", "/etc/hosts says what?")
        await sent(stage, "/etc/hosts says what?")

    play(tmp_path, story)


def test_a_number_after_a_hash_is_sent(tmp_path: Path) -> None:
    note = tmp_path / "5-years.txt"
    note.write_text("The plan is to paint the quay.")

    async def story(stage: Stage) -> None:
        rows = stage.hand.find("chat.completions.list")
        await stage.desk.session.uploads.add([note])
        await stage.desk.session.library.open()
        stage.hand.type("chat.composer", "see issue #5")
        await stage.hand.until(lambda: "5-years.txt" in [r.words for r in rows.rows()], "a file is offered")
        await sent(stage, "see issue #5")

    play(tmp_path / "home", story)


def test_a_long_paste_that_was_changed_is_no_longer_offered_as_a_file(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        field = stage.hand.find("chat.composer")
        QApplication.clipboard().setText("The lamp is green. " * 400)
        field.paste()
        assert stage.hand.sees("chat.hint.as-file")
        stage.hand.key("chat.composer", Qt.Key.Key_Exclam, Qt.KeyboardModifier.ShiftModifier)
        assert stage.hand.sees("chat.hint.as-file"), "what was pasted is all there"
        stage.hand.key("chat.composer", Qt.Key.Key_Backspace)
        stage.hand.key("chat.composer", Qt.Key.Key_Backspace)
        await stage.hand.until(lambda: not stage.hand.sees("chat.hint.as-file"), "the offer is gone")

    play(tmp_path, story)
