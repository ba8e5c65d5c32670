"""Stories of a person who asks two models the same, and keeps one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton
from test_chat import QUESTION, SLOW, indexed

from carrel.ui.widgets.choice import Choice
from stage import Stage, play

WAYS = ("stream", "conversations")
LONG = "Compare the two supplier quotes in a table, and say what the lease says about renewal."
SIDES = ("chat.compare.left", "chat.compare.right")


def pick(stage: Stage, name: str, value: str) -> None:
    """Choose in one of the popover's lists by what it stands for."""
    choice = stage.hand.find(name, Choice)
    assert choice.findData(value) >= 0, f"{name} offers no {value}"
    choice.setCurrentIndex(choice.findData(value))


async def compare(stage: Stage, way: str, text: str = QUESTION) -> tuple[str, str]:
    """Open the popover, pick two models and the way, send; the models."""
    await stage.hand.until(lambda: stage.desk.session.models.all, "the models are there")
    first, second, *_ = [m.id for m in stage.desk.session.models.all if m.is_available]
    stage.hand.click("chat.compare")
    await stage.hand.until(lambda: stage.hand.sees("chat.comparing"), "the popover is open")
    pick(stage, "chat.comparing.left", first)
    pick(stage, "chat.comparing.right", second)
    pick(stage, "chat.comparing.way", way)
    stage.hand.click("chat.comparing.start")
    assert stage.hand.find("chat.compare").isChecked()
    assert "2 models" in stage.hand.words("chat.model")
    stage.hand.type("chat.composer", text)
    stage.hand.click("chat.send")
    await stage.hand.until(lambda: stage.hand.sees("chat.compare_view"), "both are shown side by side")
    return first, second


async def both_ended(stage: Stage) -> None:
    await stage.hand.until(lambda: stage.hand.find("chat.compare.keep_left").isEnabled(), "both replies have ended")


def shown(stage: Stage) -> tuple[str, str]:
    left, right = (stage.hand.find(name).entries()[0].text for name in SIDES)
    return left, right


def tags(stage: Stage) -> list[str]:
    listing = stage.hand.find("chat.list")
    return [listing.model().index(n, 0).data(0x0100).tag for n in range(listing.model().rowCount())]


@pytest.mark.parametrize("way", WAYS)
def test_two_models_answer_side_by_side_and_one_is_kept(tmp_path: Path, way: str) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        models = await compare(stage, way)
        assert not stage.hand.find("chat.compare").isChecked()
        await both_ended(stage)
        left, right = shown(stage)
        chats = stage.desk.session.chats
        [chat] = chats.all()
        pair = chats.compared(chat.id)
        assert [m.reply.text for m in pair] == [left, right]
        assert all((left, right))
        who = [stage.hand.find(name).entries()[0].who for name in SIDES]
        assert who == [stage.desk.session.models.label(m) for m in models]
        await stage.hand.until(lambda: "2 models" in tags(stage), "the list says that two were asked")
        stage.hand.click("chat.compare.keep_right")
        await stage.hand.until(lambda: stage.hand.sees("chat.transcript"), "the chat goes on")
        last = stage.hand.find("chat.transcript").entries()[-1]
        assert (last.text, last.versions) == (right, (2, 2))
        assert stage.hand.find("chat.composer").isVisible()
        stage.hand.click("transcript.older")
        await stage.hand.until(
            lambda: stage.hand.find("chat.transcript").entries()[-1].text == left, "the other is still there"
        )
        stage.hand.type("chat.composer", "And who is the landlord?")
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: len(chats.outline(chat.id)) == 4, "the next message is asked")
        await stage.hand.until(lambda: not chats.is_streaming(chat.id), "it is answered")
        newest = chats.message(chats.outline(chat.id)[-1].id)
        assert newest.draft.model == models[1]
        assert newest.reply.conversation_id == pair[1].reply.conversation_id

    play(tmp_path, story)


