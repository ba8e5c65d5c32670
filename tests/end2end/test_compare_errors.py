"""Stories of two replies side by side of which one has failed."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtWidgets import QApplication

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from stage import Stage, play

WRONG = "The model worker crashed."


async def write_pair(stage: Stage) -> None:
    """A chat that ends with two replies, of which the right one failed."""
    at = time.time()
    replies = (Reply(text="The left one.", state="complete"), Reply(state="failed", error=WRONG))
    asked = Message("q", "a", 1, 1, "user", at, Draft(text="Which?"))
    sides = [
        Message(f"s{n}", "a", 1, n, "assistant", at, Draft(model=f"model-{n}"), reply, pair="open")
        for n, reply in enumerate(replies, 1)
    ]
    await stage.desk.session.chats._store.add_turn(Chat("a", "c", "Which?", "", at, at), [asked, *sides])


def test_the_error_of_one_side_is_copied(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_pair(stage)
        stage.window.presenter("chat").open("a")
        await stage.hand.until(lambda: stage.hand.sees("transcript.note_copy"), "the button is there")
        stage.hand.click("transcript.note_copy")
        assert QApplication.clipboard().text() == WRONG

    play(tmp_path, story)
