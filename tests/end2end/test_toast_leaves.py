"""A word that something has ended leaves once that is in front, and stays while anything else is."""

from __future__ import annotations

from pathlib import Path

from test_notices import answered, ask, ended, in_front

from carrel.model import AgentRequest
from carrel.ui.presenter import ShowRun
from stage import Stage, play
from stories import pick_chat, write_chat


def test_a_word_about_a_reply_goes_when_its_chat_is_shown(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await in_front(stage)
        await write_chat(stage, "other", "Another chat", [("Q", "A", "")])
        chat_id = await ask(stage, "How long is the lease?")
        stage.window.go("library")
        await answered(stage, chat_id)
        assert stage.hand.sees("toast")
        stage.window.go("chat")
        pick_chat(stage, "Another chat")
        assert stage.hand.sees("toast"), "another chat is in front"
        pick_chat(stage, "How long is the lease?")
        assert not stage.hand.sees("toast")
        stage.window.shell.toast("Something else")
        pick_chat(stage, "Another chat")
        pick_chat(stage, "How long is the lease?")
        assert stage.hand.words("toast") == "Something else"

    play(tmp_path, story)


def test_a_word_about_a_run_goes_when_the_run_is_picked_in_the_list(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await in_front(stage)
        agents = stage.desk.session.agents
        first = await agents.run(AgentRequest(prompt="Name the first quote."), {})
        await ended(stage, first)
        stage.window.go("agents", ShowRun(first))
        stage.window.shell.toast("Nothing more")
        second = await agents.run(AgentRequest(prompt="Compare the two supplier quotes."), {})
        await ended(stage, second)
        await stage.hand.until(lambda: "Compare the two" in stage.hand.words("toast"), "its end is told")
        pick_chat(stage, "Compare the two supplier quotes.", "agents.list")
        assert stage.window.shows("agents", ShowRun(second))
        assert not stage.hand.sees("toast")

    play(tmp_path, story)