def test_stop_stops_both_and_says_so_on_each(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await compare(stage, "stream")
        await stage.hand.until(lambda: all(shown(stage)), "both write")
        assert not stage.hand.find("chat.compare.keep_left").isEnabled()
        stage.hand.click("chat.stop")
        await both_ended(stage)
        for name in SIDES:
            [entry] = stage.hand.find(name).entries()
            assert entry.tag == "Stopped"
            assert "You stopped this reply" in entry.note

    play(tmp_path, story, options=SLOW)


def test_differences_are_marked_and_the_sides_scroll_together(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.resize(900, 560)
        await indexed(stage)
        await compare(stage, "stream", LONG)
        await both_ended(stage)
        left, right = (stage.hand.find(name) for name in SIDES)
        stage.hand.click("chat.compare.differences")
        await stage.hand.until(lambda: "differ" in stage.hand.words("chat.compare_view"), "they are counted")
        marked = [[part for part in side._rows.view(0).words() if part.differing] for side in (left, right)]
        texts = [set("\n".join(side.texts(side.entries()[0].id)).split()) for side in (left, right)]
        assert any(marked) == (texts[0] != texts[1])
        stage.hand.click("chat.compare.differences")
        assert not any(part.differing for side in (left, right) for part in side._rows.view(0).words())
        bars = [side.verticalScrollBar() for side in (left, right)]
        assert all(bar.maximum() > 0 for bar in bars), "both texts are longer than the view"
        bars[0].setValue(0)
        assert bars[1].value() == 0
        bars[1].setValue(bars[1].maximum() // 2)
        assert abs(bars[0].value() - bars[0].maximum() / 2) <= 2 + bars[0].maximum() / bars[1].maximum()
        bars[0].setValue(bars[0].maximum())
        assert bars[1].value() == bars[1].maximum()

    play(tmp_path, story)


def test_a_message_written_before_the_decision_waits_for_it(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await compare(stage, "stream")
        await both_ended(stage)
        stage.hand.type("chat.composer", "And who is the landlord?")
        stage.hand.click("chat.send")
        await stage.hand.until(
            lambda: "once you keep one" in stage.hand.words("chat.hint"), "it says what it waits for"
        )
        chats = stage.desk.session.chats
        [chat] = chats.all()
        assert len(chats.outline(chat.id)) == 2
        stage.hand.click("chat.compare.keep_left")
        await stage.hand.until(lambda: len(chats.outline(chat.id)) == 4, "it is sent")
        await stage.hand.until(lambda: not chats.is_streaming(chat.id), "it is answered")

    play(tmp_path, story)


@pytest.mark.parametrize("side", [0, 1])
def test_one_side_is_asked_again_and_stays_on_its_side(tmp_path: Path, side: int) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await compare(stage, "conversations")
        await both_ended(stage)
        chats = stage.desk.session.chats
        [chat] = chats.all()
        before = chats.compared(chat.id)
        again = stage.hand.find(SIDES[side]).findChild(QToolButton, "transcript.again")
        again.click()
        await stage.hand.until(lambda: chats.compared(chat.id) != before, "it is asked again")
        await both_ended(stage)
        now = chats.compared(chat.id)
        assert now[1 - side].id == before[1 - side].id
        assert now[side].id != before[side].id
        assert now[side].draft.model == before[side].draft.model
        assert now[side].reply.conversation_id == before[side].reply.conversation_id
        assert shown(stage) == (now[0].text, now[1].text)
        stage.hand.click(f"chat.compare.keep_{('left', 'right')[side]}")
        await stage.hand.until(lambda: stage.hand.sees("chat.transcript"), "the chat goes on")
        last = stage.hand.find("chat.transcript").entries()[-1]
        assert (last.id, last.versions) == (now[side].id, (3, 3))

    play(tmp_path, story)


def test_an_undecided_comparison_is_there_after_a_restart(tmp_path: Path) -> None:
    said: list[tuple[str, str]] = []

    async def first(stage: Stage) -> None:
        await indexed(stage)
        await compare(stage, "conversations")
        await both_ended(stage)
        said.append(shown(stage))

    async def second(stage: Stage) -> None:
        [chat] = stage.desk.session.chats.all()
        stage.hand.find("chat.list").chosen.emit(chat.id)
        await stage.hand.until(lambda: stage.hand.sees("chat.compare_view"), "both are shown again")
        assert shown(stage) == said[0]
        stage.hand.click("chat.compare.keep_left")
        await stage.hand.until(lambda: stage.hand.sees("chat.transcript"), "the chat goes on")
        assert stage.hand.find("chat.transcript").entries()[-1].text == said[0][0]

    play(tmp_path, first)
    play(tmp_path, second)
