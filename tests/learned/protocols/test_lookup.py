"""What a table of training texts scores, and which texts are nearly equal."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from rainbow import Corpus
from rainbow.learned.protocols.groups import FoldAssignment, assign_folds
from rainbow.learned.protocols.training_overlap import evaluate_lookup, overlap_table


def halves(n: int) -> FoldAssignment:
    return FoldAssignment("kfold", 1, np.arange(n) % 2)


def test_a_text_is_found_before_its_input_and_that_before_nothing() -> None:
    corpus = Corpus.from_texts(
        ["a", "a", "b", "c", "d", "e"], item=["1", "2", "3", "3", "4", "5"], quality=[6.0, 6.0, 2.0, 1.0, 4.0, 5.0]
    )
    (line,) = evaluate_lookup(corpus.frame, ["quality"], [halves(6)]).to_dict("records")
    # By fold: rows 0 (its text), 2 (its input), 4 (neither); then 1, 3, 5. The commonest point is 6.
    assert line["n"] == 6
    assert line["spearman"] == pytest.approx(spearmanr([6, 1, 4, 6, 2, 4], [6, 2, 4, 6, 1, 5]).statistic)
    assert (line["accuracy"], line["commonest_accuracy"]) == pytest.approx((2 / 6, 2 / 6))


def test_where_nothing_is_met_nothing_is_told() -> None:
    corpus = Corpus.from_texts(list("abcd"), quality=[6.0, 6.0, 2.0, 1.0])
    (line,) = evaluate_lookup(corpus.frame, ["quality"], [halves(4)]).to_dict("records")
    assert np.isnan(line["spearman"]) and line["reason"] == "the looked-up rating is constant"
    assert line["accuracy"] == line["commonest_accuracy"] == 0.5


def test_texts_that_all_come_twice_are_told_without_an_error() -> None:
    corpus = Corpus.from_texts(["a", "A .", "b", "b", "c", "c"][:6], quality=[1.0, 1.0, 3.0, 3.0, 6.0, 6.0])
    frame = corpus.frame.assign(output=["a", "A", "b", "b", "c", "c "])
    (line,) = evaluate_lookup(frame, ["quality"], [halves(6)]).to_dict("records")
    assert (line["spearman"], line["accuracy"]) == (pytest.approx(1), 1)


def test_rows_without_a_rating_are_neither_asked_nor_found() -> None:
    corpus = Corpus.from_texts(["a", "a", "b", "b"], quality=[6.0, np.nan, 2.0, 2.0])
    (line,) = evaluate_lookup(corpus.frame, ["quality"], [halves(4)]).to_dict("records")
    assert (line["n"], line["accuracy"]) == (3, pytest.approx(2 / 3))


def test_a_scale_without_classes_has_no_accuracy() -> None:
    corpus = Corpus.from_texts(["a"] * 40, quality=np.arange(40.0))
    (line,) = evaluate_lookup(corpus.frame, ["quality"], [halves(40)]).to_dict("records")
    assert np.isnan(line["accuracy"]) and np.isnan(line["commonest_accuracy"])


def test_an_honest_protocol_leaves_a_look_up_nothing() -> None:
    texts = [f"text {row % 20}" for row in range(60)]
    corpus = Corpus.from_texts(
        texts, item=[str(row) for row in range(60)], quality=[float(row % 20 % 6) for row in range(60)]
    )
    lines = evaluate_lookup(
        corpus.frame, ["quality"], [assign_folds(corpus.frame, name) for name in ("kfold", "by-text")]
    )
    assert lines["spearman"][0] > 0.3 and np.isnan(lines["spearman"][1])


@pytest.mark.parametrize(("other", "near"), [
    ("the red lion is a cheap pub by the river.", 1),
    ("The red lion is a cheap pub by the  River", 1),
    ("the red lion is a cheap pub near the river.", 1),
    ("by the river there is a cheap pub, the lion.", 0),
])  # fmt: skip
def test_texts_of_which_nine_tenths_are_in_common_are_nearly_the_same(other: str, near: int) -> None:
    corpus = Corpus.from_texts(["the red lion is a cheap pub by the river.", other])
    assert overlap_table(corpus.frame, [halves(2)])["near_texts"].tolist() == [near]


def test_texts_are_compared_in_parts_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from rainbow.learned.protocols import training_overlap

    corpus = Corpus.from_texts([f"a text of some length with the number {row // 2} in its midst" for row in range(60)])
    expected = overlap_table(corpus.frame, [halves(60)])
    monkeypatch.setattr(training_overlap, "_BATCH_ROWS", 7)
    assert overlap_table(corpus.frame, [halves(60)]).equals(expected)
