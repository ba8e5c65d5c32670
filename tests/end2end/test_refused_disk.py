"""Stories of a journal that cannot be written: the window says so, and what came is written once the disk takes it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from carrel.store import db as store
from sessions import on_disk
from stage import Stage, play
from stories import ask


def test_a_held_journal_is_said_and_the_reply_is_whole_once_it_is_free(
    tmp_path: Path, log_watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_watch.expect("Another program holds it")
    monkeypatch.setattr(store, "WAIT", 0.1)

    async def story(stage: Stage) -> None:
        await ask(stage, "What does the lease say about the deposit?")
        with closing(sqlite3.connect(stage.desk.paths.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            await stage.hand.until(stage.window.banner.isVisible, "the banner says so")
            assert "The journal cannot be written" in stage.hand.words("banner")
            await stage.hand.until(lambda: sent_whole(stage), "the service has sent it all")
        await stage.hand.until(lambda: not stage.hand.sees("chat.stop"), "the reply is written")
        await stage.hand.until(lambda: "written again" in stage.hand.words("banner"), "the banner says that it is over")

    play(tmp_path, story, options=("--samples", "--pace", "40"))
    [(state, text)] = on_disk(tmp_path, "SELECT state, text FROM messages WHERE role = 'assistant'")
    assert state == "complete"
    batches = on_disk(tmp_path, "SELECT events FROM journal ORDER BY batch")
    assert '"event": "done"' in batches[-1][0]
    assert text


def sent_whole(stage: Stage) -> bool:
    """Whether the stream of the one message has ended."""
    return any(exchange.stream for exchange in stage.desk.session.activity.exchanges)
