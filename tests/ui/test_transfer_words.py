"""What a queue of transfers says in one line, and what can be done with a row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carrel.model.transfers import Transfer
from carrel.ui.library.transferwords import action_words, actions, amount, reason, summary

MB = 1_000_000


def row(state: str, *, moved: int = 0, size: int = 10 * MB, direction: str = "up") -> Transfer:
    return Transfer("t", direction, "a.pdf", "/a.pdf", 1.0, 0.0, state=state, moved=moved, size=size)


def test_rate_and_time_left_of_what_still_has_to_go() -> None:
    rows = (row("done", moved=10 * MB), row("moving", moved=4 * MB), row("waiting"), row("cancelled"), row("indexing"))
    assert summary(rows, 2 * MB) == "1 of 4 done · 1 indexing · 2.0 MB/s · 8 s left"


def test_nothing_is_said_of_a_rate_that_nobody_knows_or_needs() -> None:
    assert summary((row("moving"),), 0.0) == "0 of 1 done"
    assert summary((row("done", moved=10 * MB),), 2 * MB) == "1 of 1 done"
    assert not summary((row("cancelled"),), 2 * MB)


@pytest.mark.parametrize(
    ("direction", "state", "words"),
    [
        ("up", "interrupted", "Try again"),
        ("down", "interrupted", "Go on"),
        ("up", "duplicate", "Upload anyway"),
        ("up", "failed", "Try again"),
        ("up", "moving", "Pause"),
        ("up", "paused", "Resume"),
        ("down", "done", "Open"),
        ("up", "done", "Find it"),
    ],
)
def test_the_first_thing_that_can_be_done(direction: str, state: str, words: str) -> None:
    held = row(state, direction=direction)
    assert action_words(actions(held)[0], held) == words


def test_what_has_left_cannot_be_paused_and_says_what_it_waits_for() -> None:
    held = row("moving", moved=10 * MB)
    assert actions(held) == ("cancel",)
    assert amount(held) == "sent, no answer yet"
    assert "Pause" in {action_words(key, held) for key in actions(row("moving", moved=9 * MB))}
    assert actions(row("moving", moved=10 * MB, direction="down")) == ("pause", "cancel")


def test_what_nobody_can_follow_is_called_sent_and_not_ready() -> None:
    sent = row("done", moved=10 * MB)
    assert amount(sent) == "sent"
    assert amount(replace(sent, file_id="7")) == "ready"
    assert reason(replace(sent, note="It goes to the top.")) == "Sent. It goes to the top."
