"""The chat's stream: its events, their order and payloads, and answers made of the documents' own sentences."""

import re

import httpx
import pytest

from answer_documents import FILES
from streamed import Streamed, chat

ALL_TEXT = " ".join(" ".join(content.decode().split()) for content in FILES.values())


def quoted(text: str) -> list[str]:
    """The sentences that an answer quotes, without their file names."""
    lines = [line.removeprefix("- ") for line in text.splitlines() if line.strip() and not line.startswith("|")]
    return [re.sub(r"\s*\*\(.*\)\*$", "", line).replace("\\", "") for line in lines]


def test_events_come_in_the_documented_order(client: httpx.Client) -> None:
    told = chat(client, "What is the annual rent?")
    assert told.names == ["stream_meta", "conversation_created", "message_start", "content", "done"]
    assert set(told.payload("stream_meta")) == {"run_id", "conversation_id"}
    assert told.payload("conversation_created") == {"conversation_id": told.conversation_id}
    assert set(told.payload("message_start")) == {"message_id", "user_message_id"}
    done = told.payload("done")
    assert done["conversation_id"] == told.conversation_id
    assert done["message_id"] == told.payload("message_start")["message_id"]
    assert done["model"] == "reader"
    assert told.count("content") > 5


def test_a_continued_conversation_is_not_created_again(client: httpx.Client) -> None:
    first = chat(client, "What is the annual rent?")
    second = chat(client, "And the deposit?", first.conversation_id)
    assert second.conversation_id == first.conversation_id
    assert second.names == ["stream_meta", "message_start", "content", "done"]
    assert "21,000 pounds" in second.text()


def test_an_answer_holds_only_sentences_of_the_documents(client: httpx.Client) -> None:
    told = chat(client, "By when must notice to renew be served?")
    assert "30 September 2027" in told.text()
    assert "*(harbour-lease.md)*" in told.text()
    assert [sentence for sentence in quoted(told.text()) if sentence not in ALL_TEXT] == []
    assert told.payload("done")["sources"][0]["file_name"] == "harbour-lease.md"


def test_what_the_documents_do_not_say_is_not_answered(client: httpx.Client) -> None:
    told = chat(client, "Which violin strings suit a beginner?")
    assert told.text() == "Nothing in the documents of the library answers this."
    assert told.payload("done")["sources"] == []


def test_a_table_answers_with_the_row_that_was_asked_for(client: httpx.Client) -> None:
    told = chat(client, "What are the figures of North in Q3?")
    assert "| North | 423800 | 439200 | 462000 |" in told.text()
    assert "| South" not in told.text()


def test_thinking_is_sent_only_when_asked_for_and_tells_what_was_done(client: httpx.Client) -> None:
    told = chat(client, "What is the annual rent?", additional_metadata={"think": True})
    assert told.names == ["stream_meta", "conversation_created", "message_start", "thinking", "content", "done"]
    thinking = told.text("thinking")
    assert "annual, rent" in thinking
    assert "harbour-lease.md" in thinking
    kept = re.search(r"Kept (\d+) of (\d+) sentences", thinking)
    assert kept is not None
    assert int(kept[1]) == len(quoted(told.text()))


@pytest.mark.parametrize("field", ["document_ids", "file_ids"])
def test_only_the_files_that_were_named_are_read(client: httpx.Client, ids: dict[str, str], field: str) -> None:
    told = chat(client, "What is the annual rent?", **{field: [ids["supplier-quotes.txt"]]})
    assert told.text() == "Nothing in these documents answers this."
    told = chat(client, "What is the annual rent?", **{field: [ids["harbour-lease.md"]]})
    assert "84,000 pounds" in told.text()


def test_a_conversation_keeps_its_documents_until_others_are_named(client: httpx.Client, ids: dict[str, str]) -> None:
    first = chat(client, "What does Acme ask?", document_ids=[ids["supplier-quotes.txt"]])
    second = chat(client, "What is the annual rent of Harbour Street?", first.conversation_id)
    assert second.text() == "Nothing in these documents answers this."
    third = chat(client, "What is the annual rent?", first.conversation_id, document_ids=[ids["harbour-lease.md"]])
    assert "84,000" in third.text()


