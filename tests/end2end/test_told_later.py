"""Stories of files that are written while the window goes on, and of dialogs that have gone when they are there."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from carrel.model import Content
from stage import Stage, play
from stories import write_chat


def test_raw_events_are_written_beside_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[threading.Thread] = []

    def write(place: Path, text: str) -> None:
        written.append(threading.current_thread())
        if place.name == "no.ndjson":
            raise OSError(28, "No space left on device")
        place.write_text(text, "utf-8")

    async def story(stage: Stage) -> None:
        chats, hand, shell = stage.desk.session.chats, stage.hand, stage.window.shell
        await write_chat(stage, "a", "Renewal", [("Q", "A", "")])
        await chats._store.of("a").journal("a-1-a", 0, [Content("Key", raw={"content": "Key"}, at=1.0)])
        stage.window.presenter("chat").open("a")
        hand.find("chat.transcript").acted.emit("a-1-a", "details")
        await hand.until(lambda: hand.sees("chat.details"), "the details are shown")
        monkeypatch.setattr("carrel.work.export.exports.write_whole", write)
        for name, words in (("events.ndjson", "Saved events.ndjson."), ("no.ndjson", "No space left")):
            monkeypatch.setattr(shell, "choose_target", lambda *a, n=name: a[-1]([tmp_path / n]))
            hand.click("chat.details.save")
            await hand.until(lambda w=words: w in hand.words("toast"), "it is said")
        assert '"Key"' in await asyncio.to_thread((tmp_path / "events.ndjson").read_text)
        assert threading.main_thread() not in written
        hand.find("chat.details").accept()

    play(tmp_path / "home", story)


def test_prompts_are_told_of_after_their_book_was_closed(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        prompting = stage.window.presenter("chat").composing._suggesting._prompting
        prompting.manage()
        await stage.hand.until(lambda: stage.hand.sees("prompts"), "the book is open")
        stage.hand.find("prompts").accept()
        await stage.hand.until(lambda: not stage.hand.sees("prompts"), "it is closed")
        prompting._write(tmp_path / "prompts.json")
        await stage.hand.until(lambda: "Saved as prompts.json." in stage.hand.words("toast"), "it is told")

    play(tmp_path / "home", story)
