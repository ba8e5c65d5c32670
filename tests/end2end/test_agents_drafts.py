"""Stories of a person who writes an agent's prompt and looks elsewhere before it is sent."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from carrel.ui.presenter import Document, RunOn
from running_agents import PROMPT, begin, tags
from stage import Stage, play
from stories import indexed

DRAFT = "Say what the lease asks of whoever leaves"


def prompt(stage: Stage) -> str:
    return stage.hand.find("agents.prompt").toPlainText()


async def look_at_the_run(stage: Stage) -> None:
    """Have one run done, and its form empty."""
    await indexed(stage)
    await begin(stage)
    await stage.hand.until(lambda: tags(stage) == ["Done"], "the run is done")


def test_a_prompt_stays_while_a_run_is_looked_at(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await look_at_the_run(stage)
        hand.click("agents.new")
        assert prompt(stage) == "", "what was sent stands in its run"
        hand.type("agents.prompt", DRAFT)
        hand.find("agents.extra").setPlainText("{half")
        runs = hand.find("agents.list")
        runs.setCurrentIndex(runs.model().index(0, 0))
        assert not hand.sees("agents.prompt")
        hand.click("agents.new")
        assert prompt(stage) == DRAFT
        assert hand.find("agents.extra").toPlainText() == "{half"
        assert not hand.sees("toast")

    play(tmp_path, story)


def test_a_prompt_that_was_put_away_is_had_back(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await look_at_the_run(stage)
        hand.click("agents.new")
        hand.type("agents.prompt", DRAFT)
        hand.find("agents.extra").setPlainText("{half")
        hand.click("agents.new")
        assert (prompt(stage), hand.find("agents.extra").toPlainText()) == ("", "")
        hand.click("toast.action")
        assert (prompt(stage), hand.find("agents.extra").toPlainText()) == (DRAFT, "{half")
        runs = hand.find("agents.list")
        runs.setCurrentIndex(runs.model().index(0, 0))
        hand.click("agents.edit")
        assert prompt(stage) == PROMPT
        hand.click("toast.action")
        assert prompt(stage) == DRAFT

    play(tmp_path, story)


def test_files_from_the_library_join_the_prompt(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go("agents")
        stage.hand.type("agents.prompt", DRAFT)
        stage.window.go("agents", RunOn((Document("f1", "harbour-lease.pdf"),)))
        stage.window.go("agents", RunOn((Document("f2", "handbook.pdf"),)))
        assert prompt(stage) == DRAFT
        form = stage.window.presenter("agents").pane.form
        assert list(form.filled().documents.values()) == ["harbour-lease.pdf", "handbook.pdf"]

    play(tmp_path, story)


def test_what_an_account_offered_to_undo_goes_with_it(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go("agents")
        stage.hand.type("agents.prompt", DRAFT)
        stage.hand.click("agents.new")
        assert stage.hand.sees("toast")
        await stage.desk.open_built_in()
        assert not stage.hand.sees("toast")

    play(tmp_path, story)


def test_the_keyboard_stays_in_the_pane_when_a_button_goes(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await indexed(stage)
        stage.window.activateWindow()
        stage.window.go("agents")
        hand.type("agents.prompt", PROMPT)
        hand.find("agents.run").setFocus()
        hand.key("agents.run", Qt.Key.Key_Space)
        await hand.until(lambda: tags(stage) == ["Done"], "the run is done")
        assert QApplication.focusWidget() is hand.find("agents.list")
        hand.find("agents.generated.1.fetch").setFocus()
        hand.key("agents.generated.1.fetch", Qt.Key.Key_Space)
        await hand.until(lambda: hand.sees("agents.generated.1.open"), "the file is saved")
        assert QApplication.focusWidget() is hand.find("agents.generated.1.open")

    play(tmp_path, story)
