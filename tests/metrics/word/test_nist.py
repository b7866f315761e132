"""NIST: against nltk, at the edges, and the information of n-grams."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.nist_score import sentence_nist

from rainbow.metrics.word.nist import InformationWeights, length_penalty, nist
from rainbow.text.tokens.mteval import mteval_tokens

pytestmark = pytest.mark.once

sentences = st.lists(st.sampled_from("abcd"), max_size=12)


SEGMENTS = [text.split() for text in ("a cheap pub .", "a nice cafe .", "a cheap cafe")]


@given(st.lists(st.sampled_from("abcd"), min_size=5, max_size=12), st.lists(st.sampled_from("abcd"), min_size=1))
def test_with_one_reference_and_its_own_weights_the_score_is_that_of_nltk(hypothesis, reference) -> None:
    expected = sentence_nist([reference], hypothesis)
    assert nist(hypothesis, [reference], InformationWeights.fit([reference])) == pytest.approx(expected, abs=1e-9)


def test_on_real_rows_the_score_is_that_of_nltk(data_dir: Path) -> None:
    compared, greatest = 0, 0.0
    for row in json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text()):
        hypothesis, reference = mteval_tokens(row["hyp_ws"]), mteval_tokens(row["refs_delex"][0])
        if len(hypothesis) >= 5:  # nltk divides by zero below
            ours = nist(hypothesis, [reference], InformationWeights.fit([reference]))
            greatest = max(greatest, abs(ours - sentence_nist([reference], hypothesis)))
            compared += 1
    print(f"\nNIST: {compared} rows, greatest difference from nltk {greatest:.1e}")
    assert compared > 1000 and greatest < 1e-9


def test_an_ngram_is_shared_at_most_as_often_as_in_the_reference_that_has_it_most() -> None:
    weights = InformationWeights.fit([["a", "b"], ["c", "d"]], order=1)  # 2 bits each
    assert nist(["a", "a", "a", "a"], [["a", "a", "b", "b"], ["a", "c", "c", "c"]], weights) == pytest.approx(2 * 2 / 4)


def test_the_penalty_sees_the_mean_length_of_the_references() -> None:
    weights = InformationWeights.fit([["a", "b", "c", "d"]], order=1)
    assert nist(["a", "b"], [["a", "b"], ["a", "b", "c", "d"]], weights) == pytest.approx(2.0 * 0.5)


def test_orders_longer_than_the_hypothesis_add_nothing() -> None:
    assert nist(["a"], [["a"]], InformationWeights.fit([["a", "b"]])) == 1.0


@given(st.floats(0.01, 3))
def test_the_length_penalty_is_that_of_the_formula(ratio: float) -> None:
    beta = math.log(0.5) / math.log(1.5) ** 2
    found = length_penalty(np.array(ratio))
    assert found == pytest.approx(1.0 if ratio >= 1 else math.exp(beta * math.log(ratio) ** 2))


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a b"), ("a", ""), ("", ""), ("z", "a b")])
def test_nothing_in_common_scores_zero(hypothesis: str, reference: str) -> None:
    assert nist(hypothesis.split(), [reference.split()], InformationWeights.fit(SEGMENTS)) == 0.0


@pytest.mark.timeout(60)  # some 0.5 s; a quadratic pass would take minutes
def test_a_hundred_thousand_tokens_are_compared_without_a_quadratic_pass() -> None:
    tokens = [f"w{i % 100}" for i in range(100_000)]
    assert nist(tokens, [tokens], InformationWeights.fit([tokens])) > 0.0


def test_information_is_the_logarithm_of_the_count_before_over_the_count() -> None:
    weights = InformationWeights.fit(SEGMENTS)
    assert weights.information(("a",)) == pytest.approx(math.log2(11 / 3))
    assert weights.information(("a", "cheap")) == pytest.approx(math.log2(3 / 2))
    assert weights.information(("a", "cheap", "cafe")) == pytest.approx(math.log2(2 / 1))


def test_what_never_occurred_counts_as_if_it_had_once() -> None:
    weights = InformationWeights.fit(SEGMENTS)
    assert weights.information(("zoo",)) == pytest.approx(math.log2(11))
    assert (weights.information(("a", "zoo")), weights.information(("zoo", "a"))) == (pytest.approx(math.log2(3)), 0.0)


@given(st.lists(sentences, max_size=5), sentences)
def test_information_is_never_negative(segments: list[list[str]], ngram: list[str]) -> None:
    weights = InformationWeights.fit(segments)
    assert all(weights.information(tuple(ngram[:n])) >= 0.0 for n in range(1, 6))


def test_weights_depend_on_the_segments_and_not_on_their_order() -> None:
    weights, turned = InformationWeights.fit(SEGMENTS), InformationWeights.fit(SEGMENTS[::-1])
    assert (weights, hash(weights), str(weights), weights.digest) == (turned, hash(turned), str(turned), turned.digest)


@pytest.mark.parametrize("other", [
    InformationWeights.fit(SEGMENTS[1:]), InformationWeights.fit(SEGMENTS * 2), InformationWeights.fit(SEGMENTS, 4)
])  # fmt: skip
def test_other_segments_or_another_order_give_other_weights(other: InformationWeights) -> None:
    weights = InformationWeights.fit(SEGMENTS)
    assert weights != other and weights.digest != other.digest


@given(st.lists(st.lists(st.text(max_size=3), max_size=6), max_size=4), st.integers(1, 6))
def test_weights_survive_json(segments: list[list[str]], order: int) -> None:
    weights = InformationWeights.fit(segments, order)
    copy = InformationWeights.from_json(json.loads(json.dumps(weights.to_json())))
    assert (copy, copy.digest) == (weights, weights.digest)


@pytest.mark.parametrize(
    "data", [{}, {"order": 5, "total": 1, "counts": [1]}, {"order": "x", "total": 1, "counts": []}]
)
def test_json_of_something_else_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not information weights"):
        InformationWeights.from_json(data)
