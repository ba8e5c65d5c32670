"""Stories of a person with many chats: they rename, pin, archive, delete, and see which one has news."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from stage import Stage, play
from stories import pick_chat, take_from_menu, titles_in, write_chat

HOUR = 3600.0


def test_chats_stand_under_their_days_and_the_archive_is_out_of_the_way(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("Q", "A", "")])
        await write_chat(stage, "b", "Quotes", [("Q", "A", "")], ago=3 * 24 * HOUR)
        await write_chat(stage, "c", "Minutes", [("Q", "A", "")], ago=30 * 24 * HOUR)
        assert titles_in(stage) == ["[Today]", "Leases", "[This week]", "Quotes", "[Older]", "Minutes"]
        take_from_menu(stage, "Minutes", "Pin to the top")
        await stage.hand.until(lambda: titles_in(stage)[:2] == ["[Pinned]", "Minutes"], "it is pinned")
        take_from_menu(stage, "Minutes", "Unpin")
        take_from_menu(stage, "Quotes", "Archive")
        await stage.hand.until(lambda: "Quotes" not in titles_in(stage), "it is archived")
        assert stage.hand.find("chat.archived").text() == "Archived (1)"
        stage.hand.click("chat.archived")
        assert titles_in(stage) == ["[Archived]", "Quotes"]
        take_from_menu(stage, "Quotes", "Move back to the list")
        await stage.hand.until(lambda: titles_in(stage)[0] == "[Today]", "the list is back, since the archive is empty")
        assert "Quotes" in titles_in(stage)
        assert not stage.hand.sees("chat.archived")

    play(tmp_path, story)


def test_a_chat_is_renamed_in_place(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("Q", "A", "")])
        pick_chat(stage, "Leases")
        stage.hand.key("chat.list", Qt.Key.Key_F2)
        assert stage.hand.sees("chat.rename")
        stage.hand.type("chat.rename", "Harbour lease")
        stage.hand.key("chat.rename", Qt.Key.Key_Return)
        await stage.hand.until(lambda: titles_in(stage) == ["[Today]", "Harbour lease"], "it has the new title")
        assert stage.hand.find("chat.title").text() == "Harbour lease"
        stage.hand.key("chat.list", Qt.Key.Key_F2)
        stage.hand.type("chat.rename", "Something else")
        assert stage.window.presenter("chat").escape()
        await stage.hand.settle()
        assert titles_in(stage) == ["[Today]", "Harbour lease"]

    play(tmp_path, story)


def test_a_deleted_chat_comes_back_by_undo(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("Q", "A", "")])
        pick_chat(stage, "Leases")
        stage.hand.key("chat.list", Qt.Key.Key_Delete)
        await stage.hand.until(lambda: titles_in(stage) == [], "it is gone")
        assert "The service keeps its own copy" in stage.hand.words("toast")
        stage.hand.click("toast.action")
        await stage.hand.until(lambda: titles_in(stage) == ["[Today]", "Leases"], "it is back")

    play(tmp_path, story)


def test_a_reply_that_goes_on_behind_turns_a_mark_and_is_new_when_it_ends(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await write_chat(stage, "a", "Leases", [("Q", "A", "")])
        shown = stage.hand.find("chat.list")
        assert not shown.is_turning
        stage.hand.type("chat.composer", "What is on the agenda of the board?")
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: any(i.busy for i in shown.items()), "the mark is there")
        pick_chat(stage, "Leases")
        assert shown.is_turning
        await stage.hand.until(lambda: any(i.tag == "New" for i in shown.items()), "it ended, unread")
        assert not shown.is_turning
        assert not any(i.busy for i in shown.items())
        pick_chat(stage, next(i.title for i in shown.items() if i.tag))
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
