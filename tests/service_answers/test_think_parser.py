"""Reasoning told from the answer, in every shape that servers send, cut at any place."""

from typing import Any

import pytest

from carrel_service.think import ThinkParser
from carrel_service.turn import Content, Thinking

TAGGED = "<think>\nplan a < b\n</think>\n\nAnswer: use <b> tags & 1 < 2."


def read(deltas: list[dict[str, Any]], *, inside: bool = False) -> tuple[str, str]:
    parser = ThinkParser(inside=inside)
    pieces = [piece for delta in deltas for piece in parser.feed(delta)] + list(parser.end())
    thinking = "".join(piece.text for piece in pieces if isinstance(piece, Thinking))
    return thinking, "".join(piece.text for piece in pieces if isinstance(piece, Content))


def cut(text: str, size: int) -> list[dict[str, Any]]:
    return [{"content": text[i : i + size]} for i in range(0, len(text), size)]


@pytest.mark.parametrize("size", range(1, len(TAGGED) + 1))
def test_a_leading_tag_is_reasoning_wherever_it_is_cut(size: int) -> None:
    assert read(cut(TAGGED, size)) == ("\nplan a < b\n", "Answer: use <b> tags & 1 < 2.")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
def test_a_field_of_its_own_is_believed(field: str) -> None:
    deltas = [{"content": "", field: "We"}, {"content": None, field: " need"}, {"content": "Hi <think>"}]
    assert read(deltas) == ("We need", "Hi <think>")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_a_tag_within_an_answer_is_part_of_it(size: int) -> None:
    text = "plain answer with a literal <think> tag and </think> too"
    assert read(cut(text, size)) == ("", text)


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_a_template_may_have_opened_the_tag_itself(size: int) -> None:
    assert read(cut("hmm\n</think>\nyes", size), inside=True) == ("hmm\n", "yes")
    assert read(cut("<think>hmm</think>yes", size), inside=True) == ("hmm", "yes")


def test_an_answer_taken_for_reasoning_is_given_as_the_answer_in_the_end() -> None:
    assert read(cut("It never closed.", 4), inside=True)[1] == "It never closed."


def test_reasoning_that_is_cut_off_stays_reasoning() -> None:
    assert read(cut("<think>half a tho", 3)) == ("half a tho", "")


def test_odd_deltas_do_no_harm() -> None:
    deltas: list[dict[str, Any]] = [
        {},
        {"role": "assistant"},
        {"content": [{"text": "a"}, {"image": 1}]},
        {"content": 3},
    ]
    assert read(deltas) == ("", "a")
    assert read([{"content": "<thin"}]) == ("", "<thin")
    assert read([{"content": "  \n"}]) == ("", "  \n")
