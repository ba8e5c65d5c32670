"""Stories of an impatient hand: a button that is pressed twice in one breath is meant once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from test_agents import PROMPT
from test_waiting_line import SLOW, line, wait_in_line
from test_workflows import open_workflow

from carrel.store.chats import Message
from stage import Stage, play
from stories import ask, indexed, requests, states


def test_run_pressed_twice_makes_one_run_that_ends(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("agents")
        stage.hand.click("agents.new")
        stage.hand.type("agents.prompt", PROMPT)
        stage.hand.click("agents.run")
        stage.window.presenter("agents")._acted("run")  # the second half of a double click
        agents = stage.desk.session.agents
        await stage.hand.until(lambda: [line.state for line in agents.lines()] == ["done"], "one run has ended")

    play(tmp_path, story)


def test_queue_pressed_twice_queues_one_run(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await open_workflow(stage, "Contract intake")
        stage.hand.click("workflows.queue")
        stage.window.presenter("workflows")._acted("queue")
        workflows = stage.desk.session.workflows
        await stage.hand.until(lambda: [r.state for r in workflows.runs("contract-intake")] == ["queued"], "queued")

    play(tmp_path, story)


def test_again_pressed_twice_asks_for_one_more_reply_that_ends(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "What is the notice period?")
        await stage.hand.until(lambda: states(stage) == ["complete"], "it was answered")
        await stage.hand.until(lambda: stage.hand.sees("chat.send"), "another can be asked for")
        transcript = stage.hand.find("chat.transcript")
        reply = transcript.entries()[1].id
        transcript.acted.emit(reply, "again")
        transcript.acted.emit(reply, "again")
        await stage.hand.until(lambda: "when this one has ended" in stage.hand.words("toast"), "the second is refused")
        await stage.hand.until(lambda: states(stage) == ["complete", "complete"], "one more has ended")
        assert len(requests(stage)) == 2

    play(tmp_path, story)


def test_edit_of_a_waiting_message_pressed_twice_gives_it_back_once(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "What is the notice period?")
        await wait_in_line(stage, "And the rent?")
        rows = stage.hand.find("composer").waiting
        [waiting] = stage.desk.session.line.of(stage.desk.session.chats.all()[0].id)
        rows.edit_asked.emit(waiting.id)
        rows.edit_asked.emit(waiting.id)
        box = stage.hand.find("chat.composer")
        await stage.hand.until(box.toPlainText, "it came back")
        assert box.toPlainText() == "And the rent?"
        assert line(stage) == []

    play(tmp_path, story, options=SLOW)


def test_what_is_sent_in_the_moment_in_which_a_reply_begins_waits_in_line(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "What is the notice period?")
        stage.hand.click("chat.stop")
        await stage.hand.until(lambda: stage.hand.sees("chat.send"), "it has ended")
        chats = stage.desk.session.chats

        @chats.message_added.connect
        def press(message: Message) -> None:
            if message.role == "assistant":
                chats.message_added.disconnect(press)
                stage.hand.type("chat.composer", "And who signs?")
                stage.hand.key("chat.composer", Qt.Key.Key_Return)

        await ask(stage, "And the rent?")
        await stage.hand.until(lambda: line(stage) == ["And who signs?"], "it waits in line")

    play(tmp_path, story, options=SLOW)
