"""Stories of messages that wait in line while a reply is under way: sent in order, held by Stop, safe from a kill."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from stage import Stage, play
from stories import ask, killed_at_its_word, open_only_chat, requests, states

SLOW = ("--samples", "--pace", "3")
BRISK = ("--samples", "--pace", "20")
FIRST, SECOND = "What is the notice period?", "And the annual rent?"


def words(stage: Stage) -> list[str]:
    """What was asked in the chats, the oldest first."""
    chats = stage.desk.session.chats
    held = [m for c in reversed(chats.all()) for m in chats.messages(c.id)]
    return [m.text for m in held if m.role == "user"]


def line(stage: Stage) -> list[str]:
    chats = stage.desk.session
    return [w.draft.text for c in chats.chats.all() for w in chats.line.of(c.id)]


async def wait_in_line(stage: Stage, text: str) -> None:
    stage.hand.type("chat.composer", text)
    stage.hand.key("chat.composer", Qt.Key.Key_Return)
    await stage.hand.until(lambda: text in line(stage), "it waits in line")


def test_what_is_sent_during_a_reply_waits_and_then_goes(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, FIRST)
        await wait_in_line(stage, SECOND)
        await wait_in_line(stage, "never mind")
        assert stage.hand.find("chat.composer").toPlainText() == ""
        assert stage.hand.sees("chat.waiting.0")
        stage.hand.click("chat.waiting.1.remove")
        await stage.hand.until(lambda: line(stage) == [SECOND], "the second was removed")
        await stage.hand.until(lambda: states(stage) == ["complete", "complete"], "both were answered")
        assert words(stage) == [FIRST, SECOND]
        assert not stage.hand.sees("chat.waiting")

    play(tmp_path, story, options=BRISK)


def test_stop_holds_what_waits_and_it_can_be_edited_or_sent(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, FIRST)
        await wait_in_line(stage, SECOND)
        stage.hand.click("chat.stop")
        await stage.hand.until(lambda: stage.hand.sees("chat.waiting.go"), "it is held")
        stage.hand.type("chat.composer", "typed")
        stage.hand.click("chat.waiting.0.edit")
        await stage.hand.until(lambda: not line(stage), "it was taken back")
        assert stage.hand.find("chat.composer").toPlainText() == f"{SECOND}\n\ntyped"
        await ask(stage, "one more")
        await wait_in_line(stage, SECOND)
        stage.hand.click("chat.stop")
        await stage.hand.until(lambda: stage.hand.sees("chat.waiting.go"), "it is held")
        stage.hand.click("chat.waiting.go")
        await stage.hand.until(lambda: words(stage) == [FIRST, "one more", SECOND], "it was sent")
        assert line(stage) == []

    play(tmp_path, story, options=SLOW)


VICTIM = """
import sys
from pathlib import Path
from stage import play
from stories import ask
from test_waiting_line import FIRST, SECOND, SLOW, wait_in_line

async def story(stage):
    await ask(stage, FIRST)
    await wait_in_line(stage, SECOND)
    print("waits", flush=True)
    await stage.hand.settle(60)

play(Path(sys.argv[1]), story, options=SLOW)
"""


def test_kill_loses_nothing_that_waits_and_sends_nothing_by_itself(tmp_path: Path) -> None:
    assert killed_at_its_word(VICTIM, tmp_path) == "waits"

    async def story(stage: Stage) -> None:
        await open_only_chat(stage)
        assert line(stage) == [SECOND]
        assert stage.hand.sees("chat.waiting.go")
        assert requests(stage) == []

    play(tmp_path, story)
