"""Stories of a person who chats over the earlier interface, where replies come whole and tell what was redacted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_chat import ended

from carrel.ui.theme import theme
from running import RunningService, built_in_service
from sessions import account_of
from stage import Stage, play

FIRST = "Please write to Dr. Helen Marsh, helen.marsh@example.com, about the Harbour Street lease."
SECOND = "When does the Harbour Street lease expire?"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service"), "--samples", "--pace", "0") as running:
        yield running


async def enter(stage: Stage, service: RunningService) -> None:
    await stage.desk.add_account(account_of(service, "earlier"))
    await stage.hand.until(lambda: stage.hand.sees("chat.composer"), "the account is open")


async def ask(stage: Stage, text: str) -> None:
    """Type, send, and wait for the reply, which comes whole."""
    stage.hand.type("chat.composer", text)
    stage.hand.click("chat.send")
    await ended(stage)


def last(stage: Stage):
    return stage.hand.find("chat.transcript").entries()[-1]


def test_only_what_the_interface_takes_is_offered(tmp_path: Path, service: RunningService) -> None:
    async def story(stage: Stage) -> None:
        await enter(stage, service)
        for name in ("chat.think", "chat.web_search", "chat.agentic_mode", "chat.redact_pii", "chat.attach"):
            assert not stage.hand.sees(name), name
        assert stage.hand.sees("chat.compare")
        stage.hand.click("chat.compare")
        await stage.hand.until(lambda: stage.hand.sees("chat.comparing"), "the popover is open")
        assert not stage.hand.sees("chat.comparing.way")
        stage.hand.find("chat.comparing").close()

    play(tmp_path, story, built_in=False)


def test_redacted_and_original_stand_side_by_side_with_what_was_found(tmp_path: Path, service: RunningService) -> None:
    async def story(stage: Stage) -> None:
        await enter(stage, service)
        await ask(stage, FIRST)
        assert [a[0] for a in last(stage).actions][-1] == "redaction"
        stage.hand.click("transcript.redaction")
        await stage.hand.until(lambda: stage.hand.sees("chat.redaction"), "the redaction is shown")
        redacted = stage.hand.words("chat.redaction.text_redacted")
        assert stage.hand.words("chat.redaction.text_original") == FIRST
        assert "helen.marsh@example.com" not in redacted
        assert "Harbour Street" in redacted
        items = stage.hand.find("chat.redaction.items")
        found = [items.item(n, 0).text() for n in range(items.rowCount())]
        assert "helen.marsh@example.com" in found
        assert f"Found: {len(found)}" in stage.hand.words("chat.redaction")
        stage.hand.click("chat.redaction.original")
        assert not stage.hand.sees("chat.redaction.text_redacted")
        stage.hand.click("chat.redaction.both")
        assert stage.hand.sees("chat.redaction.text_redacted")
        stage.hand.click("chat.redaction.close")

    play(tmp_path, story, built_in=False)


def test_a_related_question_fills_the_composer(tmp_path: Path, service: RunningService) -> None:
    async def story(stage: Stage) -> None:
        await enter(stage, service)
        await ask(stage, FIRST)
        await ask(stage, SECOND)
        questions = last(stage).questions
        assert questions, "the service offered questions"
        stage.hand.click("transcript.question")
        assert stage.hand.find("chat.composer").toPlainText() == questions[0]
        stage.hand.click("chat.send")
        await ended(stage)
        chats = stage.desk.session.chats
        [chat] = chats.all()
        replies = [m.reply for m in chats.messages(chat.id) if m.role == "assistant"]
        assert [r.state for r in replies] == ["complete"] * 3
        assert len({r.conversation_id for r in replies}) == 1

    play(tmp_path, story, built_in=False)


def test_a_quote_and_an_edit_send_nothing_that_the_interface_refuses(tmp_path: Path, service: RunningService) -> None:
    async def story(stage: Stage) -> None:
        await enter(stage, service)
        await ask(stage, SECOND)
        stage.hand.click("transcript.quote")
        assert stage.hand.find("chat.composer").toPlainText().startswith("> ")
        await ask(stage, "And who is the landlord?")
        stage.hand.find("chat.transcript").acted.emit(stage.hand.find("chat.transcript").entries()[2].id, "edit")
        await ask(stage, "And who is the tenant?")
        assert last(stage).tag == ""
        assert last(stage).text

    play(tmp_path, story, built_in=False)


@pytest.fixture(autouse=True)
def light() -> Iterator[None]:
    yield
    theme.choose("light", 0)
