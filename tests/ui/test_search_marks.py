"""The marks in a passage: stems, the best part of it, and odd texts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from carrel.ui.search.marks import _best_start, excerpt, marks, stem, stems, whole


@pytest.mark.parametrize(
    "forms",
    [
        ("renewal", "renews", "renewed", "renew", "Renewing"),
        ("notice", "notices", "Notices"),
        ("post", "posting", "posted", "posts"),
        ("serve", "served", "serves", "serving"),
        ("policy", "policies"),
        ("running", "runs", "run"),
        ("terminated", "termination", "terminate"),
    ],
)
def test_forms_of_a_word_meet_at_its_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(("one", "other"), [("lease", "last"), ("notice", "note"), ("is", "as")])
def test_other_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def marked(text: str, query: str) -> list[str]:
    return [text[start : start + length] for start, length, _ in marks(text, stems(query))]


def test_the_querys_words_are_marked_in_any_form_and_case() -> None:
    text = "Any Notice under this lease is posted; the Renewal needs notices."
    assert marked(text, "renew the notice by post") == ["Notice", "posted", "Renewal", "notices"]


def test_little_words_are_marked_only_when_there_are_no_others() -> None:
    assert marked("to be or not to be", "to be or not") == ["to", "be", "or", "not", "to", "be"]
    assert marked("the end of the lease", "the lease") == ["lease"]


def test_words_of_other_alphabets_are_marked() -> None:
    assert marked("Die Kündigung für Straße 5, договор", "straße договор kündigung") == [
        "Kündigung",
        "Straße",
        "договор",
    ]


def test_an_excerpt_shows_the_part_that_holds_the_most() -> None:
    passage = "word " * 300 + "the renewal notice is served by post " + "word " * 300
    shown = excerpt(passage, "renewal notice post", 200)
    assert "renewal notice is served by post" in shown.text
    assert (shown.text[:2], shown.text[-2:]) == ("… ", " …")
    assert [shown.text[s : s + n] for s, n in shown.marks] == ["renewal", "notice", "post"]
    assert len(shown.text) <= 204
    assert not shown.is_whole


def test_a_short_passage_is_shown_whole_on_one_line() -> None:
    shown = excerpt("## Dates\n\nOne   notice.", "notice", 200)
    assert (shown.text, shown.is_whole) == ("Dates One notice.", True)
    assert whole("a\nnotice", "notice").text == "a\nnotice"


@pytest.mark.parametrize("passage", ["", "x" * 100_000, "notice " * 20_000, "\0\u202e notice", "😀 notice " * 50])
def test_odd_passages_give_an_excerpt_all_the_same(passage: str) -> None:
    shown = excerpt(passage, "notice", 200)
    assert len(shown.text) <= 204
    assert all(shown.text[s : s + n].lower() == "notice" for s, n in shown.marks)


def slow_start(found: list[tuple[int, int, str]], most: int) -> int:
    """What `_best_start` means, said simply."""
    worths = []
    for number, (start, _, _) in enumerate(found):
        seen = [root for at, length, root in found[number:] if at + length <= start + most - 40]
        worths.append((len(set(seen)), len(seen)))
    if not worths or max(worths) == (0, 0):
        return 0
    return max(0, found[worths.index(max(worths))][0] - 40)


def scattered(seed: int, number: int) -> list[tuple[int, int, str]]:
    dice, at = Random(seed), 0
    made = []
    for _ in range(number):
        at += dice.randint(1, 60)
        length = dice.choice((1, 4, 9, 300))
        made.append((at, length, dice.choice("abcdef")))
        at += length
    return made


@pytest.mark.parametrize("seed", range(30))
def test_the_best_place_is_the_one_with_the_most_of_the_words(seed: int) -> None:
    found = scattered(seed, 3 * seed)
    assert _best_start(found, 240) == slow_start(found, 240)


def test_the_best_place_is_found_in_one_go() -> None:
    class Counted(list[tuple[int, int, str]]):
        looks = 0

        def __getitem__(self, place: Any) -> Any:
            taken = super().__getitem__(place)
            Counted.looks += len(taken) if isinstance(place, slice) else 1
            return taken

    _best_start(Counted((4 * n, 3, "a") for n in range(5_000)), 240)
    assert Counted.looks < 8 * 5_000
