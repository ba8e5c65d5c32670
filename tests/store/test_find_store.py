"""The index of words: it follows what is written, changed and deleted, and finds in every script."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from carrel.store.db import Database, open_database
from carrel.store.finding import MOST_OF_ONE, FindStore, match_of


@pytest_asyncio.fixture
async def db(tmp_path: Path) -> AsyncIterator[Database]:
    opened, _ = open_database(tmp_path / "carrel.sqlite", tmp_path / "backups")
    yield opened
    await opened.close()


@pytest.fixture
def store(db: Database) -> FindStore:
    return FindStore(db, "me")


async def add_chat(db: Database, chat_id: str, title: str = "A chat", account: str = "me") -> None:
    await db.execute(
        "INSERT INTO chats (id, account, title, created_at, updated_at) VALUES (?, ?, ?, 1, 1)",
        (chat_id, account, title),
    )


async def say(db: Database, chat_id: str, text: str, thinking: str = "", *, turn: int = 1, role: str = "user") -> str:
    message_id = f"{chat_id}-{turn}-{role}"
    await db.execute(
        "INSERT INTO messages (id, chat_id, turn, role, text, thinking, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (message_id, chat_id, turn, role, text, thinking, float(turn)),
    )
    return message_id


async def add_run(db: Database, run_id: str, prompt: str, output: str | None) -> None:
    await db.execute(
        "INSERT INTO agent_runs (id, account, title, request, state, started_at) VALUES (?, 'me', ?, ?, 'running', 1)",
        (run_id, prompt[:20], json.dumps({"prompt": prompt})),
    )
    if output is not None:
        await db.execute(
            "UPDATE agent_runs SET state = 'done', result = ? WHERE id = ?", (json.dumps({"output": output}), run_id)
        )


async def ids(store: FindStore, words: str) -> list[str]:
    return [hit.message_id for hit in (await store.everywhere(words)).messages]


async def test_all_words_must_be_there_each_as_the_beginning_of_a_word(db: Database, store: FindStore) -> None:
    await add_chat(db, "a")
    held = await say(db, "a", "The renewal of the harbour lease is due in March.")
    await say(db, "a", "The harbour is closed.", turn=2)
    assert await ids(store, "renew lease") == [held]
    assert await ids(store, "LEASE harbour") == [held]
    assert await ids(store, "newal") == []


async def test_a_phrase_in_quotes_stands_as_it_is(db: Database, store: FindStore) -> None:
    await add_chat(db, "a")
    held = await say(db, "a", "by hand or by recorded post")
    await say(db, "a", "recorded by hand at the post", turn=2)
    assert await ids(store, '"recorded post"') == [held]


async def test_accents_do_not_hide_a_word(db: Database, store: FindStore) -> None:
    await add_chat(db, "a")
    held = await say(db, "a", "Die Kündigung der Straße")
    assert await ids(store, "kundigung") == [held]


async def test_the_snippet_marks_what_was_found(db: Database, store: FindStore) -> None:
    await add_chat(db, "a", "Leases")
    await say(db, "a", "x " * 200 + "Serve written notice on the landlord. " + "y " * 200, role="assistant")
    [hit] = (await store.everywhere("notice landlord")).messages
    marked = [hit.snippet.text[start : start + length] for start, length in hit.snippet.marks]
    assert marked == ["notice", "landlord"]
    assert len(hit.snippet.text) < 250
    assert (hit.title, hit.role, hit.where) == ("Leases", "assistant", "text")


async def test_thinking_is_found_and_told_as_such(db: Database, store: FindStore) -> None:
    await add_chat(db, "a")
    await say(db, "a", "Yes.", "Section 17 covers notices.", role="assistant")
    [hit] = (await store.everywhere("section")).messages
    assert hit.where == "thinking"
    assert "Section" in hit.snippet.text


async def test_a_reply_is_found_once_it_is_written(db: Database, store: FindStore) -> None:
    await add_chat(db, "a")
    message_id = await say(db, "a", "", role="assistant")
    assert await ids(store, "freight") == []
    await db.execute("UPDATE messages SET text = 'Both quotes exclude freight.' WHERE id = ?", (message_id,))
    assert await ids(store, "freight") == [message_id]
    await db.execute("UPDATE messages SET text = 'Both quotes include transport.' WHERE id = ?", (message_id,))
    assert await ids(store, "freight") == []
    assert await ids(store, "transport") == [message_id]


async def test_deleted_chats_and_other_accounts_are_not_searched(db: Database, store: FindStore) -> None:
    for chat_id, account in (("a", "me"), ("b", "me"), ("c", "someone else")):
        await add_chat(db, chat_id, "Freight", account)
        await say(db, chat_id, "freight")
    await db.execute("UPDATE chats SET deleted_at = 5 WHERE id = 'b'")
    found = await store.everywhere("freight")
    assert [h.chat_id for h in found.messages] == ["a"]
    assert [h.chat_id for h in found.chats] == ["a"]
    await db.execute("DELETE FROM chats WHERE id = 'a'")
    assert not await store.everywhere("freight")
    await db.execute("INSERT INTO message_words (message_words, rank) VALUES ('integrity-check', 1)")


async def test_a_long_chat_does_not_hide_the_others(db: Database, store: FindStore) -> None:
    for chat_id in ("short", "long"):
        await add_chat(db, chat_id)
    held = await say(db, "short", "freight")
    for turn in range(100):
        await say(db, "long", f"freight number {turn}", turn=turn)
    found = await store.everywhere("freight")
    assert [h.chat_id for h in found.messages].count("long") == MOST_OF_ONE
    assert found.messages[-1].message_id == held
    assert dict(found.counts) == {"long": 100, "short": 1}


async def test_what_agents_were_asked_and_gave_is_found(db: Database, store: FindStore) -> None:
    await add_run(db, "r1", "Compare the supplier quotes", "Acme is cheaper; both exclude freight.")
    await add_run(db, "r2", "List the freight terms", None)
    found = await store.everywhere("freight")
    assert [(r.run_id, "freight" in r.snippet.text) for r in found.runs] == [("r2", True), ("r1", True)]
    assert [r.run_id for r in (await store.everywhere("supplier")).runs] == ["r1"]
    await db.execute("DELETE FROM agent_runs WHERE id = 'r1'")
    assert [r.run_id for r in (await store.everywhere("freight")).runs] == ["r2"]


async def test_scripts_without_spaces_are_found_in_the_middle_of_a_run(db: Database, store: FindStore) -> None:
    await add_chat(db, "a")
    held = await say(db, "a", "この契約は三月に更新されます。")
    await say(db, "a", "契約は終わりです。", turn=2)
    await add_run(db, "r", "契約を比べる", "更新の条件")
    assert await ids(store, "更新") == [held]
    [hit] = (await store.everywhere("契約 更新")).messages
    assert [hit.snippet.text[s : s + n] for s, n in hit.snippet.marks] == ["契約", "更新"]
    assert [r.run_id for r in (await store.everywhere("更新")).runs] == ["r"]
    assert await ids(store, "更") == [held]


@pytest.mark.parametrize("words", ['"', "a", "*", "AND", "NEAR(x y)", "a:b", "text : x", "(", '""', "x*y^", "--"])
async def test_no_words_break_the_search(db: Database, store: FindStore, words: str) -> None:
    await add_chat(db, "a")
    await say(db, "a", "plain words")
    assert not await store.everywhere(words)


def test_one_letter_is_not_looked_for() -> None:
    assert match_of("a") == ""
    assert match_of("ab c") == '"ab"* AND "c"*'


async def test_all_texts_of_a_chat(db: Database, store: FindStore) -> None:
    await add_chat(db, "a")
    asked, answered = await say(db, "a", "Why?"), await say(db, "a", "So.", "Hm.", role="assistant")
    assert await store.texts("a") == {asked: ("Why?", ""), answered: ("So.", "Hm.")}
