"""Markdown cut into pieces: the same however it arrives, never changed once settled, with no word lost."""

from __future__ import annotations

import pytest

from carrel.model.segments import Segment, Segmenter, segments

PIECES = {
    "empty": "",
    "a word": "Hello",
    "paragraphs": "One.\n\nTwo, over\ntwo lines.\n\nThree.\n",
    "headings": "# One\n\nText.\n\n## Two\nText at once.\n\nSetext\n======\n\nMore.\n",
    "list after a paragraph": "Key points:\n- one\n- two\n\nAfter.\n",
    "loose list": "- one\n\n- two\n\n  still two\n\n- three\n\nAfter.\n",
    "nested list": "1. one\n   - a\n   - b\n\n     deep\n2. two\n\nAfter.\n",
    "task list": "- [ ] open\n- [x] done\n",
    "fence": "Before.\n\n```python\na = 1\n\n\nb = 2\n```\n\nAfter.\n",
    "fence at once": "Before.\n```\ncode\n```\nAfter.\n",
    "two fences": "```a\n1\n```\n```b\n2\n```\n",
    "open fence": "Before.\n\n```python\na = 1\n\nb = 2\n",
    "longer fence": "````md\n```\ninner\n```\n````\nAfter.\n",
    "tildes": "~~~ text\n```\nnot closed by the others\n~~~\nAfter.\n",
    "empty fence": "```\n```\nAfter.\n",
    "fence after a list": "1. Install it:\n```bash\npip install it\n\npip check\n```\n2. Run it.\n",
    "fences in nested items": "- a\n  1. b\n\n     ```sh\n     ls\n       -l\n     ```\n     more\n\n     and\n"
    "  2. c\n- d\n",
    "fence that its list ends": "1. a\n   ```sh\n   ls\n2. b\n\nAfter.\n",
    "table after code in an item": "1. a\n   ```sh\n   ls\n   ```\n   | a | b |\n   |---|---|\n   | 1 | 2 |\n2. c\n",
    "fence in a list": "- one\n\n  ```sh\n  ls\n\n  pwd\n  ```\n- two\n\nAfter.\n",
    "table": "Before.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 4 |\n\nAfter.\n",
    "table at once": "Before:\n| a | b |\n|---|---|\n| 1 | 2 |\nAfter.\n",
    "table with a bare row": "| a | b |\n|---|---|\n| 1 | 2 |\nno bar\nmore\n\nAfter.\n",
    "table before a heading": "| a | b |\n|---|---|\n| 1 | 2 |\n# Heading\n| not | a row |\n",
    "references": "See [a][1] and [b].\n\nMore.\n\n[1]: https://example.org\n[b]: <https://example.com> 'B'\n",
    "bare table": "a | b\n--- | ---\n1 | 2\n\nAfter.\n",
    "no table": "Either a | b, or not.\n\n---\n\nAfter | all.\n",
    "quote": "> one\n> two\n\n> three\n\nAfter.\n",
    "indented code": "Before.\n\n    code\n\n    more\n\nAfter.\n",
    "rule": "One\n\n---\n\nTwo\n\n***\n",
    "hard breaks": "one  \ntwo\\\nthree\n",
    "html": "<b>not bold</b>\n\n<script>alert(1)</script>\n",
    "windows": "One.\r\n\r\n```py\r\na = 1\r\n```\r\n\r\nTwo.\r\n",
    "blank lines": "\n\n\nOne.\n\n\n\n\nTwo.\n\n\n",
    "other breaks": "One\u2028two\u2029three\x0bfour\x0cfive\x85six\n\nSeven.\n",
    "emoji and joiners": "👩‍👩‍👧 and e\u0301\n\n**bo**ld\n",
    "half marks": "**bold\n\n`code\n\n[link](http\n",
}


