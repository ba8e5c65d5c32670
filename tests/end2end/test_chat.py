"""Stories of a person who chats with the documents, in the real window, on the real built-in service."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from stage import Stage, play
from stories import killed_at_its_word

QUESTION = "What do we have to do to renew the Harbour Street lease, and by when?"
SLOW = ("--samples", "--pace", "12")


async def ask(stage: Stage, text: str) -> None:
    """Type a question, send it, wait for the reply's end."""
    stage.hand.type("chat.composer", text)
    stage.hand.click("chat.send")
    await ended(stage)


async def ended(stage: Stage) -> None:
    await stage.hand.until(lambda: stage.hand.sees("chat.stop"), "the reply is under way")
    await stage.hand.until(lambda: stage.hand.sees("chat.send"), "the reply has ended")


async def indexed(stage: Stage) -> None:
    """Wait until the samples can be found."""
    from carrel.model import LibraryQuery

    async def ready() -> bool:
        page = await stage.desk.session.context.service.library(LibraryQuery(page_size=100))
        return bool(page.items) and all(f.state_kind != "indexing" for f in page.items)

    while not await ready():
        await stage.hand.settle(0.5)


async def said(stage: Stage, letters: int) -> str:
    """Wait until a reply has shown so many letters; what it shows then."""
    transcript = stage.hand.find("chat.transcript")
    await stage.hand.until(lambda: sum(len(e.text) for e in transcript.entries()[1:]) > letters, "some words came")
    return transcript.entries()[-1].text


def replies(stage: Stage) -> list:
    chats = stage.desk.session.chats
    return [m.reply for c in chats.all() for m in chats.messages(c.id) if m.role == "assistant"]


def test_a_question_is_answered_out_of_the_documents_with_visible_thinking(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.hand.click("chat.think")
        await ask(stage, QUESTION)
        shown = stage.hand.words("chat.transcript")
        assert "harbour-lease.pdf" in shown
        assert "Thought for" in shown
        [reply] = replies(stage)
        assert reply.state == "complete"
        assert reply.thinking
        stage.hand.click("transcript.thinking")
        await stage.hand.settle()
        entry = stage.hand.find("chat.transcript").entries()[-1]
        assert entry.thinking_open
        assert entry.thinking == reply.thinking

    play(tmp_path, story)


def test_a_second_message_continues_the_conversation(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        await ask(stage, "And how must the notice be delivered?")
        first, second = replies(stage)
        assert first.conversation_id
        assert second.conversation_id == first.conversation_id
        assert len(stage.desk.session.chats.all()) == 1
        paths = [e.path for e in stage.desk.session.activity.exchanges if e.stream]
        assert paths == ["/external/conversations", f"/external/conversations/{first.conversation_id}"]

    play(tmp_path, story)


def test_stop_keeps_what_came(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.hand.type("chat.composer", QUESTION)
        stage.hand.click("chat.send")
        await said(stage, 20)
        stage.hand.click("chat.stop")
        await stage.hand.until(lambda: stage.hand.sees("chat.send"), "the reply has ended")
        [reply] = replies(stage)
        assert reply.state == "stopped"
        assert len(reply.text) > 20
        assert "You stopped this reply" in stage.hand.words("chat.transcript")

    play(tmp_path, story, options=SLOW)


def test_chats_are_there_after_a_restart(tmp_path: Path) -> None:
    said: list[str] = []

    async def first(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        said.append(replies(stage)[0].text)

    async def second(stage: Stage) -> None:
        [chat] = stage.desk.session.chats.all()
        stage.hand.find("chat.list").chosen.emit(chat.id)
        await stage.hand.until(lambda: said[0][:40] in stage.hand.words("chat.transcript"), "the reply is shown again")
        assert QUESTION in stage.hand.words("chat.transcript")

    play(tmp_path, first)
    play(tmp_path, second)


def test_an_unsent_draft_is_there_after_a_restart(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        stage.hand.type("chat.composer", "Half a thought")
        await stage.hand.settle(0.8)

    async def second(stage: Stage) -> None:
        [chat] = stage.desk.session.chats.all()
        stage.hand.find("chat.list").chosen.emit(chat.id)
        await stage.hand.settle()
        assert stage.hand.find("chat.composer").toPlainText() == "Half a thought"

    play(tmp_path, first)
    play(tmp_path, second)


VICTIM = """
import sys
from pathlib import Path
from stage import play
from test_chat import QUESTION, SLOW, indexed, said

async def story(stage):
    await indexed(stage)
    stage.hand.type("chat.composer", QUESTION)
    stage.hand.click("chat.send")
    shown = await said(stage, 30)
    print(shown.replace(chr(10), " "), flush=True)
    await stage.hand.settle(60)

play(Path(sys.argv[1]), story, options=SLOW)
"""


def test_kill_in_the_middle_of_a_reply_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    shown = killed_at_its_word(VICTIM, tmp_path)
    assert len(shown) > 30

    async def story(stage: Stage) -> None:
        [chat] = stage.desk.session.chats.all()
        stage.hand.find("chat.list").chosen.emit(chat.id)
        [reply] = replies(stage)
        assert reply.state == "interrupted"
        assert reply.text.replace("\n", " ").startswith(shown)
        assert "What came is kept" in stage.hand.words("chat.transcript")
        assert stage.hand.sees("chat.send")

    play(tmp_path, story)


def test_an_empty_message_is_not_sent(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.hand.type("chat.composer", "   ")
        assert not stage.hand.find("chat.send").isEnabled()
        stage.hand.key("chat.composer", Qt.Key.Key_Return)
        await stage.hand.settle()
        assert stage.desk.session.chats.all() == []

    play(tmp_path, story)


def test_a_service_that_is_gone_fails_the_message_and_keeps_it(tmp_path: Path, log_watch) -> None:
    log_watch.expect("the built-in service ended")
    log_watch.expect("does not start again")

    async def story(stage: Stage) -> None:
        await indexed(stage)
        built_in = stage.desk.built_in
        built_in._options = ("--no-such-option",)
        built_in._process.kill()
        await stage.hand.until(lambda: "did not start" in stage.hand.words("banner"), "the window says that it is gone")
        assert "has ended" in stage.hand.words("banner")
        stage.hand.type("chat.composer", QUESTION)
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: replies(stage) and not replies(stage)[0].is_open, "the reply has failed")
        [reply] = replies(stage)
        assert reply.state == "failed"
        assert QUESTION in stage.hand.words("chat.transcript")
        await stage.hand.until(lambda: stage.hand.sees("transcript.again"), "it can be tried again")

    play(tmp_path, story)


def test_a_built_in_service_that_dies_is_started_again_once(tmp_path: Path, log_watch) -> None:
    log_watch.expect("the built-in service ended")

    async def story(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        stage.desk.built_in._process.kill()
        await stage.hand.until(lambda: "started again" in stage.hand.words("banner"), "the window says so")
        await ask(stage, "And how must the notice be delivered?")
        assert [r.state for r in replies(stage)] == ["complete", "complete"]

    play(tmp_path, story)
