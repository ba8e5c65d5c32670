"""Which sentences only one of two texts has."""

from __future__ import annotations

from carrel.model.differences import differences


def only(left: list[str], right: list[str]) -> tuple[list[str], list[str]]:
    """The words that differ, on each side."""
    first, second = differences(left, right)
    assert (len(first), len(second)) == (len(left), len(right))
    return (
        [text[a:b] for text, spans in zip(left, first, strict=True) for a, b in spans],
        [text[a:b] for text, spans in zip(right, second, strict=True) for a, b in spans],
    )


def test_the_same_differs_in_nothing() -> None:
    assert only(["One. Two."], ["One. Two."]) == ([], [])


def test_sentences_that_only_one_side_has() -> None:
    left, right = ["One is here. Two costs 1.5 %. Three."], ["One is here. Two costs 2.5 %! Three. Four?"]
    assert only(left, right) == (["Two costs 1.5 %."], ["Two costs 2.5 %!", "Four?"])


def test_blanks_capitals_and_pieces_make_no_difference() -> None:
    assert only(["One  two.", "Three."], ["one two. three."]) == ([], [])


def test_lines_are_sentences_too() -> None:
    assert only(["Name\nPrice\n3"], ["Name\nPrice\n4"]) == (["3"], ["4"])


def test_nothing_against_something() -> None:
    assert only([], ["All of it."]) == ([], ["All of it."])
    assert only([""], ["\n"]) == ([], [])
