"""Stories of a person with many chats: they find, rename, pin, archive, delete, and come back to what was said."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from stage import Stage, play

HOUR = 3600.0
LONG = "\n\n".join(f"Paragraph {n}. Nothing of note stands here, but it takes its place." for n in range(30))


async def keep(stage: Stage, chat_id: str, title: str, turns: list[tuple[str, str, str]], ago: float = 0) -> None:
    """Write a chat as one that was had some seconds ago: (asked, answered, thought) for each turn."""
    at = time.time() - ago
    draft = Draft(text="")
    chat = Chat(chat_id, f"conversation-{chat_id}", title, turns[-1][1][:60], at, at)
    messages = []
    for turn, (asked, answered, thought) in enumerate(turns, 1):
        reply = Reply(text=answered, thinking=thought, state="complete", asked_at=at, ended_at=at)
        messages += [
            Message(f"{chat_id}-{turn}-u", chat_id, turn, 1, "user", at, draft.model_copy(update={"text": asked})),
            Message(f"{chat_id}-{turn}-a", chat_id, turn, 1, "assistant", at, draft, reply),
        ]
    await stage.desk.session.chats._store.add_turn(chat, messages)
    stage.desk.session.chats.list_changed.emit()
    await stage.hand.settle()


def titles(stage: Stage, name: str = "chat.list") -> list[str]:
    """What a list shows; section titles stand in brackets."""
    return [item.title if item.key else f"[{item.title}]" for item in stage.hand.find(name).items()]


def pick(stage: Stage, title: str, name: str = "chat.list") -> None:
    """Click an entry."""
    shown = stage.hand.find(name)
    row = titles(stage, name).index(title)
    shown.setCurrentIndex(shown.model().index(row, 0))


def menu(stage: Stage, title: str, words: str) -> None:
    """Open an entry's menu by the keyboard and take something from it."""
    shown = stage.hand.find("chat.list")
    item = shown.items()[titles(stage).index(title)]
    shown.menu_asked.emit(item.key, shown.mapToGlobal(shown.rect().center()))
    offered = stage.hand.find("chat.menu", QMenu)
    action = next(a for a in offered.actions() if a.text() == words)
    action.trigger()
    offered.close()


def first_shown(stage: Stage) -> str:
    """The message at the top of the transcript."""
    transcript = stage.hand.find("chat.transcript")
    return transcript._rows.entry(transcript._rows.at(transcript.verticalScrollBar().value() + 2)).id


