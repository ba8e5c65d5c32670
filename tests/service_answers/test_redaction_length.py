"""Redaction takes time by the length of a text, not by its square, and never the time of the service's loop."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path

import pytest

from carrel_service.agent_loop import Agent
from carrel_service.agent_tools import Tools
from carrel_service.agents import AgentRequest, run_agent
from carrel_service.asking import Metadata
from carrel_service.context import Service, open_service
from carrel_service.conversations import Message, new
from carrel_service.db import Database
from carrel_service.prompts import grounded
from carrel_service.redaction.conversation import Redaction
from carrel_service.redaction.redactor import Numbered, Redactor
from carrel_service.redaction.streaming import StreamRedactor
from carrel_service.redaction.tokens import SCHEMA, KeptTokens
from carrel_service.replies import redacted
from carrel_service.settings import Settings
from carrel_service.turn import Content, Piece, Thinking, Turn

LONG = 120_000
ENOUGH = 5.0
"""Seconds of this process; the square of the length takes a minute of them, the length a tenth of one."""

HARD = {
    "letters": "a" * LONG,
    "a scheme": "a." * (LONG // 2),
    "dashes": "A-" * (LONG // 2),
    "a name far away": "Name" + " " * LONG + "2",
    "an account far away": "account" + " #" * (LONG // 2),
    "a passport far away": "passport" + " #" * (LONG // 2),
    "much to find": "a1@b.co " * (LONG // 4),
}


def cost(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


@pytest.mark.parametrize("name", HARD)
def test_no_text_takes_the_square_of_its_length(name: str) -> None:
    assert cost(lambda: Redactor().redact(HARD[name], Numbered())) < ENOUGH


@pytest.mark.parametrize(
    "text", ["a" * LONG, "word, " * (LONG // 6), "-----BEGIN PRIVATE KEY-----\n" + "MII abc\n" * 9000]
)
def test_nor_does_a_stream_that_must_hold_it(text: str) -> None:
    def stream() -> None:
        told = StreamRedactor(Redactor(), Numbered())
        for at in range(0, len(text), 6):
            told.feed(text[at : at + 6])
        told.end()

    assert cost(stream) < ENOUGH


def test_a_new_token_reads_no_list_of_the_former_ones(tmp_path: Path) -> None:
    """Counted by the steps that SQLite takes, which the speed of a machine does not change."""
    db = Database(tmp_path / "tokens.sqlite", [("tokens", SCHEMA)])
    tokens = KeptTokens(db, "one")
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    for number in range(300):
        tokens("EMAIL", f"{number}@example.org")
    with db.write() as connection:
        connection.set_progress_handler(count, 1)
    assert tokens("EMAIL", "new@example.org") == "[EMAIL_301]"
    assert KeptTokens(db, "one")("EMAIL", "7@example.org") == "[EMAIL_8]"
    assert steps < 300
    db.close()


class OffTheLoop:
    """A redaction that tells whether it was ever asked on the loop's own thread, and how often elsewhere."""

    def __init__(self) -> None:
        self.elsewhere = 0
        self._numbered = Numbered()

    def __call__(self, kind: str, text: str) -> str:
        assert threading.current_thread() is not threading.main_thread()
        self.elsewhere += 1
        return self._numbered(kind, text)


SAID = "Anna Berg wrote to anna@example.org."


@pytest.fixture
def token() -> OffTheLoop:
    return OffTheLoop()


@pytest.fixture
def turn(token: OffTheLoop) -> Turn:
    return Turn(question=SAID, redact=Redaction(Redactor(), token))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = open_service(tmp_path, "http://127.0.0.1:1", Settings(tmp_path, pace=0))
    yield made
    made.close()


async def test_a_reply_is_redacted_off_the_loop(token: OffTheLoop) -> None:
    async def pieces() -> AsyncGenerator[Piece, None]:
        yield Thinking(f"{SAID}\n")
        yield Content(f"{SAID}\n")

    told = [piece async for piece in redacted(pieces(), Redaction(Redactor(), token))]
    assert told == [Thinking("[PERSON_1] wrote to [EMAIL_1].\n"), Content("[PERSON_1] wrote to [EMAIL_1].\n")]
    assert token.elsewhere == 4


async def test_so_is_what_a_model_is_asked(token: OffTheLoop, turn: Turn, service: Service) -> None:
    messages, _ = await grounded(service, turn)
    assert messages[-1]["content"] == "[PERSON_1] wrote to [EMAIL_1]."
    assert token.elsewhere == 2


async def test_so_is_what_an_agent_is_asked(token: OffTheLoop, turn: Turn, service: Service) -> None:
    class Own:
        def __init__(self) -> None:
            self.service = service
            self.id = "own"
            self.asked: list[dict] = []

        async def complete(self, request: dict) -> dict:
            self.asked += request["messages"]
            return {"content": "Done."}

    own = Own()
    assert [piece async for piece in Agent(own).answer(turn)]
    assert own.asked[-1]["content"] == "[PERSON_1] wrote to [EMAIL_1]."
    assert token.elsewhere == 2


async def test_so_is_what_a_tool_tells_and_writes(token: OffTheLoop, turn: Turn, service: Service) -> None:
    tools = Tools(service, turn)
    service.library.text = lambda _: SAID
    file = service.library.add_document("letter.txt", SAID.encode())
    assert await tools.use("read_file", f'{{"file": "{file}"}}') == "[PERSON_1] wrote to [EMAIL_1]."
    assert (await tools.use("write_file", '{"name": "a.txt", "content": "Anna Berg"}')).startswith("Written")
    assert token.elsewhere == 3


@pytest.mark.parametrize("route", ["conversation", "agent"])
async def test_so_is_what_the_person_says(
    route: str, token: OffTheLoop, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is redacted before it is kept; the model then refuses, and there it ends."""
    made = Redaction(Redactor(), token)
    monkeypatch.setattr(f"carrel_service.{route}s.redaction_of", lambda *_: made)

    class Seen(Exception):
        """The message has been kept."""

    def seen(*_: object) -> None:
        raise Seen

    monkeypatch.setattr("carrel_service.conversation_store.Conversations.create", seen)

    async def one(*_: object) -> object:
        return type("Model", (), {"id": "own"})()

    monkeypatch.setattr(f"carrel_service.{route}s.choose", one)
    metadata = Metadata(redact_pii=True)

    async def ask() -> None:
        if route == "agent":
            await run_agent(AgentRequest(prompt=SAID, additional_metadata=metadata), service)
        else:
            await anext(new(service, Message(content=SAID, additional_metadata=metadata)))

    with pytest.raises(Seen):
        await ask()
    assert token.elsewhere == 2