def test_a_follow_up_is_read_with_the_question_before_it(client: httpx.Client) -> None:
    alone = chat(client, "And Brill?")
    first = chat(client, "How long does Acme take to deliver housings?")
    followed = chat(client, "And Brill?", first.conversation_id, additional_metadata={"think": True})
    assert "housings" in followed.text("thinking")
    assert "nine weeks" in followed.text()
    assert followed.text() != alone.text()


def test_a_quotation_is_read_with_the_question(client: httpx.Client) -> None:
    told = chat(client, "How much is that?", quoted_text="The annual rent of Harbour Street")
    assert "84,000 pounds" in told.text()


def test_the_brief_reader_says_less(client: httpx.Client) -> None:
    question = "What do the quotes say about housings, freight and delivery?"
    long, brief = chat(client, question), chat(client, question, model="reader-brief")
    assert brief.payload("done")["model"] == "reader-brief"
    assert 0 < len(quoted(brief.text())) <= 2 < len(quoted(long.text()))


def test_preferences_for_style_change_the_length(client: httpx.Client) -> None:
    question = "What do the quotes say about housings, freight and delivery?"
    brief = chat(client, question, additional_metadata={"preferences": {"output_style": "brief", "tones": ["warm"]}})
    assert len(quoted(brief.text())) < len(quoted(chat(client, question).text()))


def test_in_steps_every_question_of_a_message_is_answered(client: httpx.Client) -> None:
    question = "What is the annual rent? What does Brill ask for each housing?"
    told = chat(client, question, additional_metadata={"agentic_mode": True, "think": True})
    assert "**What is the annual rent?**" in told.text()
    assert "**What does Brill ask for each housing?**" in told.text()
    assert "84,000" in told.text()
    assert "7.95" in told.text()
    assert told.text("thinking").count("Looking for") == 2


def test_side_by_side_carries_message_ids_and_one_done(client: httpx.Client) -> None:
    metadata = {"side_by_side": True, "models": ["reader", "reader-brief"]}
    told = chat(client, "What do the quotes say about housings, freight and delivery?", additional_metadata=metadata)
    started = [payload for name, payload in told.events if name == "message_start"]
    assert [payload["model"] for payload in started] == ["reader", "reader-brief"]
    assert len({payload["user_message_id"] for payload in started}) == 1
    texts = [told.text(message_id=payload["message_id"]) for payload in started]
    assert 0 < len(texts[1]) < len(texts[0])
    done = told.payload("done")
    assert told.count("done") == 1
    assert [message["message_id"] for message in done["messages"]] == [p["message_id"] for p in started]


def test_a_document_that_is_still_read_is_said_to_be(client: httpx.Client) -> None:
    slow = b"The zephyr gauge is cleaned twice a year. " * 3_000
    file_id = client.post("/external/upload", files=[("files", ("slow.txt", slow))]).json()["data"][0]["id"]
    told = chat(client, "How often is the zephyr gauge cleaned?", document_ids=[file_id])
    assert "slow.txt* is still being indexed" in told.text() or "twice a year" in told.text()


def everything(told: Streamed) -> str:
    return told.text() + told.text("thinking") + str(told.events)


def test_redaction_hides_what_is_sensitive_in_the_reply_and_keeps_tokens(client: httpx.Client) -> None:
    metadata = {"redact_pii": True, "think": True}
    first = chat(client, "Who signs for the tenant, is it Anna Berg?", additional_metadata=metadata)
    token = re.search(r"\[PERSON_\d+\]", first.text())
    assert token is not None
    assert "Anna" not in everything(first)
    second = chat(client, "Which company card expires?", first.conversation_id, additional_metadata=metadata)
    assert "[CARD_1]" in second.text()
    assert "4111 1111" not in everything(second)
    third = chat(client, "Who signs for the tenant?", first.conversation_id, additional_metadata=metadata)
    assert token[0] in third.text()
