"""The parts of search by themselves: cutting, word pieces, the matrix, the mixing of scores."""

import itertools
import random
import re

import numpy as np
import pytest

from carrel_service import keywords, passages
from carrel_service.embedding import Embedder, model_folder
from carrel_service.fusion import fuse
from carrel_service.vectors import VectorMatrix, packed
from carrel_service.wordpiece import WordPiece


def prose(sentences, words=12, seed=1):
    chance = random.Random(seed)
    return " ".join(
        " ".join(f"w{chance.randint(0, 99)}" for _ in range(words - 1)) + f" end{number}."
        for number in range(sentences)
    )


def test_a_short_text_is_one_passage_and_a_blank_one_none():
    assert list(passages.cut("  Two words \n")) == ["Two words"]
    assert list(passages.cut(" \n\t ")) == []


def test_passages_overlap_cover_everything_and_end_with_sentences():
    text = prose(60)
    cut = list(passages.cut(text))
    assert len(cut) > 3
    for number in range(60):
        assert any(f"end{number}." in passage for passage in cut)
    for passage in cut[:-1]:
        assert passages.LEAST <= len(passage.split()) <= passages.MOST
        assert passage.endswith(".")
    for before, after in itertools.pairwise(cut):
        assert after[:20] in before


def test_a_passage_is_the_text_as_it_stands():
    text = "# Title\n\n" + prose(8) + "\n\n| a | b |\n|---|---|\n" + prose(30, seed=2)
    assert all(passage in text for passage in passages.cut(text))


@pytest.mark.parametrize("text", ["字" * 50_000, "x" * 50_000, "long-word " * 20_000, "a\n" * 20_000])
def test_unusual_texts_make_passages_of_bounded_size_and_number(text):
    cut = list(passages.cut(text))
    assert max(map(len, cut)) <= 1_700
    assert len(cut) <= 2 + len(text) // 250


def test_each_side_is_scaled_over_the_union_and_the_best_is_one():
    scores = fuse({1: 10.0, 2: 5.0}, {1: 0.2, 2: 0.6, 3: 0.4}, 0.7, 0.3)
    assert list(scores) == [1, 2, 3]
    assert scores[1] == 1.0
    assert scores[2] == pytest.approx((0.7 * 0.5 + 0.3) / 0.7)
    assert scores[3] == pytest.approx((0.3 * 0.5) / 0.7)


def test_a_side_that_takes_no_part_changes_nothing():
    assert fuse({1: 4.0, 2: 2.0, 3: 0.0}, None, 0.7, 0.3) == {1: 1.0, 2: 0.5, 3: 0.0}
    assert list(fuse(None, {1: 0.1, 2: 0.9}, 0.0, 1.0)) == [2, 1]


def test_weights_of_nothing_and_no_candidates_do_no_harm():
    assert fuse({1: 1.0}, {1: 0.5}, 0.0, 0.0) == {1: 0.0}
    assert fuse({}, {}, 0.7, 0.3) == {}


def test_stop_words_are_left_out_unless_there_is_nothing_else():
    assert keywords.terms("When does the lease of the Lease end?") == ["lease", "end"]
    assert keywords.terms("to be or not to be") == ["to", "be", "or", "not"]
    assert len(keywords.terms(" ".join(f"word{number}" for number in range(500)))) == keywords.MOST_WORDS


def test_overlap_is_the_share_of_words_met():
    assert keywords.overlap("invoice checks", "Invoice check: compares an invoice with its order") == 1.0
    assert keywords.overlap("invoice folder", "Invoice check") == 0.5
    assert keywords.overlap("the", "") == 0.0


def test_the_matrix_gives_the_cosines_of_what_it_holds():
    made = np.random.default_rng(1)
    vectors = made.standard_normal((5_000, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = VectorMatrix(384)
    rows = packed(vectors)
    for start in range(0, 5_000, 700):
        matrix.add(list(range(start, min(start + 700, 5_000))), rows[start : start + 700])
    matrix.remove([0, 7, 4_999])
    ids, cosines = matrix.cosines(vectors[42])
    assert len(matrix) == len(ids) == 4_997
    assert not {0, 7, 4_999} & set(ids.tolist())
    assert ids[int(cosines.argmax())] == 42
    assert np.abs(cosines - vectors[ids] @ vectors[42]).max() < 0.01


def test_an_empty_matrix_answers_too():
    ids, cosines = VectorMatrix(384).cosines(np.zeros(384, np.float32))
    assert (len(ids), len(cosines)) == (0, 0)


def test_word_pieces():
    pieces = ["[PAD]", *(f"[unused{n}]" for n in range(99)), "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces += ["lease", "##s", "cafe", ",", "字"]
    cut = WordPiece(f"{piece}\n" for piece in pieces)
    words = {piece: number for number, piece in enumerate(pieces)}
    wanted = [words["lease"], words["##s"], words[","], words["cafe"], words["字"], 100]
    assert cut.encode("Leases, CAFÉ\u00ad字\0 zebra", 50) == [101, *wanted, 102]
    assert cut.encode("lease " * 100, 10) == [101, *[words["lease"]] * 8, 102]


@pytest.mark.skipif(not (model_folder() / "model.json").is_file(), reason="no search model on this computer")
def test_the_model_puts_like_meanings_together_alone_and_in_a_batch():
    model = Embedder(model_folder())
    texts = ["The rent contract ends in May.", "When does the lease run out?", "Bananas are yellow.", "short"]
    together = model.embed(texts)
    assert together.shape == (4, 384)
    assert np.abs(np.linalg.norm(together, axis=1) - 1).max() < 1e-3
    assert together[0] @ together[1] > 0.4 > together[0] @ together[2]
    alone = np.concatenate([model.embed([text]) for text in texts])
    assert (alone * together).sum(axis=1).min() > 0.98
    assert re.fullmatch(r".+/384/192", model.signature)
