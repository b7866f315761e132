"""What found texts stand beside."""

import math

import numpy as np
import pytest

from rainbow.audit.comparison_texts import score_comparison_texts
from rainbow.corpus import Corpus


def length(corpus: Corpus) -> np.ndarray:
    return corpus.frame["output"].str.len().to_numpy(float)


def test_references_are_scored_beside_the_others_once_for_each_input() -> None:
    told: list[tuple[str, tuple[str, ...]]] = []

    def score(corpus: Corpus) -> np.ndarray:
        told.extend(zip(corpus.frame["output"], corpus.frame["references"], strict=True))
        return length(corpus)

    corpus = Corpus.from_texts(["x", "y"], [["aa", "b", "aa", " "]] * 2, item=["1", "1"])
    found = score_comparison_texts(score, corpus, 10, 1)
    assert (told, found.scores.tolist()) == ([("aa", ("b",)), ("b", ("aa",))], [[1.0, 1.5, 2.0]])
    assert (found.compared_with, len(found.inputs)) == ("references", 1)


def test_without_references_outputs_are_taken_in_the_order_of_their_ratings() -> None:
    corpus = Corpus.from_texts(["aaa", "a", "aa", " "], item=["1"] * 4, quality=[1.0, 3.0, 2.0, 9.0])
    found = score_comparison_texts(length, corpus, 10, 1)
    assert (found.scores.tolist(), found.compared_with) == ([[3.0, 2.0, 1.0]], "rated outputs")


def test_outputs_that_nobody_rated_are_left_out_where_others_are_rated() -> None:
    corpus = Corpus.from_texts(
        ["aaa", "a", "aa", "b"], item=["1", "1", "1", "2"], quality=[1.0, math.nan, 2.0, math.nan]
    )
    assert score_comparison_texts(length, corpus, 10, 1).scores.tolist() == [[3.0, 3.0, 2.0]]


def test_without_ratings_outputs_are_taken_in_the_order_of_their_scores() -> None:
    found = score_comparison_texts(length, Corpus.from_texts(["aaa", "a", "aa"], item=["1"] * 3), 10, 1)
    assert (found.scores.tolist(), found.compared_with) == ([[1.0, 2.0, 3.0]], "outputs")


def test_texts_without_a_score_do_not_count() -> None:
    corpus = Corpus.from_texts(["", ""], [["a", "bb"], ["c"]])

    def score(texts: Corpus) -> np.ndarray:
        return np.array([math.nan if text in "ac" else 5.0 for text in texts.frame["output"]])

    np.testing.assert_array_equal(score_comparison_texts(score, corpus, 2, 1).scores, [[5.0] * 3, [math.nan] * 3])


def test_so_many_inputs_are_drawn_by_the_seed() -> None:
    corpus = Corpus.from_texts(["x"] * 30, [[str(number)] for number in range(30)])
    drawn = [score_comparison_texts(length, corpus, 5, seed).inputs.frame["references"].tolist() for seed in (1, 1, 2)]
    assert len(drawn[0]) == 5 and drawn[0] == drawn[1] != drawn[2]


def test_without_any_text_there_is_nothing_to_stand_beside() -> None:
    with pytest.raises(ValueError, match="search needs a reference or an output"):
        score_comparison_texts(length, Corpus.from_texts([" "]), 5, 1)
