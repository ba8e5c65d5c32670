"""Marks that are left open, however many: what reads them takes as long as the text is, not as its square."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from carrel.model.formulas import readable
from carrel.model.occurrences import shown_markdown
from carrel.model.segments import Segmenter

LENGTH, TIMES = 1000, 8
OPEN = ["\\(", "\\[", "\\\\(", "\\(a \\[b ", "$$ $", "`", "``` ` ", "![", "![a](", "[a](", '[a](x "', "<https:", "[a]["]
ONCE = ["x", " ", "`", "_", "*", "-", "[", "<", "(y)", "\\"]
"""What follows one that is left open."""


def seconds(work: Callable[[], object]) -> float:
    """The processor's, of several tries the least: what else goes on counts little."""
    tries = []
    for _ in range(3):
        before = time.process_time()
        work()
        tries.append(time.process_time() - before)
    return min(tries)


def grows_with(text: Callable[[int], str], read: Callable[[str], object]) -> float:
    """How many times as long it takes for a text of `TIMES` the length; a square would be `TIMES` * `TIMES`."""
    short, long = text(LENGTH), text(TIMES * LENGTH)
    return seconds(lambda: read(long)) / max(seconds(lambda: read(short)), 0.0005)


@pytest.mark.parametrize("read", [readable, shown_markdown], ids=["formulas", "words"])
@pytest.mark.parametrize("mark", OPEN)
def test_marks_that_are_left_open_take_no_time_without_end(mark: str, read: Callable[[str], object]) -> None:
    assert grows_with(lambda length: mark * (length // len(mark)), read) <= 2 * TIMES


@pytest.mark.parametrize("head", ["![a](", "![a](x ", "[a](", "![", "x", "a | b\n"])
@pytest.mark.parametrize("mark", ONCE)
def test_what_follows_an_open_mark_is_read_once(head: str, mark: str) -> None:
    assert grows_with(lambda length: f"{head}{mark * (length // len(mark))}z", shown_markdown) <= 2 * TIMES


def test_a_table_that_is_none_is_found_out_at_once() -> None:
    def cut(text: str) -> None:
        Segmenter().feed(text)

    assert grows_with(lambda length: f"a | b\n{' ' * length}x\n", cut) <= 2 * TIMES
    assert grows_with(lambda length: f"a | b\n---{' ' * length}x\n", cut) <= 2 * TIMES


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        (r"Open \( and \(\alpha\), open \[ and \[\beta\]", r"Open ( and α, open [ and β"),
        (r"\[a \\[2pt] b\] and \(f\(x\)", r"a b and (fx"),
        (
            "A ![map](map(1).png 'The (old) map') and ![two](<a b.png>)",
            "A [picture: map(1).png] and [picture: a b.png]",
        ),
        (r'[one](x "say \"it\" (twice)") and [two](y (in brackets))', "one and two"),
        ("Open ``` and `code` and ``a ` b`` and `", "Open ``` and code and a ` b and `"),
        (
            "Left ![open and [shut](x), <https:open and <https://shut>",
            "Left ![open and shut, <https:open and https://shut",
        ),
        ("a__ __b __init__ a_b _c_", "a b init a_b c"),
    ],
)
def test_what_comes_after_an_open_mark_is_shown_as_ever(markdown: str, shown: str) -> None:
    assert " ".join(" ".join(shown_markdown(markdown)).split()) == shown
