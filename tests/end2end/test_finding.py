"""Stories of a person who looks for what was said: in one chat, in all, in versions, comparisons and agent runs."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import Qt

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.chats import Message
from stage import Stage, play
from stories import pick_chat, titles_in, write_chat

LONG = "\n\n".join(f"Paragraph {n}. Nothing of note stands here, but it takes its place." for n in range(30))


def in_sight(stage: Stage, name: str = "chat.transcript") -> tuple[str, str, int]:
    """What is marked apart and stands within the view: its message, the words, and how many of them stand before it."""
    transcript = stage.hand.find(name)
    room = transcript.viewport().height()
    for number in transcript._visible():
        view = transcript._rows.view(number)
        for part_number, _, part in view._between(0, view.height):
            if part.focused:
                start, stop = part.focused
                y = transcript._top_of(number) + view.box(part_number, start).center().y()
                assert 0 < y < room, "it stands outside the view"
                before = [f for f in part.found(transcript._marked) if f[0] < start]
                return view.entry.id, part.selected_text(start, stop), len(before)
    return "", "", 0


def test_a_search_of_all_chats_leads_to_the_message(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(
            stage, "a", "Leases", [("How is notice served?", "By *hand* or recorded post.", ""), ("More", LONG, "")]
        )
        await write_chat(stage, "b", "Quotes", [("Freight?", "Both exclude it.", "Look at the recorded terms.")])
        stage.hand.type("chat.search", "recorded")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "something is found")
        assert titles_in(stage, "chat.results") == ["[Messages]", "Quotes", "Leases"]
        thought, said = (i for i in stage.hand.find("chat.results").items() if i.key)
        assert thought.snippet.startswith("Thinking: ")
        marked = [said.snippet[start : start + length] for start, length in said.marks]
        assert marked == ["recorded"]
        pick_chat(stage, "Leases", "chat.results")
        await stage.hand.until(lambda: in_sight(stage) == ("a-1-a", "recorded", 0), "the words are in view")
        pick_chat(stage, "Quotes", "chat.results")
        transcript = stage.hand.find("chat.transcript")
        await stage.hand.until(lambda: transcript.entry("b-1-a").thinking_open, "the thinking is open")
        stage.hand.key("chat.search", Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert stage.window.presenter("chat").escape()
        assert stage.hand.sees("chat.list")
        assert stage.hand.find("chat.search").text() == ""

    play(tmp_path, story)


def test_a_search_with_nothing_to_find_says_so(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("Q", "A", "")])
        stage.hand.type("chat.search", "nowhere to be found")
        await stage.hand.until(lambda: "No chat and no agent run" in stage.hand.words("chat.pane"), "it says so")

    play(tmp_path, story)


def test_what_there_is_more_of_in_a_chat_is_found_there(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [(f"Question {n}", f"The freight of item {n}.", "") for n in range(8)])
        stage.hand.type("chat.search", "freight")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "something is found")
        assert titles_in(stage, "chat.results")[-1] == "5 more in this chat"
        pick_chat(stage, "5 more in this chat", "chat.results")
        await stage.hand.until(lambda: stage.hand.sees("chat.find"), "the bar is open")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "8 of 8", "all are counted")

    play(tmp_path, story)


def test_an_old_version_of_a_reply_is_found_and_shown(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("How?", "By pigeon.", "")])
        chats = stage.desk.session.chats
        newer = Message("a-1-b", "a", 1, 2, "assistant", time.time(), Draft(), Reply(text="By post.", state="complete"))
        await chats._store.add_turn(chats.chat("a"), [newer])
        stage.hand.type("chat.search", "pigeon")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "it is found")
        pick_chat(stage, "Leases", "chat.results")
        await stage.hand.until(lambda: "By pigeon." in stage.hand.words("chat.transcript"), "the version is shown")

    play(tmp_path, story)


def test_find_in_the_chat_goes_from_place_to_place(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        turns = [(f"Question {n}", LONG, "") for n in range(20)]
        turns[3] = ("How?", "Serve **written** notice.", "")
        turns[12] = ("And?", "Yes.", "It says written notice in clause 17.")
        await write_chat(stage, "a", "Leases", turns)
        pick_chat(stage, "Leases")
        stage.window.presenter("chat").find()
        stage.hand.type("chat.find.field", "Written notice")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "2 of 2", "both are found")
        transcript = stage.hand.find("chat.transcript")
        await stage.hand.until(lambda: in_sight(stage)[0] == "a-13-a", "the last is in view")
        assert transcript.entry("a-13-a").thinking_open
        stage.hand.click("chat.find.up")
        await stage.hand.until(lambda: in_sight(stage)[0] == "a-4-a", "the first is in view")
        assert stage.hand.words("chat.find.count") == "1 of 2"
        stage.hand.key("chat.find.field", Qt.Key.Key_Return)
        await stage.hand.until(lambda: in_sight(stage)[0] == "a-13-a", "Enter goes on")
        stage.hand.type("chat.find.field", "pigeon")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "Not found", "it says that none is there")
        assert stage.window.presenter("chat").escape()
        assert not stage.hand.sees("chat.find")

    play(tmp_path, story)


LOUD = "\n\n".join(f"Paragraph {n}. Here stands *freight* number {n}." + " More words." * 30 for n in range(200))


def test_find_walks_from_place_to_place_within_a_long_reply(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        thought = "\n".join(f"Line {n}: think of the freight." for n in range(900))
        await write_chat(stage, "a", "Leases", [("The freight?", LOUD, thought), *([("Q", LONG, "")] * 5)])
        pick_chat(stage, "Leases")
        stage.window.presenter("chat").find()
        stage.hand.type("chat.find.field", "freight")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "1101 of 1101", "each place is counted")
        transcript = stage.hand.find("chat.transcript")
        assert in_sight(stage) == ("a-1-a", "freight", 1), "the last of the two in the last part"
        assert "number 199" in transcript._rows.view(1).words()[-1].document.toPlainText()
        for n in range(1100, 1095, -1):
            stage.hand.click("chat.find.up")
            await stage.hand.until(
                lambda n=n: stage.hand.words("chat.find.count") == f"{n} of 1101", "the place before"
            )
            assert in_sight(stage)[:2] == ("a-1-a", "freight")
        assert not transcript.entry("a-1-a").thinking_open
        stage.hand.key("chat.find.field", Qt.Key.Key_Return)
        for _ in range(5):
            stage.hand.key("chat.find.field", Qt.Key.Key_Return)
            await stage.hand.settle()
        await stage.hand.until(lambda: in_sight(stage)[0] == "a-1-u", "after the last comes the first")
        stage.hand.click("chat.find.down")
        await stage.hand.until(lambda: in_sight(stage) == ("a-1-a", "freight", 0), "then what was thought")
        assert transcript.entry("a-1-a").thinking_open
        assert stage.hand.words("chat.find.count") == "2 of 1101"

    play(tmp_path, story)


def test_a_search_of_all_chats_leads_to_the_place_in_a_long_reply(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        told = LOUD.replace("number 150.", "number 150, which the harbour master pays.")
        await write_chat(stage, "a", "Leases", [("Q", told, "")])
        stage.hand.type("chat.search", "freight harbour")
        await stage.hand.until(lambda: stage.hand.sees("chat.results"), "it is found")
        pick_chat(stage, "Leases", "chat.results")
        await stage.hand.until(lambda: in_sight(stage)[0] == "a-1-a", "the place is in view")
        transcript = stage.hand.find("chat.transcript")
        part = next(p for p in transcript._rows.view(1).words() if p.focused)
        assert "Paragraph 150." in part.document.toPlainText()

    play(tmp_path, story)


def test_both_sides_of_a_comparison_are_searched_and_what_was_said_before(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("The freight?", LONG, "")])
        chats = stage.desk.session.chats
        at = time.time()
        sides = [
            Message(f"s{n}", "a", 2, n, "assistant", at, Draft(), Reply(text=text, state="complete"), pair="open")
            for n, text in enumerate((f"{LONG}\n\nFreight.", f"{LOUD}\n\nThe end."), 1)
        ]
        await chats._store.add_turn(chats.chat("a"), [Message("u2", "a", 2, 1, "user", at, Draft(text="And?")), *sides])
        pick_chat(stage, "Leases")
        assert stage.hand.sees("chat.compare_view")
        stage.window.presenter("chat").find()
        stage.hand.type("chat.find.field", "freight")
        await stage.hand.until(lambda: stage.hand.words("chat.find.count") == "202 of 202", "both sides count")
        assert in_sight(stage, "chat.compare.right")[0] == "s2"
        stage.hand.click("chat.find.down")
        await stage.hand.until(lambda: in_sight(stage)[0] == "a-1-u", "what was said before is shown")
        assert "wait for your choice" in stage.hand.words("chat.undecided")
        stage.hand.click("chat.find.down")
        await stage.hand.until(lambda: stage.hand.sees("chat.compare_view"), "the two are shown again")
        assert in_sight(stage, "chat.compare.left")[0] == "s1"
        assert not stage.hand.sees("chat.undecided")
        stage.hand.click("chat.compare.earlier")
        assert stage.hand.sees("chat.transcript")
        stage.hand.click("chat.undecided.back")
        assert stage.hand.sees("chat.compare_view")

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
        assert titles_in(stage, "chat.results") == ["[Agent runs]", "Compare quotes"]
        pick_chat(stage, "Compare quotes", "chat.results")
        await stage.hand.until(lambda: stage.window.front == "agents", "the agents are in front")
        assert stage.window.presenter("agents")._shown_id == "r"

    play(tmp_path, story)
