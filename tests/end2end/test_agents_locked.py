"""The story of a person who makes redaction the rule of an account, and then runs an agent."""

from __future__ import annotations

from pathlib import Path

from carrel.ui.widgets.controls import Switch
from stage import Stage, play


def test_the_form_shows_that_the_account_always_redacts(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go("agents")
        redact = stage.hand.find("agents.redact", Switch)
        assert redact.isEnabled()
        assert not redact.isChecked()
        for locked in (True, False):
            stage.window.go("settings", "accounts")
            await stage.hand.settle()
            stage.hand.click("settings.always_redact")
            stage.window.go("agents")
            stage.hand.click("agents.new")
            assert redact.isChecked() is locked
            assert redact.isEnabled() is not locked
            assert ("always" in redact.text()) is locked
            assert bool(redact.toolTip()) is locked

    play(tmp_path, story)
