"""Stories of a person who asks again, and who quotes, while other things are selected or under way."""

from __future__ import annotations

from pathlib import Path

from test_versions import entries

from carrel.model import Reply
from carrel.model.columns import APART
from carrel.model.draft import Comparison, Draft
from carrel.store.chats import Chat, Message
from stage import Stage, play
from stories import ask, pick_chat, states, titles_in, write_chat

TURNS = [("What is the notice period?", "Six months.", ""), ("And the rent?", "18,000 euro.", "")]


async def begin(stage: Stage) -> None:
    await write_chat(stage, "lease", "The lease", TURNS)
    pick_chat(stage, "The lease")
    await stage.hand.until(lambda: len(entries(stage)) == 4, "the chat is shown")


def test_quote_takes_what_is_selected_in_that_message_and_nothing_of_another(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await begin(stage)
        transcript = stage.hand.find("chat.transcript")
        box = stage.hand.find("composer")
        question, reply = entries(stage)[:2]
        begins = (0, transcript._rows.view(0).end)
        transcript._selection.anchor, transcript._selection.cursor = (0, (begins[1][0], 0)), (0, begins[1])
        assert "notice" in transcript.selected_text()
        transcript.acted.emit(reply.id, "quote")
        assert box.draft().quotes == ("Six months.",)
        end = transcript._rows.view(1).end
        transcript._selection.anchor, transcript._selection.cursor = (1, (end[0], 0)), (1, (end[0], 3))
        transcript.acted.emit(reply.id, "quote")
        assert box.draft().quotes == ("Six months.", "Six")
        assert question.text == TURNS[0][0]

    play(tmp_path, story)


def test_while_a_reply_is_under_way_another_is_refused_with_a_word(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await begin(stage)
        await stage.desk.session.chats.send("lease", Draft(text="And who signs?"))
        await stage.hand.until(lambda: stage.hand.sees("chat.stop"), "a reply is under way")
        first = entries(stage)[1].id
        for key in ("again", "again_with"):
            stage.window.toast.hide()
            stage.hand.find("chat.transcript").acted.emit(first, key)
            assert "when this one has ended" in stage.hand.words("toast")
            assert stage.hand.sees("toast")
        stage.window.toast.hide()
        stage.hand.find("chat.transcript").acted.emit("lease-1-u", "edit")
        assert stage.hand.sees("toast")
        assert not stage.hand.sees("chat.editing")
        assert len(states(stage)) == 3

    play(tmp_path, story, options=("--samples", "--pace", "3"))


def test_a_reply_that_was_asked_for_again_says_that_the_service_has_seen_both(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "What is the notice period?")
        await stage.hand.until(lambda: stage.hand.sees("chat.send"), "it was answered")
        assert entries(stage)[1].note == ""
        stage.hand.find("chat.transcript").acted.emit(entries(stage)[1].id, "again")
        await stage.hand.until(lambda: entries(stage)[1].versions == (2, 2), "another version is shown")
        await stage.hand.until(lambda: "seen the former reply" in entries(stage)[1].note, "it says so")

    play(tmp_path, story, options=("--samples", "--pace", "40"))


async def write_untold(stage: Stage) -> None:
    """A comparison in one stream that did not say which words are whose."""
    await stage.hand.until(lambda: stage.desk.session.models.all, "the models are there")
    first, second, *_ = [m.id for m in stage.desk.session.models.all if m.is_available]
    draft = Draft(text="What is the notice period?", comparison=Comparison(models=(first, second)))
    extras = ("Six months.", {}), ("", {APART: True})
    asked = Message("pair-u", "pair", 1, 1, "user", 1.0, draft)
    replies = [Reply(text=text, state="complete", extra=extra) for text, extra in extras]
    answers = [
        Message(f"pair-{n}", "pair", 1, n, "assistant", 1.0, side, reply, pair="open")
        for n, (side, reply) in enumerate(zip(draft.sides(), replies, strict=True), 1)
    ]
    await stage.desk.session.chats._store.add_turn(Chat("pair", "", "Two", "", 1.0, 1.0), [asked, *answers])
    stage.desk.session.chats.list_changed.emit()
    await stage.hand.until(lambda: "Two" in titles_in(stage), "the list shows it")


def test_two_that_were_not_told_apart_can_be_asked_in_two_conversations(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_untold(stage)
        pick_chat(stage, "Two")
        stage.hand.type("chat.composer", "half a thought")
        stage.hand.click("chat.compare.note.apart")
        await stage.hand.until(lambda: len(stage.desk.session.chats.messages("pair")) == 6, "both are asked again")
        sides = [stage.hand.find(f"chat.compare.{side}") for side in ("left", "right")]
        await stage.hand.until(lambda: all(s.entries() and s.entries()[0].text for s in sides), "both have answered")
        await stage.hand.until(lambda: not stage.hand.sees("chat.stop"), "both have ended")
        assert not stage.hand.sees("chat.compare.note")
        assert stage.hand.find("chat.composer").toPlainText() == "half a thought"
        assert stage.desk.session.chats.draft("pair").text == "half a thought"

    play(tmp_path, story)
