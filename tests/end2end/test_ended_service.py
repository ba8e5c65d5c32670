"""Stories of a built-in service that ends under the open window: it can always be started again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from stage import FAST, Stage, play

ENDED = "the built-in service ended with code -9"


async def dead(stage: Stage) -> None:
    """Kill the service as one that has ended before, and wait until that is said."""
    stage.desk._restarts = 1
    stage.desk.built_in._process.kill()
    await stage.hand.until(lambda: "It ended again (code -9)" in stage.hand.words("banner"), "it is said")


async def alive(stage: Stage) -> None:
    await stage.hand.until(lambda: "was started again" in stage.hand.words("banner"), "it is there again")
    assert await stage.desk.session.context.service.models()


def test_one_that_is_started_anew_promises_nothing(tmp_path: Path, log_watch) -> None:
    log_watch.expect(ENDED)

    async def story(stage: Stage) -> None:
        stage.desk.built_in._process.kill()
        await alive(stage)
        assert "can be tried again" in stage.hand.words("banner")
        assert "Nothing was lost" not in stage.hand.words("banner")
        stage.hand.key("window", Qt.Key.Key_Escape)
        await stage.hand.until(lambda: not stage.hand.sees("banner"), "Esc takes away what can only be read")

    play(tmp_path, story)


def test_what_can_be_pressed_stays_through_esc_and_later_words(tmp_path: Path, log_watch) -> None:
    log_watch.expect(ENDED)
    log_watch.expect("the settings cannot be written")

    async def story(stage: Stage) -> None:
        hand, where = stage.hand, stage.desk.paths.settings
        await dead(stage)
        hand.key("window", Qt.Key.Key_Escape)
        await hand.settle()
        assert hand.sees("banner.restart-built-in")
        await hand.until(where.exists, "the settings are written")
        where.unlink()
        where.mkdir()
        stage.desk.change_settings(text_size=1)
        await hand.until(lambda: "could not be written" in hand.words("banner"), "something else is said over it")
        words = hand.words("banner")
        assert "[Errno" not in words
        assert str(where) in words
        hand.key("window", Qt.Key.Key_Escape)
        await hand.until(lambda: hand.sees("banner.restart-built-in"), "what was said before is there again")
        where.rmdir()
        hand.click("banner.restart-built-in")
        await alive(stage)

    play(tmp_path, story)


def test_the_settings_start_it_again_once_the_banner_is_closed(tmp_path: Path, log_watch) -> None:
    log_watch.expect(ENDED)

    async def story(stage: Stage) -> None:
        hand = stage.hand
        hand.click("rail.settings")
        assert not hand.sees("settings.built_in")
        await dead(stage)
        hand.click("banner.close")
        await hand.until(lambda: not hand.sees("banner"), "it is closed")
        assert hand.words("settings.built_in") == "Start the built-in service again"
        hand.click("settings.built_in")
        await alive(stage)
        assert not hand.sees("settings.built_in")

    play(tmp_path, story)


def test_one_that_does_not_start_again_says_that_it_tries_and_why_not(tmp_path: Path, log_watch) -> None:
    log_watch.expect(ENDED)
    log_watch.expect("does not start again")

    async def story(stage: Stage) -> None:
        hand = stage.hand
        await dead(stage)
        stage.desk.built_in._options = ("--no-such-option",)
        hand.click("banner.restart-built-in")
        await hand.until(lambda: "starts it anew" in hand.words("banner"), "it says that it tries")
        await hand.until(lambda: "did not start" in hand.words("banner"), "it says why not")
        assert hand.sees("banner.restart-built-in")
        stage.desk.built_in._options = FAST
        hand.click("banner.restart-built-in")
        await alive(stage)

    play(tmp_path, story)


@pytest.mark.parametrize("broken", ['{"theme": "dark", "accounts": [', "[]"])
def test_settings_that_cannot_be_read_are_said(tmp_path: Path, log_watch, broken: str) -> None:
    log_watch.expect("settings cannot be read")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.json").write_text(broken)

    async def story(stage: Stage) -> None:
        await stage.hand.until(lambda: stage.hand.sees("banner"), "it is said")
        words = stage.hand.words("banner")
        assert "The settings could not be read" in words
        assert str(tmp_path / "config" / "settings.json.unreadable") in words

    play(tmp_path, story, built_in=False)
