"""Stories of a person who turns back to an earlier version of a reply, or asks for another one far up in a chat."""

from __future__ import annotations

import time
from pathlib import Path

from test_export import dialog, save_to

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from stage import Stage, play

LONG = "\n\n".join(f"Paragraph {n} of a rather long reply." for n in range(20))


def texts(stage: Stage) -> list[str]:
    return [e.text for e in stage.hand.find("chat.transcript").entries()]


async def write(stage: Stage, *turns: tuple[str, ...]) -> None:
    """A chat of these turns: what was asked, and the versions of the reply."""
    at = time.time()
    messages = []
    for turn, (asked, *replies) in enumerate(turns, 1):
        draft = Draft(text=asked)
        messages.append(Message(f"{turn}", "a", turn, 1, "user", at, draft))
        for version, text in enumerate(replies, 1):
            reply = Reply(text=text, state="complete", asked_at=at, ended_at=at)
            messages.append(Message(f"{turn}.{version}", "a", turn, version, "assistant", at, draft, reply))
    await stage.desk.session.chats._store.add_turn(Chat("a", "", "Leases", "", at, at), messages)
    stage.window.presenter("chat").open("a")


def test_the_version_that_was_turned_to_stays_and_is_exported(tmp_path: Path) -> None:
    place = tmp_path / "a.md"

    async def story(stage: Stage) -> None:
        await write(stage, ("Who?", "The first version.", "The second version."), ("Why?", "Because."))
        assert texts(stage)[1] == "The second version."
        stage.hand.find("chat.transcript").acted.emit("1.2", "older")
        await stage.hand.until(lambda: texts(stage)[1] == "The first version.", "the first is shown")
        assert stage.hand.find("chat.transcript").entries()[1].versions == (1, 2)
        stage.window.presenter("chat").open("")
        stage.window.presenter("chat").open("a")
        assert texts(stage) == ["Who?", "The first version.", "Why?", "Because."]
        dialog(stage, "markdown")
        await save_to(stage, place)

    play(tmp_path / "home", story)
    assert "The first version." in place.read_text("utf-8")
    assert "The second version." not in place.read_text("utf-8")

    async def next_day(stage: Stage) -> None:
        stage.window.presenter("chat").open("a")
        assert texts(stage)[1] == "The first version."
        stage.hand.find("chat.transcript").acted.emit("1.1", "again")
        versions = lambda: stage.hand.find("chat.transcript").entries()[1].versions  # noqa: E731
        await stage.hand.until(lambda: versions() == (3, 3), "a new version is in front")

    play(tmp_path / "home", next_day)


def test_asking_again_further_up_leaves_the_view_there(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await stage.hand.until(lambda: stage.desk.session.models.all, "the models have their names")
        await write(stage, *((f"Question {n}", LONG) for n in range(12)))
        transcript = stage.hand.find("chat.transcript")
        bar = transcript.verticalScrollBar()
        for turn, is_last in ((3, False), (12, True)):
            transcript.show_entry(f"{turn}.1")
            transcript.acted.emit(f"{turn}.1", "again")
            of_turn = lambda t=turn: transcript.entries()[2 * t - 1]  # noqa: E731
            await stage.hand.until(lambda f=of_turn: f().versions == (2, 2), "the new version is shown")
            await stage.hand.until(lambda: not stage.desk.session.chats.is_streaming("a"), "it has ended")
            assert transcript.follows is is_last
            assert (bar.value() > bar.maximum() / 2) is is_last

    play(tmp_path, story)
