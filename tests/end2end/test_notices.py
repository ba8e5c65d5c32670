"""Stories of a person who works elsewhere while Carrel works: what ended is told once, and a click leads to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from carrel.model import AgentRequest
from carrel.model.draft import Draft
from desktops import Recorder
from stage import Stage, play

SLOW = ("--samples", "--pace", "30")


async def ask(stage: Stage, text: str, *, kept: bool = True) -> str:
    """Send a message in a chat of its own; the chat's id."""
    return await stage.desk.session.chats.send("", Draft(text=text), kept=kept)


async def in_front(stage: Stage) -> None:
    stage.window.to_front()
    await stage.hand.until(lambda: stage.window.is_in_front, "the window has come to the front")


async def answered(stage: Stage, chat_id: str) -> None:
    await stage.hand.until(lambda: not stage.desk.session.chats.is_streaming(chat_id), "the reply has ended")
    await stage.hand.settle()


async def ended(stage: Stage, run_id: str) -> None:
    await stage.hand.until(lambda: stage.desk.session.agents.run_of(run_id).state != "running", "the run has ended")
    await stage.hand.settle()


def test_a_reply_that_ends_while_the_window_is_away_is_told_and_a_click_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    desktop = Recorder()

    async def story(stage: Stage) -> None:
        stage.window.go("library")
        stage.window.showMinimized()
        chat_id = await ask(stage, "How long is the lease?")
        await answered(stage, chat_id)
        assert desktop.shown == [("A reply is ready", "How long is the lease?")]
        assert not stage.hand.sees("toast")
        desktop.clicked.emit(desktop.keys[0], "token-7")
        await stage.hand.until(lambda: "How long is the lease?" in stage.hand.words("chat.pane"), "the chat is shown")
        assert not stage.window.isMinimized()
        assert stage.window.front == "chat"
        assert stage.window.presenter("chat").conversation.chat_id == chat_id
        assert os.environ["XDG_ACTIVATION_TOKEN"] == "token-7"

    play(tmp_path, story, desktop=desktop)


def test_in_the_window_a_reply_out_of_sight_gets_a_word_with_a_way_to_it(tmp_path: Path) -> None:
    desktop = Recorder()

    async def story(stage: Stage) -> None:
        await in_front(stage)
        chat_id = await ask(stage, "How long is the lease?")
        stage.window.go("library")
        await answered(stage, chat_id)
        assert "A reply is ready: How long is the lease?" in stage.hand.words("toast")
        stage.hand.click("toast.action")
        assert stage.window.presenter("chat").conversation.chat_id == chat_id
        assert desktop.shown == []

    play(tmp_path, story, desktop=desktop)


def test_what_a_person_sees_or_has_stopped_is_not_told(tmp_path: Path) -> None:
    desktop = Recorder()

    async def story(stage: Stage) -> None:
        await in_front(stage)
        stage.hand.type("chat.composer", "How long is the lease?")
        stage.hand.click("chat.send")
        conversation = stage.window.presenter("chat").conversation
        await stage.hand.until(lambda: conversation.chat_id, "the chat is there")
        await answered(stage, conversation.chat_id)
        stage.window.go("library")
        chat_id = await ask(stage, "Tell me all about the lease.")
        stage.desk.session.chats.stop(chat_id)
        await answered(stage, chat_id)
        assert not stage.hand.sees("toast")
        assert desktop.shown == []

    play(tmp_path, story, options=SLOW, desktop=desktop)


def test_of_a_chat_that_is_not_kept_no_word_reaches_the_desktop(tmp_path: Path) -> None:
    desktop = Recorder()

    async def story(stage: Stage) -> None:
        stage.window.showMinimized()
        await answered(stage, await ask(stage, "Is the merger with Brill secret?", kept=False))
        assert desktop.shown == [("A reply is ready", "")]

    play(tmp_path, story, desktop=desktop)


def test_two_replies_side_by_side_are_told_once_both_have_ended(tmp_path: Path) -> None:
    desktop = Recorder()

    async def story(stage: Stage) -> None:
        await stage.desk.session.models.load()
        first, second = [model.id for model in stage.desk.session.models.all][:2]
        comparison = {"models": (first, second), "way": "conversations"}
        stage.window.showMinimized()
        draft = Draft.model_validate({"text": "How long is the lease?", "comparison": comparison})
        await answered(stage, await stage.desk.session.chats.send("", draft))
        assert desktop.keys == [desktop.keys[0]]

    play(tmp_path, story, desktop=desktop)


def test_agent_runs_are_told_unless_they_are_switched_off(tmp_path: Path) -> None:
    desktop = Recorder()

    async def story(stage: Stage) -> None:
        request = AgentRequest(prompt="Compare the two supplier quotes.")
        stage.window.go("settings")
        stage.hand.find("settings.pane").open_page("notifications")
        assert "This desktop shows notifications." in stage.hand.words("settings.notifications_found")
        stage.window.showMinimized()
        run_id = await stage.desk.session.agents.run(request, {})
        await ended(stage, run_id)
        assert desktop.shown == [("An agent run is done", "Compare the two supplier quotes.")]
        desktop.clicked.emit(run_id, "")
        assert stage.window.shows("agents", stage.window.notices._told[run_id].intent)
        stage.window.go("settings")
        stage.hand.click("settings.notify_agents")
        assert stage.desk.settings.notify_agents is False
        stage.window.showMinimized()
        await ended(stage, await stage.desk.session.agents.run(request, {}))
        assert len(desktop.shown) == 1

    play(tmp_path, story, desktop=desktop)


def test_a_batch_of_uploads_is_told_with_its_counts(tmp_path: Path) -> None:
    desktop = Recorder()
    good, empty, wrong = (tmp_path / name for name in ("notes.txt", "empty.txt", "song.mp3"))
    good.write_text("The warehouse in Gdynia opens in May.")
    empty.write_text("")
    wrong.write_bytes(b"ID3")

    async def story(stage: Stage) -> None:
        stage.window.showMinimized()
        await stage.desk.session.uploads.add([good, empty, wrong])
        await stage.hand.until(lambda: desktop.shown, "the batch is told")
        assert desktop.shown == [("Uploads have ended", "1 file is ready · 2 failed")]
        desktop.clicked.emit("uploads", "")
        assert stage.window.front == "library"
        copy = tmp_path / "again.txt"
        copy.write_bytes(good.read_bytes())
        await stage.hand.until(lambda: not stage.desk.session.tasks.running("up:hash"), "the content is known")
        stage.window.go("chat")
        await in_front(stage)
        await stage.desk.session.uploads.add([copy])
        await stage.hand.until(lambda: stage.hand.sees("toast"), "it is told in the window")
        assert "Uploads have ended: 1 was there already" in stage.hand.words("toast")

    play(tmp_path / "home", story, desktop=desktop)


def test_work_that_is_broken_off_by_closing_is_not_told_and_settings_say_where_nothing_can_be(tmp_path: Path) -> None:
    desktop = Recorder(has_service=False)

    async def story(stage: Stage) -> None:
        stage.window.go("settings")
        assert "no notification service" in stage.hand.words("settings.notifications_found")
        stage.window.showMinimized()
        await ask(stage, "Tell me all about the lease.")

    play(tmp_path, story, options=SLOW, desktop=desktop)
    assert desktop.shown == []
