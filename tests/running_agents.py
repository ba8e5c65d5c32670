"""What several stories about agents do: begin a run, and read how the runs stand."""

from __future__ import annotations

from stage import Stage

PROMPT = "Compare the two supplier quotes and make a summary and a spreadsheet of the line items."
SLOW = ("--samples", "--pace", "30")
CRAWL = ("--samples", "--pace", "1")


def tags(stage: Stage) -> list[str]:
    """How each run stands, the latest first."""
    return [item.tag for item in stage.hand.find("agents.list").items()]


async def begin(stage: Stage, prompt: str = PROMPT) -> None:
    """Open the pane with a new run, fill in the prompt, run it, wait until it is shown."""
    stage.window.go("agents")
    count = len(tags(stage))
    stage.hand.click("agents.new")
    stage.hand.type("agents.prompt", prompt)
    stage.hand.click("agents.run")
    await stage.hand.until(lambda: len(tags(stage)) > count, "the run is listed")
    await stage.hand.until(lambda: not stage.hand.sees("agents.prompt"), "it is shown in place of the form")