def test_chats_stand_under_their_days_and_the_archive_is_out_of_the_way(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Leases", [("Q", "A", "")])
        await keep(stage, "b", "Quotes", [("Q", "A", "")], ago=3 * 24 * HOUR)
        await keep(stage, "c", "Minutes", [("Q", "A", "")], ago=30 * 24 * HOUR)
        assert titles(stage) == ["[Today]", "Leases", "[This week]", "Quotes", "[Older]", "Minutes"]
        menu(stage, "Minutes", "Pin to the top")
        await stage.hand.until(lambda: titles(stage)[:2] == ["[Pinned]", "Minutes"], "it is pinned")
        menu(stage, "Minutes", "Unpin")
        menu(stage, "Quotes", "Archive")
        await stage.hand.until(lambda: "Quotes" not in titles(stage), "it is archived")
        assert stage.hand.find("chat.archived").text() == "Archived (1)"
        stage.hand.click("chat.archived")
        assert titles(stage) == ["[Archived]", "Quotes"]
        menu(stage, "Quotes", "Move back to the list")
        await stage.hand.until(lambda: titles(stage)[0] == "[Today]", "the list is back, since the archive is empty")
        assert "Quotes" in titles(stage)
        assert not stage.hand.sees("chat.archived")

    play(tmp_path, story)


def test_a_chat_is_renamed_in_place(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Leases", [("Q", "A", "")])
        pick(stage, "Leases")
        stage.hand.key("chat.list", Qt.Key.Key_F2)
        assert stage.hand.sees("chat.rename")
        stage.hand.type("chat.rename", "Harbour lease")
        stage.hand.key("chat.rename", Qt.Key.Key_Return)
        await stage.hand.until(lambda: titles(stage) == ["[Today]", "Harbour lease"], "it has the new title")
        assert stage.hand.find("chat.title").text() == "Harbour lease"
        stage.hand.key("chat.list", Qt.Key.Key_F2)
        stage.hand.type("chat.rename", "Something else")
        assert stage.window.presenter("chat").escape()
        await stage.hand.settle()
        assert titles(stage) == ["[Today]", "Harbour lease"]

    play(tmp_path, story)


def test_a_deleted_chat_comes_back_by_undo(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Leases", [("Q", "A", "")])
        pick(stage, "Leases")
        stage.hand.key("chat.list", Qt.Key.Key_Delete)
        await stage.hand.until(lambda: titles(stage) == [], "it is gone")
        assert "The service keeps its own copy" in stage.hand.words("toast")
        stage.hand.click("toast.action")
        await stage.hand.until(lambda: titles(stage) == ["[Today]", "Leases"], "it is back")

    play(tmp_path, story)


def test_a_reply_that_goes_on_behind_turns_a_mark_and_is_new_when_it_ends(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Leases", [("Q", "A", "")])
        shown = stage.hand.find("chat.list")
        assert not shown.is_turning
        stage.hand.type("chat.composer", "What is on the agenda of the board?")
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: any(i.busy for i in shown.items()), "the mark is there")
        pick(stage, "Leases")
        assert shown.is_turning
        await stage.hand.until(lambda: any(i.tag == "New" for i in shown.items()), "it ended, unread")
        assert not shown.is_turning
        assert not any(i.busy for i in shown.items())
        pick(stage, next(i.title for i in shown.items() if i.tag))
        await stage.hand.until(lambda: not any(i.tag for i in shown.items()), "it counts as read")

    play(tmp_path, story, options=("--samples", "--pace", "40"))


def test_without_motion_the_mark_stands_still(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.desk.change_settings(reduce_motion=True)
        stage.hand.type("chat.composer", "What is on the agenda of the board?")
        stage.hand.click("chat.send")
        shown = stage.hand.find("chat.list")
        await stage.hand.until(lambda: any(i.busy for i in shown.items()), "the mark is there")
        assert not shown.is_turning

    play(tmp_path, story, options=("--samples", "--pace", "40"))


def test_a_search_of_all_chats_leads_to_the_message(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(
            stage, "a", "Leases", [("How is notice served?", "By *hand* or recorded post.", ""), ("More", LONG, "")]
        )
        await keep(stage, "b", "Quotes", [("Freight?", "Both exclude it.", "Look at the recorded terms.")])
        stage.hand.type("chat.search", "recorded")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "something is found")
        assert titles(stage, "chat.results") == ["[Messages]", "Quotes", "Leases"]
        thought, said = (i for i in stage.hand.find("chat.results").items() if i.key)
        assert thought.snippet.startswith("Thinking: ")
        marked = [said.snippet[start : start + length] for start, length in said.marks]
        assert marked == ["recorded"]
        pick(stage, "Leases", "chat.results")
        await stage.hand.until(lambda: first_shown(stage) == "a-1-a", "the message is at the top")
        pick(stage, "Quotes", "chat.results")
        transcript = stage.hand.find("chat.transcript")
        await stage.hand.until(lambda: transcript.entry("b-1-a").thinking_open, "the thinking is open")
        stage.hand.key("chat.search", Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert stage.window.presenter("chat").escape()
        assert stage.hand.sees("chat.list")
        assert stage.hand.find("chat.search").text() == ""

    play(tmp_path, story)


def test_a_search_with_nothing_to_find_says_so(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Leases", [("Q", "A", "")])
        stage.hand.type("chat.search", "nowhere to be found")
        await stage.hand.until(lambda: "No chat and no agent run" in stage.hand.words("chat.pane"), "it says so")

    play(tmp_path, story)


def test_what_there_is_more_of_in_a_chat_is_found_there(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Leases", [(f"Question {n}", f"The freight of item {n}.", "") for n in range(8)])
        stage.hand.type("chat.search", "freight")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "something is found")
        assert titles(stage, "chat.results")[-1] == "5 more in this chat"
        pick(stage, "5 more in this chat", "chat.results")
        await stage.hand.until(lambda: stage.hand.sees("chat.find"), "the bar is open")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "8 of 8", "all are counted")

    play(tmp_path, story)


def test_an_old_version_of_a_reply_is_found_and_shown(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Leases", [("How?", "By pigeon.", "")])
        chats = stage.desk.session.chats
        newer = Message("a-1-b", "a", 1, 2, "assistant", time.time(), Draft(), Reply(text="By post.", state="complete"))
        await chats._store.add_turn(chats.chat("a"), [newer])
        stage.hand.type("chat.search", "pigeon")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "it is found")
        pick(stage, "Leases", "chat.results")
        await stage.hand.until(lambda: "By pigeon." in stage.hand.words("chat.transcript"), "the version is shown")

    play(tmp_path, story)


def test_find_in_the_chat_goes_from_place_to_place(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        turns = [(f"Question {n}", LONG, "") for n in range(20)]
        turns[3] = ("How?", "Serve **written** notice.", "")
        turns[12] = ("And?", "Yes.", "It says written notice in clause 17.")
        await keep(stage, "a", "Leases", turns)
        pick(stage, "Leases")
        stage.window.presenter("chat").find()
        stage.hand.type("chat.find.field", "Written notice")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "2 of 2", "both are found")
        transcript = stage.hand.find("chat.transcript")
        await stage.hand.until(lambda: first_shown(stage) == "a-13-a", "the last is in view")
        assert transcript.entry("a-13-a").thinking_open
        stage.hand.click("chat.find.up")
        await stage.hand.until(lambda: first_shown(stage) == "a-4-a", "the first is in view")
        assert stage.hand.words("chat.find.count") == "1 of 2"
        stage.hand.key("chat.find.field", Qt.Key.Key_Return)
        await stage.hand.until(lambda: first_shown(stage) == "a-13-a", "Enter goes on")
        stage.hand.type("chat.find.field", "pigeon")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "Not found", "it says that none is there")
        assert stage.window.presenter("chat").escape()
        assert not stage.hand.sees("chat.find")

    play(tmp_path, story)


def test_an_agent_run_is_found_and_shown(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        db = stage.desk.session.context.db
        await db.execute(
            """INSERT INTO agent_runs (id, account, title, request, state, result, started_at, ended_at)
            VALUES ('r', ?, 'Compare quotes', '{"prompt": "Compare the quotes"}', 'done',
            '{"output": "Acme is cheaper.", "success": true}', ?, ?)""",
            (stage.desk.session.account_id, time.time() - 60, time.time()),
        )
        stage.hand.type("chat.search", "cheaper")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "it is found")
        assert titles(stage, "chat.results") == ["[Agent runs]", "Compare quotes"]
        pick(stage, "Compare quotes", "chat.results")
        await stage.hand.until(lambda: stage.window.front == "agents", "the agents are in front")
        assert stage.window.presenter("agents")._shown_id == "r"

    play(tmp_path, story)
