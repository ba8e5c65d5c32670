"""Stories of an impatient hand: a button that is pressed twice in one breath is meant once."""

from __future__ import annotations

from pathlib import Path

from test_agents import PROMPT
from test_workflows import open_workflow

from stage import Stage, play
from stories import indexed


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
