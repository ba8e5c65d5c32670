"""Sentences and words out of the text of documents."""

import re

import pytest
from markdown import markdown

from carrel_service.reader import plain
from carrel_service.reports import _inline
from carrel_service.sentences import central, key_words, sentences, stem, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The rent is due. It is paid late!", ["The rent is due.", "It is paid late!"]),
        ("Ms. Ashby met Dr. Finch at No. 14 today. They agreed.", ["Ms. Ashby met Dr. Finch at No. 14 today."]),
        ("The notice must be served by hand or\nby recorded post before noon.", None),
        (
            "- The first point is here.\n- The second one is there.",
            ["The first point is here.", "The second one is there."],
        ),
        (
            "It costs 1,250.50 pounds in all. See clause 4.2 of it.",
            ["It costs 1,250.50 pounds in all.", "See clause 4.2 of it."],
        ),
        ("**Bold words** and `code` stay words.", ["Bold words and code stay words."]),
    ],
)
def test_text_is_cut_into_sentences(text: str, expected: list[str] | None) -> None:
    assert sentences(text) == (expected or [" ".join(text.split())])


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "probe", "price": 1180}',
        "if (a > b) { return x[1]; }",
        "North,462000,120000,15,8",
        "| a | b | c |",
        "Oh no.",
    ],
)
def test_code_tables_and_scraps_are_no_sentences(text: str) -> None:
    assert sentences(text) == []


def test_words_of_one_family_share_a_stem() -> None:
    assert len({stem(word) for word in ("renew", "renewal", "renewals", "renewed", "renewing")}) == 1
    assert stem("delivery") == stem("delivers") == stem("delivered")
    assert stem("rent") != stem(["rental", "car"][1])


def test_key_words_leave_out_what_every_question_holds() -> None:
    assert key_words("What is the rent of the Harbour Street lease, and the RENT?") == [
        "rent",
        "harbour",
        "street",
        "lease",
    ]


def test_numbers_and_hyphenated_words_stay_whole() -> None:
    assert words("AQ-2026-118 costs 1,250.50") == ["aq-2026-118", "costs", "1,250.50"]


def test_the_central_sentences_speak_of_what_the_text_speaks_of() -> None:
    text = (
        "The probe measures turbidity in rivers. The weather was fine. A turbidity probe in a river needs cleaning. "
        "Somebody laughed out loud. Cleaning the probe takes an hour."
    )
    told = central(text, 2)
    assert len(told) == 2
    assert all("probe" in sentence for sentence in told)


@pytest.mark.parametrize("text", ["4. Served by post", "12) Notices", "# Terms", "- a dash", "+ a plus", "1. a\n- b"])
def test_words_that_would_open_a_list_or_a_heading_stay_words(text: str) -> None:
    html = markdown(plain(text))
    assert not re.search("<(li|ol|ul|h1)", html)
    assert re.sub("<[^>]+>", "", html) == text
    assert _inline(plain(text)) == text


@pytest.mark.parametrize("text", ["4.1 The Landlord grants", "-5 degrees", "#tag", "Clause 4. Notices"])
def test_words_that_open_nothing_are_left_alone(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize("before", ["approx.", "Sept.", "(e.g.", "Prof.", "12."])
def test_a_long_paragraph_is_cut_at_its_stops_and_not_after_abbreviations(before: str) -> None:
    told = [f"The notice of month {n} goes to {before} Ashby by recorded post in time." for n in range(500)]
    assert sentences(" ".join(told)) == told
