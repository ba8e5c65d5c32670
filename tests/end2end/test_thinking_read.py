"""A story of a person who reads what a model thinks while it begins to answer."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.chats import Message
from stage import Stage, play
from stories import pick_chat, write_chat

THOUGHT = "\n".join(f"Line {n} of what is thought." for n in range(200))


def test_thinking_stays_open_under_whoever_reads_it_and_folds_for_all_others(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("How is notice served?", "By hand.", "")])
        pick_chat(stage, "Leases")
        transcript, chats = stage.hand.find("chat.transcript"), stage.desk.session.chats
        bar = transcript.verticalScrollBar()
        for name, is_read in (("read", True), ("followed", False)):
            thinking = Reply(thinking=THOUGHT, state="thinking", asked_at=time.time())
            message = Message(name, "a", 2, 1, "assistant", time.time(), Draft(), thinking)
            chats.message_added.emit(message)
            await stage.hand.until(lambda n=name: transcript.entry(n).thinking_open, "it is seen how it thinks")
            if is_read:
                bar.setValue(bar.maximum() // 2)
            place = bar.value()
            chats.reply_changed.emit("a", name, replace(thinking, text="By hand.", state="writing"))
            await stage.hand.until(lambda n=name: transcript.entry(n).text, "the reply begins")
            assert transcript.entry(name).thinking_open == is_read
            if is_read:
                assert bar.value() == place
                stage.hand.click("transcript.thinking")
                assert not transcript.entry(name).thinking_open
                chats.reply_changed.emit("a", name, replace(thinking, text="By hand, or.", state="writing"))
                assert not transcript.entry(name).thinking_open, "it stays as the person left it"

    play(tmp_path, story)
