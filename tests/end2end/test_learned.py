"""Stories of a person who looks at what a service's own description told, under Settings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from stage import Stage, play


def reads(stage: Stage) -> int:
    paths = [exchange.path for exchange in stage.desk.session.activity.exchanges]
    return paths.count("/external-docs/openapi.json")


def test_what_was_learned_is_shown_read_again_and_switched_off(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        stage.window.go("settings")
        hand.find("settings.pane").open_page("advanced")
        words = lambda: hand.words("settings.learned")  # noqa: E731  # asked for again and again
        await hand.until(lambda: "told by: /external/workflows/{group_id}/runs/{run_id}" in words(), "it is read")
        assert "Workflow list, search: search" in words()
        assert "additional_metadata" in words()
        assert stage.desk.session.account.base_url in words()
        assert reads(stage) == 1
        hand.click("settings.read_again")
        await hand.until(lambda: reads(stage) == 2, "it is read again")
        hand.click("settings.use_reference")
        await hand.until(lambda: "It is not read" in words(), "it is switched off")
        assert not hand.find("settings.read_again").isEnabled()
        assert not stage.desk.session.workflows.tells_status
        hand.click("settings.use_reference")
        await hand.until(lambda: "told by" in words(), "what it told is in force again")
        assert stage.desk.session.workflows.tells_status
        assert reads(stage) == 2

    play(tmp_path, story)


def test_a_switch_is_no_longer_in_doubt_once_the_service_says_that_it_takes_it(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        think = hand.find("chat.think")
        assert "may ignore" not in think.toolTip()
        hand.type("chat.composer", "How long is the lease?")
        hand.key("chat.composer", Qt.Key.Key_Return)
        await hand.until(lambda: stage.desk.session.reference.kept, "the description is read")
        assert stage.window.presenter("chat").conversation.chat_id
        assert "may ignore" not in think.toolTip()
        await stage.desk.session.change_account("use_reference", False)
        assert "may ignore" in think.toolTip()

    play(tmp_path, story)
