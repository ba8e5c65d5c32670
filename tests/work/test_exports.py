"""Chats as files: what stands in each format, that nothing is overwritten, and that a file is whole or not there."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from carrel.model import Account, Content, Done, Reply
from carrel.model.draft import Attachment, Draft
from carrel.store.chats import Chat, Message
from carrel.work.export.telling import Options
from carrel.work.session import Session
from sessions import open_session

AT = 1_790_000_000.0
NOWHERE = Account(base_url="http://127.0.0.1:9", client_id="c", api_key="k", secret="s")
REPLY = "Key points:\n- **one**\n- two\n\n```python\nprint(1)"


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    async with open_session(tmp_path / "home", NOWHERE) as opened:
        await keep(opened)
        yield opened


async def keep(session: Session) -> None:
    """A chat of two turns: the first has two versions of its reply, the second was interrupted."""
    asked = Draft(text="What <must> we do?", attachments=(Attachment(id="f", name="lease.pdf"),), quotes=("clause 4",))
    chat = Chat("a", "conversation", "Renewal: terms/dates", "", AT, AT + 60)
    done = Reply(
        text=REPLY, thinking="Section 4 first.", state="complete", asked_at=AT, thinking_at=AT + 1, thought_at=AT + 5
    )
    cut = Reply(text="As I was say", state="interrupted", error="The connection was reset.")
    messages = [
        Message("a1", "a", 1, 1, "user", AT, asked),
        Message("a2", "a", 1, 1, "assistant", AT, asked, Reply(text="An older answer.", state="complete")),
        Message("a3", "a", 1, 2, "assistant", AT, asked, done),
        Message("a4", "a", 2, 1, "user", AT + 50, Draft(text="And then?")),
        Message("a5", "a", 2, 1, "assistant", AT + 50, Draft(text="And then?"), cut),
    ]
    store = session.chats._store
    await store.add_turn(chat, messages)
    await store.of("a").journal("a3", 0, [Content("Key", raw={"content": "Key"}, at=AT), Done(raw={"x": 1}, at=AT + 6)])


async def no_printer(title: str, pieces: AsyncIterator[str], place: Path) -> None:
    raise AssertionError("no PDF was asked for")


async def saved(session: Session, place: Path, **options: object) -> str:
    [written] = await session.exports.save_one("a", Options(**options), place, no_printer)
    assert written == place
    return whole(place)


def whole(place: Path) -> str:
    """What a file says; beside it nothing half-written is left."""
    assert list(place.parent.glob("*.part")) == []
    return place.read_text("utf-8")


async def test_markdown_has_all_that_was_said(session: Session, tmp_path: Path) -> None:
    text = await saved(session, tmp_path / "a.md", format="markdown")
    assert text.startswith("# Renewal: terms/dates\n\n*4 messages, ")
    assert "Attached: `lease.pdf`\n\n> clause 4\n\nWhat <must> we do?" in text
    assert "> **Thought for 4 s**\n>\n> Section 4 first." in text
    assert "An older answer." not in text
    assert "*Interrupted: the reply ended before the service said that it was done. The connection was reset.*" in text


async def test_markdown_closes_a_fence_that_a_reply_left_open(session: Session, tmp_path: Path) -> None:
    text = await saved(session, tmp_path / "a.md", format="markdown")
    assert "```python\nprint(1)\n```\n\n## You" in text


@pytest.mark.parametrize("form", ["markdown", "html", "json"])
async def test_thinking_is_left_out_on_demand(session: Session, tmp_path: Path, form: str) -> None:
    assert "Section 4 first." in await saved(session, tmp_path / "with", format=form)
    assert "Section 4 first." not in await saved(session, tmp_path / "without", format=form, thinking=False)


async def test_the_page_is_one_file_with_nothing_remote(session: Session, tmp_path: Path) -> None:
    page = await saved(session, tmp_path / "a.html", format="html")
    assert page.startswith("<!DOCTYPE html>")
    assert "<li><strong>one</strong></li>" in page
    assert "What &lt;must&gt; we do?" in page
    assert '<span class="file">lease.pdf</span>' in page
    assert "<details" in page
    assert not re.search(r"<(script|img|link|iframe)|@import|url\(| src=", page)


async def test_json_has_every_version_and_every_time(session: Session, tmp_path: Path) -> None:
    [chat] = json.loads(await saved(session, tmp_path / "a.json", format="json"))["chats"]
    assert chat["title"] == "Renewal: terms/dates"
    assert chat["conversation_id"] == "conversation"
    assert chat["shown"] == ["a1", "a3", "a4", "a5"]
    assert [(m["id"], m["version"]) for m in chat["messages"]] == [
        ("a1", 1),
        ("a2", 1),
        ("a3", 2),
        ("a4", 1),
        ("a5", 1),
    ]
    reply = chat["messages"][2]["reply"]
    assert reply["thinking"] == "Section 4 first."
    assert reply["thought_at"] == "2026-09-21T14:13:25.000+00:00"
    assert chat["messages"][0]["request"]["attachments"][0]["name"] == "lease.pdf"
    assert chat["messages"][4]["reply"]["error"] == "The connection was reset."


async def keep_pair(session: Session) -> None:
    """A further turn: two models were asked, and nobody has decided."""
    asked = Message("a6", "a", 3, 1, "user", AT + 55, Draft(text="Which?"))
    sides = [
        Message(f"s{n}", "a", 3, n, "assistant", AT + 56, Draft(model=f"model-{n}"), Reply(text=text), pair="open")
        for n, text in enumerate(("The left one.", "The right one."), 1)
    ]
    done = [replace(side, reply=replace(side.reply, state="complete")) for side in sides]
    await session.chats._store.add_turn(session.chats.chat("a"), [asked, *done])


@pytest.mark.parametrize("form", ["markdown", "html"])
async def test_two_replies_side_by_side_are_both_there_with_their_models(
    session: Session, tmp_path: Path, form: str
) -> None:
    await keep_pair(session)
    text = await saved(session, tmp_path / "a", format=form)
    places = [text.index(words) for words in ("model-1", "The left one.", "model-2", "The right one.")]
    assert places == sorted(places)
    assert text.count("neither has been kept yet") == 2


async def test_paper_and_json_have_both_replies_too(session: Session, tmp_path: Path) -> None:
    await keep_pair(session)
    printed: list[str] = []

    async def printer(title: str, pieces: AsyncIterator[str], place: Path) -> None:
        printed.extend([piece async for piece in pieces])
        await asyncio.to_thread(place.write_text, "".join(printed), "utf-8")

    await session.exports.save_one("a", Options(format="pdf"), tmp_path / "a.pdf", printer)
    assert "The left one." in printed[-2]
    assert "The right one." in printed[-1]
    [chat] = json.loads(await saved(session, tmp_path / "a.json", format="json"))["chats"]
    assert chat["shown"][-2:] == ["s1", "s2"]
    assert [(m["who"], m["pair"]) for m in chat["messages"][-2:]] == [("model-1", "open"), ("model-2", "open")]


async def test_raw_events_stand_beside_it_a_line_each(session: Session, tmp_path: Path) -> None:
    place = tmp_path / "out" / "a.json"
    place.parent.mkdir()
    written = await session.exports.save_one("a", Options(format="json", events=True), place, no_printer)
    assert [p.name for p in written] == ["a.json", "a.events.ndjson"]
    lines = [json.loads(line) for line in written[1].read_text("utf-8").splitlines()]
    assert [(line["message_id"], line["event"], line["data"]) for line in lines] == [
        ("a3", "content", {"content": "Key"}),
        ("a3", "done", {"x": 1}),
    ]


async def test_raw_events_that_cannot_be_written_leave_no_part(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    move = os.replace

    def refused(part: Path, place: Path) -> None:
        if place.suffix == ".ndjson":
            raise OSError("disk full")
        move(part, place)

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(OSError, match="disk full"):
        await session.exports.save_one("a", Options(format="json", events=True), tmp_path / "a.json", no_printer)
    assert json.loads(whole(tmp_path / "a.json"))["chats"]


async def test_many_chats_get_a_file_each_under_names_that_nothing_has(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "Renewal- terms-dates.md").write_text("mine", "utf-8")
    seen: list[tuple[int, int]] = []
    written = await session.exports.save_many(
        ["a", "a"], Options(), folder, no_printer, lambda done, count: seen.append((done, count))
    )
    assert len({p.name for p in written}) == 2
    assert all(p.read_text("utf-8").startswith("# Renewal") for p in written)
    assert seen == [(0, 2), (1, 2)]
    assert [p.read_text("utf-8") for p in folder.iterdir() if p not in written] == ["mine"]


async def test_an_export_that_fails_leaves_what_was_there(session: Session, tmp_path: Path) -> None:
    place = tmp_path / "a.pdf"
    place.write_text("the former one", "utf-8")

    async def broken(title: str, pieces: AsyncIterator[str], part: Path) -> None:
        await asyncio.to_thread(part.write_text, "half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await session.exports.save_one("a", Options(format="pdf"), place, broken)
    assert whole(place) == "the former one"


async def test_a_folder_that_is_not_there_is_told(session: Session, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        await session.exports.save_one("a", Options(), tmp_path / "nowhere" / "a.md", no_printer)


async def test_a_name_is_made_of_the_title(session: Session) -> None:
    name = session.exports.name("a", Options(format="html"))
    assert name.endswith(".html")
    assert name == "Renewal- terms-dates.html"
