"""The story of a person who deletes one chat after another, and wants them back."""

from __future__ import annotations

from pathlib import Path

from stage import Stage, play
from stories import take_from_menu, titles_in, write_chat


def test_what_was_deleted_one_after_another_comes_back_together(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        for ago, title in enumerate(("Leases", "Quotes", "Letters")):
            await write_chat(stage, title, title, [("Q", "A", "")], ago=ago)
        await stage.hand.until(lambda: "Letters" in titles_in(stage), "all are listed")
        stage.window.presenter("chat").open("Leases")
        before = titles_in(stage)
        for title in ("Leases", "Letters"):
            take_from_menu(stage, title, "Delete here")
            await stage.hand.until(lambda t=title: t not in titles_in(stage), "it is gone")
        await stage.hand.until(lambda: "2 chats deleted" in stage.hand.words("toast"), "both can be had back")
        stage.hand.click("toast.action")
        await stage.hand.until(lambda: titles_in(stage) == before, "both are back")
        title = stage.window.presenter("chat").ui.title.text
        await stage.hand.until(lambda: title() == "Leases", "the one that was open is open again")

    play(tmp_path, story)