@pytest.mark.parametrize("text", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize("step", [1, 2, 7])
def test_it_comes_to_the_same_however_it_arrives(text: str, step: int) -> None:
    growing = Segmenter()
    for at in range(0, len(text), step):
        growing.feed(text[at : at + step])
    assert [*growing.settled, *growing.tail] == segments(text)


@pytest.mark.parametrize("text", PIECES.values(), ids=PIECES)
def test_what_is_settled_never_changes(text: str) -> None:
    growing, before = Segmenter(), []
    for letter in text:
        growing.feed(letter)
        assert growing.settled[: len(before)] == before
        before = list(growing.settled)
    assert segments(text)[: len(before)] == before


@pytest.mark.parametrize("text", PIECES.values(), ids=PIECES)
def test_no_word_is_lost_and_none_is_said_twice(text: str) -> None:
    kept = " ".join(piece.text for piece in segments(text)).split()
    fences = ("```", "~~~")
    wanted = [w for line in text.split("\n") if not line.lstrip().startswith(fences) for w in line.split()]
    inner = [w for w in kept if not w.startswith(fences)]
    assert [w for w in inner if w not in {"sh"}] == [w for w in wanted if w not in {"sh"}]


@pytest.mark.parametrize("text", PIECES.values(), ids=PIECES)
def test_the_tail_of_what_has_come_is_what_the_whole_would_show(text: str) -> None:
    growing = Segmenter()
    for at, letter in enumerate(text, 1):
        growing.feed(letter)
        assert [*growing.settled, *growing.tail] == segments(text[:at])


def test_kinds_and_languages() -> None:
    found = segments("Text.\n\n```python title=x\na = 1\n```\n| a |\n|---|\n| 1 |\n")
    assert found == [
        Segment("text", "Text."),
        Segment("code", "a = 1", "python"),
        Segment("table", "| a |\n|---|\n| 1 |"),
    ]


def test_a_fence_that_stays_open_is_code_already() -> None:
    growing = Segmenter()
    growing.feed("```sql\nSELECT 1")
    assert growing.tail == (Segment("code", "SELECT 1", "sql"),)
    growing.feed("\n``")
    assert growing.tail == (Segment("code", "SELECT 1\n``", "sql"),)
    growing.feed("`")
    assert growing.tail == (Segment("code", "SELECT 1", "sql"),)


def test_a_shorter_fence_inside_a_longer_one_is_text_of_it() -> None:
    assert segments("````md\n```\ninner\n```\n````") == [Segment("code", "```\ninner\n```", "md")]


def test_a_fence_at_the_edge_ends_the_list_before_it() -> None:
    assert segments("1. Install it:\n```bash\npip install it\n\npip check\n```\n2. Run it.") == [
        Segment("text", "1. Install it:"),
        Segment("code", "pip install it\n\npip check", "bash"),
        Segment("text", "2. Run it."),
    ]


def test_a_fence_inside_a_list_is_code_that_says_how_deep_it_stands() -> None:
    assert segments("- one\n\n  ```sh\n  ls\n\n    -l\n  ```\n- two") == [
        Segment("text", "- one"),
        Segment("code", "ls\n\n  -l", "sh", depth=1, column=2),
        Segment("text", "- two"),
    ]


def test_what_follows_code_in_an_item_stays_in_the_item_and_its_list_goes_on() -> None:
    assert segments(PIECES["fences in nested items"]) == [
        Segment("text", "- a\n  1. b"),
        Segment("code", "ls\n  -l", "sh", depth=2, column=5),
        Segment("text", "more", depth=2, column=5),
        Segment("text", "and", depth=2, column=5),
        Segment("text", "2. c", depth=1, column=2),
        Segment("text", "- d"),
    ]


def test_code_ends_with_the_item_that_it_stands_in() -> None:
    assert segments("1. a\n\n   ```sh\n   ls\n\n2. b\n\nAfter.\n") == [
        Segment("text", "1. a"),
        Segment("code", "ls\n", "sh", depth=1, column=3),
        Segment("text", "2. b"),
        Segment("text", "After."),
    ]


def test_an_item_may_begin_with_code() -> None:
    assert segments("- a\n  1. ```sh\n     ls\n     ```\n- b") == [
        Segment("text", "- a\n  1. "),
        Segment("code", "ls", "sh", depth=2, column=5),
        Segment("text", "- b"),
    ]


@pytest.mark.parametrize("fence", ["1. a\n       ```sh", "    ```sh", "> - a\n>   ```sh", "- a\n\nb\n      ```sh"])
def test_a_fence_too_far_to_the_right_is_none(fence: str) -> None:
    assert [piece.kind for piece in segments(f"{fence}\nls\n")] in (["text"], ["text", "text"])


def test_a_loose_list_stays_whole() -> None:
    text = "- one\n\n- two\n\n  still two\n\n- three"
    assert segments(f"{text}\n\nAfter.\n") == [Segment("text", text), Segment("text", "After.")]


def test_paragraphs_settle_as_soon_as_the_next_has_begun() -> None:
    growing = Segmenter()
    growing.feed("One.\n\nTwo.\n\nThr")
    assert growing.settled == [Segment("text", "One.")]
    growing.feed("ee.\n\nFour.\n")
    assert growing.settled == [Segment("text", "One."), Segment("text", "Two."), Segment("text", "Three.")]


def test_a_long_reply_is_read_once() -> None:
    """Ten times the text costs about ten times the lines looked at, not a hundred times."""

    class Counting(Segmenter):
        looked = 0

        def _line(self, line: str) -> None:
            self.looked += 1
            super()._line(line)

    growing = Counting()
    for _ in range(2000):
        growing.feed("A paragraph of words.\n\n")
    assert growing.looked == 4000
    assert len(growing.settled) == 1999


@pytest.mark.parametrize("line", ["After.", "===", "2024 was good", "-5", "<div>", "1.5", "**bold**"])
def test_a_line_without_a_bar_is_a_row_of_the_table_before_it(line: str) -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert segments(f"{table}\n{line}\n| 3 | 4 |\n\nEnd.") == [
        Segment("table", f"{table}\n{line}\n| 3 | 4 |"),
        Segment("text", "End."),
    ]


@pytest.mark.parametrize("line", ["# Head", "> said", "- item", "2) item", "---", "* * *", "    code"])
def test_what_begins_a_block_ends_the_table(line: str) -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    found = segments(f"{table}\n{line}")
    assert found == [Segment("table", f"{table}\n{line}")], "the line is not whole yet"
    assert segments(f"{table}\n{line}\n") == [Segment("table", table), Segment("text", line)]


def test_definitions_are_known_wherever_they_stand_and_the_first_counts() -> None:
    growing = Segmenter()
    growing.feed("[a][One  Two]\n\nMore.\n\n[one two]: https://example.org 'T'\n[One Two]: https://example.com\n")
    assert growing.definitions == {"one two": "[one two]: https://example.org 'T'"}


@pytest.mark.parametrize("text", ["```\n[a]: x\n```\n", "A paragraph\n[a]: x\n", "[^1]: a note\n", "[a]: x y z\n"])
def test_what_only_looks_like_a_definition_is_none(text: str) -> None:
    growing = Segmenter()
    growing.feed(text)
    assert growing.definitions == {}


def test_a_definition_that_still_grows_is_taken_as_far_as_it_came() -> None:
    growing = Segmenter()
    growing.feed("Text.\n\n[a]: https://exam")
    assert growing.definitions == {"a": "[a]: https://exam"}
    growing.feed("ple.org\n[b]:")
    assert growing.definitions == {"a": "[a]: https://example.org"}
