"""Stories of a person who edits an earlier message while something else is typed: nothing typed is ever lost."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from test_waiting_line import line, wait_in_line

from carrel.model.draft import Draft
from carrel.store.line import Waiting
from stage import Stage, play
from stories import ask, killed_at_its_word, open_only_chat, pick_chat, states, titles_in, write_chat

TURNS = [("What is the notice period?", "Six months.", ""), ("And the rent?", "18,000 euro.", "")]
SLOW = ("--samples", "--pace", "3")
FIRST = "lease-1-u"
"""The message that the stories edit."""


def typed(stage: Stage) -> str:
    return stage.hand.find("chat.composer").toPlainText()


def entries(stage: Stage) -> list:
    return stage.hand.find("chat.transcript").entries()


async def begin(stage: Stage, before: str = "half a thought") -> None:
    """Have a chat, type something, press the pencil of its first message."""
    await write_chat(stage, "lease", "The lease", TURNS)
    pick_chat(stage, "The lease")
    stage.hand.type("chat.composer", before)
    press_pencil(stage)


def press_pencil(stage: Stage) -> None:
    stage.hand.find("chat.transcript").acted.emit(FIRST, "edit")
    assert stage.hand.sees("chat.editing")
    assert typed(stage) == TURNS[0][0]


def test_what_was_typed_is_there_again_after_cancel_after_escape_and_after_sending(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await begin(stage)
        stage.hand.click("chat.editing.stop")
        assert typed(stage) == "half a thought"
        assert not stage.hand.sees("chat.editing")
        assert not stage.hand.sees("toast"), "nothing was changed, so nothing is to be had back"
        press_pencil(stage)
        stage.hand.key("chat.composer", Qt.Key.Key_Escape)
        stage.window.presenter("chat").escape()
        assert typed(stage) == "half a thought"
        press_pencil(stage)
        stage.hand.type("chat.composer", "What is the term?")
        stage.hand.click("chat.send")
        assert typed(stage) == "half a thought"
        await stage.hand.until(lambda: [e.text for e in entries(stage)][:1] == ["What is the term?"], "it was sent")
        await stage.hand.until(lambda: stage.hand.sees("chat.send"), "it was answered")
        assert entries(stage)[0].versions == (2, 2)
        assert typed(stage) == "half a thought"
        assert stage.desk.session.chats.draft("lease").text == "half a thought"

    play(tmp_path, story)


def test_an_edit_stays_with_its_chat_and_both_are_there_after_a_restart(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        await begin(stage)
        stage.hand.type("chat.composer", "What is the term")
        stage.hand.click("chat.new")
        assert not stage.hand.sees("chat.editing")
        assert typed(stage) == ""
        pick_chat(stage, "The lease")
        assert stage.hand.sees("chat.editing")
        assert typed(stage) == "What is the term"
        stage.hand.type("chat.composer", "What is the term?")

    async def second(stage: Stage) -> None:
        assert not stage.hand.sees("chat.editing")
        await open_only_chat(stage)
        assert stage.hand.sees("chat.editing")
        assert typed(stage) == "What is the term?"
        stage.hand.click("chat.editing.stop")
        assert typed(stage) == "half a thought"

    play(tmp_path, first)
    play(tmp_path, second)


def test_the_words_of_an_edit_that_was_left_can_be_had_back(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await begin(stage)
        stage.hand.type("chat.composer", "What is the term?")
        stage.hand.click("chat.editing.stop")
        assert typed(stage) == "half a thought"
        stage.hand.type("chat.composer", "a whole thought")
        stage.hand.click("toast.action")
        assert typed(stage) == "What is the term?"
        assert stage.hand.sees("chat.editing")
        stage.hand.click("chat.editing.stop")
        assert typed(stage) == "a whole thought"

    play(tmp_path, story)


VICTIM = """
import sys
from pathlib import Path
from stage import play
from test_editing import begin

async def story(stage):
    await begin(stage)
    stage.hand.type("chat.composer", "What is the term?")
    chats = stage.desk.session.chats
    await stage.hand.until(lambda: chats.draft("lease").text == "What is the term?", "it is kept")
    print("typed", flush=True)
    await stage.hand.until(lambda: False, "killed", patience=600)

play(Path(sys.argv[1]), story)
"""


def test_a_kill_in_the_middle_of_an_edit_loses_neither(tmp_path: Path) -> None:
    assert killed_at_its_word(VICTIM, tmp_path) == "typed"

    async def story(stage: Stage) -> None:
        await open_only_chat(stage)
        assert typed(stage) == "What is the term?"
        stage.hand.click("chat.editing.stop")
        assert typed(stage) == "half a thought"

    play(tmp_path, story)


def test_an_edit_does_not_wait_in_line_behind_a_reply(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await begin(stage)
        stage.hand.type("chat.composer", "What is the term?")
        await stage.desk.session.line._rows.add(Waiting("in line", "lease", Draft(text="meanwhile")))
        await stage.desk.session.chats.send("lease", Draft(text="meanwhile"), waiting_id="in line")
        await stage.hand.until(lambda: stage.hand.sees("chat.queue"), "a reply is under way")
        stage.hand.click("chat.queue")
        assert typed(stage) == "What is the term?"
        assert stage.hand.sees("chat.editing")
        assert "when the reply has ended" in stage.hand.words("chat.hint")
        assert line(stage) == []
        stage.hand.click("chat.stop")
        await stage.hand.until(lambda: stage.hand.sees("chat.send"), "it has ended")
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: [e.text for e in entries(stage)][:1] == ["What is the term?"], "it was sent")
        assert typed(stage) == "half a thought"

    play(tmp_path, story, options=SLOW)


def test_what_waits_in_line_goes_and_leaves_what_is_typed_since(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "What is the notice period?")
        await wait_in_line(stage, "And the rent?")
        stage.hand.type("chat.composer", "half a thought")
        stage.hand.click("chat.new")
        await stage.hand.until(lambda: states(stage) == ["complete", "complete"], "both were answered")
        assert stage.desk.session.chats.draft(stage.desk.session.chats.all()[0].id).text == "half a thought"
        pick_chat(stage, next(t for t in titles_in(stage) if t.startswith("What")))
        assert typed(stage) == "half a thought"

    play(tmp_path, story, options=("--samples", "--pace", "40"))


def test_a_file_goes_to_the_message_that_it_was_meant_for(tmp_path: Path) -> None:
    note = tmp_path / "quay.txt"
    note.write_text("The quay lamp costs 412 euro.")

    async def story(stage: Stage) -> None:
        await write_chat(stage, "lease", "The lease", TURNS)
        pick_chat(stage, "The lease")
        stage.hand.type("chat.composer", "half a thought")
        stage.window.presenter("chat").dropped([note])
        press_pencil(stage)
        box = stage.hand.find("composer")
        await stage.hand.until(lambda: box.draft().aside.attachments, "it has arrived")
        assert box.draft().attachments == ()
        stage.hand.click("chat.editing.stop")
        assert [held.name for held in box.draft().attachments] == ["quay.txt"]
        assert typed(stage) == "half a thought"

    play(tmp_path / "home", story)
