"""Two models side by side, in one stream and in two conversations, over the real built-in service."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from carrel.model.draft import Comparison, Draft
from carrel.store.chats import Message
from carrel.store.memory import UNKEPT
from carrel.work.session import Session
from running import RunningService, built_in_service
from sessions import account_of, open_session, until

Way = Literal["stream", "conversations"]
BOTH: tuple[Way, ...] = ("stream", "conversations")
QUESTION = "When does the Harbour Street lease expire?"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    folder = tmp_path_factory.mktemp("service")
    with built_in_service(folder, "--samples", "--pace", "600", "--rate-limit", "100000") as running:
        yield running


@pytest.fixture
def slow_service(tmp_path: Path) -> Iterator[RunningService]:
    """For what comes in the middle of a reply."""
    with built_in_service(tmp_path / "service", "--samples", "--pace", "60", "--rate-limit", "100000") as running:
        yield running


async def models_of(session: Session) -> tuple[str, str]:
    await session.models.load()
    first, second, *_ = [m.id for m in session.models.all if m.is_available]
    return first, second


async def compare(session: Session, way: Way, chat_id: str = "", text: str = QUESTION) -> str:
    draft = Draft(text=text, comparison=Comparison(models=await models_of(session), way=way))
    return await session.chats.send(chat_id, draft)


async def ended(session: Session, chat_id: str) -> None:
    await until(lambda: not session.chats.is_streaming(chat_id), "both replies have ended")
    await session.tasks.ended(f"reply:{chat_id}")


def sides(session: Session, chat_id: str) -> tuple[Message, Message]:
    left, right = session.chats.compared(chat_id)
    return left, right


@pytest.mark.parametrize("way", BOTH)
async def test_both_models_answer_and_each_has_its_reply(service: RunningService, tmp_path: Path, way: Way) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await compare(session, way)
        assert session.chats.is_streaming(chat_id)
        await ended(session, chat_id)
        left, right = sides(session, chat_id)
        assert (left.draft.model, right.draft.model) == await models_of(session)
        assert [m.reply.state for m in (left, right)] == ["complete", "complete"]
        assert all(m.reply.text and m.reply.message_id for m in (left, right))
        assert left.reply.message_id != right.reply.message_id
        alike = left.reply.conversation_id == right.reply.conversation_id
        assert alike == (way == "stream")
        assert [line.compared for line in session.chats.lines()] == [True]
        for message in (left, right):
            told = await session.chats.events(message.id)
            assert "".join(e.raw["content"] for e in told if e.name == "content") == message.reply.text
        paths = [e.path for e in session.activity.exchanges if e.stream]
        assert len(paths) == (1 if way == "stream" else 2)


@pytest.mark.parametrize("way", BOTH)
@pytest.mark.parametrize("chosen", [0, 1])
async def test_the_kept_one_goes_on_and_the_other_stays_a_version(
    service: RunningService, tmp_path: Path, way: Way, chosen: int
) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await compare(session, way)
        await ended(session, chat_id)
        both = sides(session, chat_id)
        await session.chats.keep(both[chosen].id)
        assert session.chats.compared(chat_id) == ()
        versions = session.chats.versions(both[0])
        assert [(m.id, m.version, m.pair) for m in versions] == [
            (both[1 - chosen].id, 1, "other"),
            (both[chosen].id, 2, "kept"),
        ]
        assert session.chats.outline(chat_id)[-1].id == both[chosen].id
        chat = session.chats.chat(chat_id)
        assert chat.conversation_id == both[chosen].reply.conversation_id
        assert session.chats.draft(chat_id).model == both[chosen].draft.model
        await session.chats.send(chat_id, Draft(text="And who is the landlord?", model=both[chosen].draft.model))
        await ended(session, chat_id)
        last = session.chats.message(session.chats.outline(chat_id)[-1].id)
        assert last.reply.state == "complete"
        assert last.reply.conversation_id == both[chosen].reply.conversation_id


@pytest.mark.parametrize("way", BOTH)
async def test_stop_stops_both(slow_service: RunningService, tmp_path: Path, way: Way) -> None:
    async with open_session(tmp_path, account_of(slow_service)) as session:
        chat_id = await compare(session, way, text="Write a long report about every contract, please.")
        assert session.chats.stop(chat_id)
        await ended(session, chat_id)
        assert [m.reply.state for m in sides(session, chat_id)] == ["stopped", "stopped"]
        assert not session.chats.stop(chat_id)


async def test_one_that_fails_leaves_the_other_whole(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        model, _ = await models_of(session)
        compared = Comparison(models=(model, "no-such-model"), way="conversations")
        chat_id = await session.chats.send("", Draft(text=QUESTION, comparison=compared))
        await ended(session, chat_id)
        left, right = sides(session, chat_id)
        assert (left.reply.state, right.reply.state) == ("complete", "failed")
        assert right.reply.error
        await session.chats.keep(left.id)
        assert session.chats.chat(chat_id).conversation_id == left.reply.conversation_id


async def test_a_further_comparison_takes_along_what_was_said(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await session.chats.send("", Draft(text=QUESTION))
        await ended(session, chat_id)
        begun = session.chats.chat(chat_id).conversation_id
        await compare(session, "conversations", chat_id, "And who is the landlord?")
        await ended(session, chat_id)
        left, right = sides(session, chat_id)
        assert left.reply.conversation_id == begun
        assert right.reply.conversation_id not in {"", begun}
        assert session.chats.chat(chat_id).conversation_id == begun
        assert right.draft.quoted_text == "", "what was kept is what the person sent"
        await session.chats.keep(right.id)
        assert session.chats.chat(chat_id).conversation_id == right.reply.conversation_id


@pytest.mark.parametrize("prefix", ["", UNKEPT], ids=["kept", "not kept"])
@pytest.mark.parametrize("side", [0, 1])
async def test_the_one_that_is_asked_again_takes_the_side_of_the_former(
    service: RunningService, tmp_path: Path, side: int, prefix: str
) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        comparison = Comparison(models=await models_of(session), way="conversations")
        chat_id = await session.chats.send("", Draft(text=QUESTION, comparison=comparison), kept=not prefix)
        assert chat_id.startswith(prefix)
        await ended(session, chat_id)
        before = sides(session, chat_id)
        for _ in range(2):
            former = sides(session, chat_id)[side]
            await session.chats.ask_again(former.id)
            await ended(session, chat_id)
            now = sides(session, chat_id)
            assert now[1 - side].id == before[1 - side].id
            assert now[side].id != former.id
            assert now[side].reply.state == "complete"
            assert now[side].draft.model == former.draft.model
            assert now[side].reply.conversation_id == former.reply.conversation_id
        versions = session.chats.versions(now[0])
        assert [m.version for m in versions] == [1, 2, 3, 4]
        assert [m.pair for m in versions] == ["other", "other", "open", "open"]


async def test_a_message_in_line_waits_until_one_is_kept(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        chat_id = await compare(session, "stream")
        await session.line.add(chat_id, Draft(text="Next"))
        await ended(session, chat_id)
        await until(lambda: not session.line.is_going(chat_id), "the line is held")
        left, right = sides(session, chat_id)
        await session.chats.ask_again(left.id)
        await ended(session, chat_id)
        assert [w.draft.text for w in session.line.of(chat_id)] == ["Next"]
        await session.chats.keep(right.id)
        await until(lambda: session.chats.outline(chat_id)[-1].turn == 2, "it was sent")
        await ended(session, chat_id)
        assert session.line.of(chat_id) == []


async def test_what_a_crash_leaves_open_is_recovered_on_both_sides(
    slow_service: RunningService, tmp_path: Path
) -> None:
    async with open_session(tmp_path, account_of(slow_service)) as session:
        chat_id = await compare(session, "stream", text="Write a long report about every contract, please.")
        await until(lambda: all(m.reply.text for m in sides(session, chat_id)), "both write")
        shown = [m.reply.text for m in sides(session, chat_id)]
        await session.chats.recover()  # as the next start does: what is open by the store's word is interrupted
        stored = [session.chats._store.of(m.id).message(m.id).reply for m in sides(session, chat_id)]
        assert [r.state for r in stored] == ["interrupted", "interrupted"]
        assert all(r.text.startswith(text) for r, text in zip(stored, shown, strict=True))
        session.chats.stop(chat_id)
        await ended(session, chat_id)


async def test_an_unkept_comparison_stays_in_memory(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        draft = Draft(text=QUESTION, comparison=Comparison(models=await models_of(session)))
        chat_id = await session.chats.send("", draft, kept=False)
        assert chat_id.startswith(UNKEPT)
        await ended(session, chat_id)
        _, right = sides(session, chat_id)
        await session.chats.keep(right.id)
        assert session.chats.compared(chat_id) == ()
        assert session.context.db.row("SELECT count(*) AS n FROM messages")["n"] == 0


async def test_the_earlier_interface_compares_in_two_conversations(service: RunningService, tmp_path: Path) -> None:
    async with open_session(tmp_path, account_of(service, "earlier")) as session:
        chat_id = await compare(session, "conversations")
        await ended(session, chat_id)
        left, right = sides(session, chat_id)
        assert [m.reply.state for m in (left, right)] == ["complete", "complete"]
        assert left.reply.conversation_id != right.reply.conversation_id
        chat_id = await compare(session, "stream")
        await ended(session, chat_id)
        assert {m.reply.state for m in sides(session, chat_id)} == {"failed"}
