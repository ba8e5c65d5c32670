"""Stories of a person who takes chats along: as Markdown, HTML, PDF and JSON, one or many, or as a copy."""

from __future__ import annotations

import json
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFileDialog, QListWidget, QRadioButton

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from carrel.ui.chat.exporting import copy_rich
from carrel.ui.widgets.transcript import Clip
from stage import Stage, play

REPLY = "Serve **written notice**:\n- by hand\n- [x] by post\n\n| Step | Date |\n|---|---|\n| Notice | 31 March |\n"


async def keep(stage: Stage, chat_id: str, title: str) -> None:
    """A chat of one question and its reply."""
    at = time.time()
    reply = Reply(text=REPLY, thinking="Section 17 first.", state="complete", asked_at=at, ended_at=at)
    asked = Message(f"{chat_id}u", chat_id, 1, 1, "user", at, Draft(text="How?"))
    answer = Message(f"{chat_id}a", chat_id, 1, 1, "assistant", at, Draft(text="How?"), reply)
    await stage.desk.session.chats._store.add_turn(Chat(chat_id, "", title, "", at, at), [asked, answer])
    stage.desk.session.chats.list_changed.emit()
    await stage.hand.settle()


def dialog(stage: Stage, form: str, *, thinking: bool = True, every: bool = False) -> None:
    """Open the dialog of the open chat, choose, and press Save."""
    stage.hand.click("chat.export")
    stage.hand.find(f"export.{form}", QRadioButton).click()
    stage.hand.find("export.thinking", QCheckBox).setChecked(thinking)
    if every:
        stage.hand.click("export.all")
    stage.hand.click("export.save")


async def save_to(stage: Stage, place: Path) -> None:
    """Answer the file dialog, wait for the word that it is done."""
    asked = next(d for d in stage.window.findChildren(QFileDialog) if d.isVisible())
    asked.filesSelected.emit([str(place)])
    asked.close()
    await stage.hand.until(lambda: stage.hand.sees("toast") and "Saved" in stage.hand.words("toast"), "it is saved")
    stage.hand.find("toast").hide()


def test_one_chat_is_saved_in_each_format(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()

    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        assert not stage.hand.find("chat.export").isEnabled()
        stage.window.presenter("chat").open("a")
        dialog(stage, "markdown")
        await save_to(stage, out / "a.md")
        dialog(stage, "html", thinking=False)
        await save_to(stage, out / "a.html")
        dialog(stage, "json")
        await save_to(stage, out / "a.json")
        dialog(stage, "pdf")
        await save_to(stage, out / "a.pdf")

    play(tmp_path / "home", story)
    assert REPLY.strip() in (out / "a.md").read_text("utf-8")
    page = (out / "a.html").read_text("utf-8")
    assert "<strong>written notice</strong>" in page
    assert "Section 17" not in page
    assert json.loads((out / "a.json").read_text("utf-8"))["chats"][0]["messages"][1]["text"] == REPLY
    pdf = (out / "a.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert sorted(p.name for p in out.iterdir()) == ["a.html", "a.json", "a.md", "a.pdf"]


def test_all_chats_are_saved_into_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()

    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        await keep(stage, "b", "Renewal")
        await keep(stage, "c", "Quotes")
        stage.window.presenter("chat").open("a")
        stage.hand.click("chat.export")
        ticked = stage.hand.find("export.chats", QListWidget)
        assert [ticked.item(n).checkState().value for n in range(3)].count(2) == 1
        stage.hand.click("export.all")
        stage.hand.click("export.save")
        await save_to(stage, out)

    play(tmp_path / "home", story)
    assert sorted(p.name for p in out.iterdir()) == ["Quotes.md", "Renewal (2).md", "Renewal.md"]


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        stage.window.presenter("chat").open("a")
        dialog(stage, "markdown")
        asked = next(d for d in stage.window.findChildren(QFileDialog) if d.isVisible())
        asked.filesSelected.emit([str(tmp_path / "nowhere" / "a.md")])
        asked.close()
        await stage.hand.until(lambda: "Not exported" in stage.hand.words("chat.exporting"), "it says so")

    play(tmp_path / "home", story)


async def formatted(stage: Stage) -> str:
    """The HTML that a word processor would take, once it is there."""
    clipboard = QGuiApplication.clipboard()
    await stage.hand.until(lambda: clipboard.mimeData().hasHtml(), "it is on the clipboard with its look")
    return clipboard.mimeData().html()


def test_a_reply_is_copied_with_its_look(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        stage.window.presenter("chat").open("a")
        stage.hand.click("transcript.copy")
        assert QGuiApplication.clipboard().text() == REPLY, "at once, for whoever pastes at once"
        assert "<strong>written notice</strong>" in await formatted(stage)
        assert QGuiApplication.clipboard().text() == REPLY
        await stage.hand.until(lambda: "Copied" in stage.hand.words("toast"), "it says so")

    play(tmp_path / "home", story)


def test_what_was_thought_is_copied_alone(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        stage.window.presenter("chat").open("a")
        stage.hand.click("transcript.thinking")
        stage.hand.click("transcript.thinking_copy")
        assert QGuiApplication.clipboard().text() == "Section 17 first."

    play(tmp_path / "home", story)


def test_a_selection_over_messages_is_copied_with_its_look(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        stage.window.presenter("chat").open("a")
        stage.hand.key("chat.transcript", Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        stage.hand.key("chat.transcript", Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        html = await formatted(stage)
        assert QGuiApplication.clipboard().text() == f"How?\n\n{REPLY.strip()}"
        assert html.index("How?") < html.index("<strong>written notice</strong>")

    play(tmp_path / "home", story)


def test_what_is_copied_next_is_not_overwritten(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        copy_rich(stage.window.presenter("chat"), Clip(REPLY))
        QGuiApplication.clipboard().setText("something else")
        await stage.desk.session.tasks.ended("chat.copy")
        assert QGuiApplication.clipboard().text() == "something else"
        assert not QGuiApplication.clipboard().mimeData().hasHtml()

    play(tmp_path / "home", story)
