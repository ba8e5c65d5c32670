"""The choice of sentences: by relevance, by variety, and not at all when nothing is near."""

from collections.abc import Sequence

import numpy as np

from carrel_service.search import Passage
from carrel_service.selection import Query, Vectors, select

VOCABULARY = ("rent", "deposit", "notice", "harbour", "violin", "pounds")


def passage(text: str, file_name: str = "lease.md", number: int = 0, score: float = 1.0) -> Passage:
    return Passage(file_name, file_name, (), "file", "", number, text, score, None)


def no_model(_: Sequence[str]) -> Vectors:
    return None


def counted(texts: Sequence[str]) -> Vectors:
    """A stand-in for the search model: texts are near when they share words of a small vocabulary."""
    rows = np.array([[float(word in text.lower()) for word in VOCABULARY] for text in texts], np.float32) + 1e-3
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


TEXT = "The rent is 84,000 pounds a year. The deposit is 21,000 pounds. The weather was fine on that day."


def test_the_sentence_that_answers_comes_first() -> None:
    for embed in (no_model, counted):
        found = select(Query("What is the rent?"), [passage(TEXT)], embed, 3)
        assert found.kept[0].text == "The rent is 84,000 pounds a year."
        assert found.read == 3


def test_nothing_is_kept_when_nothing_is_near() -> None:
    for embed in (no_model, counted):
        found = select(Query("Which violin strings suit beginners?"), [passage(TEXT)], embed, 3)
        assert found.kept == ()
        assert found.best < found.needed


def test_without_passages_there_is_no_answer() -> None:
    assert not select(Query("What is the rent?"), [], no_model, 3).answers


def test_a_sentence_of_two_overlapping_passages_is_kept_once() -> None:
    overlapping = [passage(TEXT), passage(TEXT, number=1, score=0.9)]
    found = select(Query("What is the rent and the deposit?"), overlapping, counted, 5)
    texts = [kept.text for kept in found.kept]
    assert len(texts) == len(set(texts))


def test_the_same_words_in_two_files_are_told_once() -> None:
    found = select(Query("What is the rent?"), [passage(TEXT), passage(TEXT, "copy.md")], counted, 5)
    assert sum("84,000" in kept.text for kept in found.kept) == 1


def test_what_a_passages_edge_cuts_in_two_is_left_out() -> None:
    cut = passage("of the rent that is due in March. The rent is 84,000 pounds. The rent of the", number=1)
    texts = [kept.text for kept in select(Query("What is the rent?"), [cut], no_model, 5).kept]
    assert texts == ["The rent is 84,000 pounds."]


def test_the_question_before_lends_its_words() -> None:
    alone = select(Query("And the deposit?"), [passage(TEXT)], no_model, 1)
    together = select(Query("How many pounds?", before="What is the deposit?"), [passage(TEXT)], no_model, 1)
    assert alone.kept[0].text == together.kept[0].text == "The deposit is 21,000 pounds."


def test_a_heading_is_no_answer() -> None:
    found = select(Query("What is the rent?"), [passage("1. The Rent\n\n" + TEXT)], no_model, 1)
    assert found.kept[0].text == "The rent is 84,000 pounds a year."
