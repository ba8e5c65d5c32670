"""Stories of a person who asks again, edits what was asked, and looks at how a reply came."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtWidgets import QLabel
from test_chat import QUESTION, ask, ended, indexed

from stage import Stage, play


def entries(stage: Stage) -> list:
    return stage.hand.find("chat.transcript").entries()


def test_a_regenerated_reply_stands_beside_the_first_and_nothing_is_erased(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        first = entries(stage)[-1]
        await ask(stage, "And how must the notice be delivered?")
        stage.hand.find("chat.transcript").acted.emit(first.id, "again")
        await ended(stage)
        shown = entries(stage)
        assert [e.role for e in shown] == ["user", "assistant", "user", "assistant"]
        assert shown[1].versions == (2, 2)
        stage.hand.find("chat.transcript").acted.emit(shown[1].id, "older")
        await stage.hand.until(lambda: entries(stage)[1].versions == (1, 2), "the first version is shown")
        assert entries(stage)[1].text == first.text
        assert len(entries(stage)) == 4

    play(tmp_path, story)


def test_another_model_can_be_asked_for_the_same_reply(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        stage.hand.find("chat.transcript").acted.emit(entries(stage)[-1].id, "again_with")
        await stage.hand.until(lambda: stage.hand.sees("chat.again_models"), "the models are offered")
        menu = stage.hand.find("chat.again_models")
        brief = next(a for a in menu.actions() if "brief" in a.text().lower())
        brief.trigger()
        menu.close()
        await ended(stage)
        assert entries(stage)[-1].versions == (2, 2)
        assert "brief" in entries(stage)[-1].who.lower()

    play(tmp_path, story)


def test_an_edited_message_begins_a_branch_and_the_old_one_stays(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        await ask(stage, "And how must the notice be delivered?")
        before = [e.text for e in entries(stage)]
        stage.hand.find("chat.transcript").acted.emit(entries(stage)[2].id, "edit")
        assert "Editing an earlier message" in stage.hand.words("chat.editing")
        assert stage.hand.find("chat.composer").toPlainText() == "And how must the notice be delivered?"
        await ask(stage, "Which clause says that?")
        shown = entries(stage)
        assert [e.text for e in shown[:2]] == before[:2]
        assert shown[2].text == "Which clause says that?"
        assert shown[2].versions == (2, 2)
        sent = [json.loads(e.request) for e in stage.desk.session.activity.exchanges if e.stream]
        assert QUESTION in sent[-1]["quoted_text"]
        paths = [e.path for e in stage.desk.session.activity.exchanges if e.stream]
        assert paths[-1] == "/external/conversations"
        stage.hand.find("chat.transcript").acted.emit(shown[2].id, "older")
        await stage.hand.until(lambda: [e.text for e in entries(stage)] == before, "the old branch is shown whole")
        await ask(stage, "And who signs it?")
        assert len(entries(stage)) == 6
        continued = [e.path for e in stage.desk.session.activity.exchanges if e.stream][-1]
        assert continued.startswith("/external/conversations/")

    play(tmp_path, story)


def test_the_details_say_when_what_came(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await ask(stage, QUESTION)
        stage.hand.find("chat.transcript").acted.emit(entries(stage)[-1].id, "details")
        await stage.hand.until(lambda: stage.hand.sees("chat.details"), "the details are shown")
        said = [label.text() for label in stage.hand.find("chat.details").findChildren(QLabel)]
        assert "First word" in said
        assert "conversation_id" in said
        assert any(text.startswith("after ") for text in said)
        stage.hand.find("chat.details").accept()

    play(tmp_path, story)
