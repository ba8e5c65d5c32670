"""What an export says beside the words of a chat: how a reply ended, and under which heading it stands."""

from __future__ import annotations

from carrel.model import Reply, StreamError, fold
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from carrel.work.export.telling import Options, Told, ending
from carrel.work.export.texts import markdown_of

PLAIN = "The service gave up on this reply and did not say why."


def failed(content: str, **raw: str) -> Reply:
    return fold(Reply(text="As I was"), StreamError(content, "err_9f31c2", raw=raw, at=1.0))


def message(reply: Reply) -> Message:
    return Message("m", "c", 1, 1, "assistant", 1.0, Draft(), reply)


def test_a_mark_for_programs_is_told_in_words_once() -> None:
    reply = failed("stream_error")
    assert (reply.error, reply.error_code) == (PLAIN, "stream_error")
    assert ending(message(reply)) == f"Failed. {PLAIN} (stream_error · err_9f31c2)"
    assert failed("").error == PLAIN


def test_words_of_the_service_stay() -> None:
    assert failed("Out of tokens.").error == "Out of tokens."
    assert ending(message(failed("Out of tokens."))) == "Failed. Out of tokens. (err_9f31c2)"
    assert failed("stream_error", message="Too long.").error == "Too long."
    assert failed("模型过载").error == "模型过载"


def test_headings_of_a_reply_stand_below_its_speaker() -> None:
    asked = Message("u", "c", 1, 1, "user", 1.0, Draft(text="# my own words"))
    reply = Reply(text="# Answer\n\n```\n# code\n```", thinking="# First", state="complete")
    told = Told(Chat("c", "", "Title", "", 1.0, 1.0), (asked, message(reply)), (), lambda _: "Model")
    text = markdown_of(told, Options())
    assert "\n# my own words\n" in text
    assert "\n### Answer\n\n```\n# code\n```\n" in text
    assert "\n> ### First\n" in text
