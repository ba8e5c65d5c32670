"""Stories of what the chat says of a reply: why it failed, how long it is awaited, that nothing came."""

from __future__ import annotations

from pathlib import Path

import pytest

from carrel.ui.widgets.transcript import Entry
from scripted import ask, refuses, says, silent, tell
from stage import Stage


def last(stage: Stage) -> Entry:
    return stage.hand.find("chat.transcript").entries()[-1]


def preview(stage: Stage) -> str:
    return next((item.snippet for item in stage.hand.find("chat.list").items() if item.key), "")


def test_refused_credentials_say_what_to_do_and_lead_there(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "Refused")
        await stage.hand.until(lambda: last(stage).tag == "Failed", "it failed")
        assert last(stage).note.startswith("Unauthorized. Check the client ID, API key and secret under Settings")
        await stage.hand.until(lambda: preview(stage).startswith("Failed: Unauthorized."), "the list says so too")
        await stage.hand.until(lambda: stage.hand.sees("transcript.settings"), "there is a way to the settings")
        stage.hand.click("transcript.settings")
        assert stage.window.front == "settings"

    tell(tmp_path, story, {"Refused": refuses(401, error="unauthorized", message="Unauthorized")})


def test_a_silent_service_is_waited_for_in_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "Silent", wait=False)
        await stage.hand.until(lambda: preview(stage) == "Writing…", "the list says that it goes on")
        await stage.hand.until(lambda: last(stage).tag.startswith("Waiting… "), "it says for how long")
        assert last(stage).tag.endswith(" s")
        told: list[str] = []
        monkeypatch.setattr("carrel.ui.chat.conversation.announce", lambda _, text: told.append(text))
        stage.hand.click("chat.stop")
        await stage.hand.until(lambda: last(stage).tag == "Stopped", "it was stopped")
        await stage.hand.until(lambda: preview(stage) == "Stopped", "the list says so")
        words = "You stopped before the service had begun to answer."
        assert last(stage).note == words
        assert told == [words]

    tell(tmp_path, story, {"Silent": silent()})


def test_the_request_limit_says_when_it_goes_on(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await ask(stage, "Limit", wait=False)
        await stage.hand.until(lambda: last(stage).tag.startswith("Request limit reached, goes on in "), "it says when")
        seconds = int(last(stage).tag.split()[-2])
        assert 1 <= seconds <= 41
        await stage.hand.until(lambda: int(last(stage).tag.split()[-2]) < seconds, "the seconds go on")
        stage.hand.click("chat.stop")
        await stage.hand.until(lambda: last(stage).tag == "Stopped", "it was stopped")

    tell(tmp_path, story, {"Limit": refuses(429, {"Retry-After": "40"}, error="rate_limited", message="Too many")})


def test_a_reply_without_words_says_so(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        for word in ("Empty", "Space"):
            await ask(stage, word)
            await stage.hand.until(lambda: last(stage).note, "there is a note")
            assert last(stage).note == "The service sent no words."
            assert [key for key, _, _ in last(stage).actions] == ["again", "again_with", "details"]
            await stage.hand.until(lambda: preview(stage) == "The service sent no words.", "the list says it too")

    tell(tmp_path, story, {"Empty": says(""), "Space": says("  \n\n ")})
