"""Stories of the details of a reply: they are read while the window goes on."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from PySide6.QtWidgets import QLabel

from carrel.model import Content
from stage import Stage, play
from stories import write_chat


def test_what_a_stream_said_is_read_beside_the_window(tmp_path: Path) -> None:
    gate = threading.Event()

    async def story(stage: Stage) -> None:
        chats, hand = stage.desk.session.chats, stage.hand
        await write_chat(stage, "a", "Renewal", [("Q", "A", "")])
        events = [Content("Key", raw={"content": "Key"}, at=at) for at in (1.0, 2.0)]
        await chats._store.of("a").journal("a-1-a", 0, events)
        stage.window.presenter("chat").open("a")
        reading = asyncio.ensure_future(chats.at("a").ask(lambda _: gate.wait(60)))
        hand.find("chat.transcript").acted.emit("a-1-a", "details")
        await hand.settle()
        assert not hand.sees("chat.details"), "another reading is under way"
        gate.set()
        await hand.until(lambda: hand.sees("chat.details"), "the details are shown")
        assert "Gaps between events" in [label.text() for label in hand.find("chat.details").findChildren(QLabel)]
        assert hand.find("chat.details.save").isEnabled()
        hand.find("chat.details").accept()
        await reading

    try:
        play(tmp_path, story)
    finally:
        gate.set()
