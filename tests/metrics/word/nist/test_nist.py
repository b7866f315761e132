"""NIST: against nltk, and at the edges."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.nist_score import sentence_nist

from rainbow.metrics.word.nist.information import InformationWeights
from rainbow.metrics.word.nist.nist import Nist, Tokens, length_penalty, nist, nist_sums
from rainbow.text.tokens.mteval import mteval_tokens

sentences = st.lists(st.sampled_from("abcd"), max_size=12)


def words(text: str) -> list[str]:
    return text.split()


SEGMENTS = [words("a cheap pub ."), words("a nice cafe ."), words("a cheap cafe")]


def corpus_nist(
    hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]], weights: InformationWeights
) -> float:
    """Return the score of hypotheses together."""
    sums = [nist_sums(hypothesis, texts, weights) for hypothesis, texts in zip(hypotheses, references, strict=True)]
    return float(Nist().score_sums(np.array(sums, dtype=float).sum(axis=0))[0])


# ---- the score of one hypothesis ----


@given(st.lists(st.sampled_from("abcd"), min_size=5, max_size=12), st.lists(st.sampled_from("abcd"), min_size=1))
def test_with_one_reference_and_its_own_weights_the_score_is_that_of_nltk(hypothesis, reference) -> None:
    expected = sentence_nist([reference], hypothesis)
    assert nist(hypothesis, [reference], InformationWeights.fit([reference])) == pytest.approx(expected, abs=1e-9)


def test_on_real_rows_the_score_is_that_of_nltk(scored: list[dict[str, Any]]) -> None:
    compared, greatest = 0, 0.0
    for row in scored:
        hypothesis, reference = mteval_tokens(row["hyp_ws"]), mteval_tokens(row["refs_delex"][0])
        if len(hypothesis) >= 5:  # nltk divides by zero below
            ours = nist(hypothesis, [reference], InformationWeights.fit([reference]))
            greatest = max(greatest, abs(ours - sentence_nist([reference], hypothesis)))
            compared += 1
    print(f"\nNIST: {compared} rows, greatest difference from nltk {greatest:.1e}")
    assert compared > 1000 and greatest < 1e-9


def test_an_ngram_is_shared_at_most_as_often_as_in_the_reference_that_has_it_most() -> None:
    weights = InformationWeights.fit([words("a b"), words("c d")], order=1)  # 2 bits each
    assert nist(words("a a a a"), [words("a a b b"), words("a c c c")], weights) == pytest.approx(2 * 2 / 4)


def test_the_penalty_sees_the_mean_length_of_the_references() -> None:
    weights = InformationWeights.fit([words("a b c d")], order=1)
    assert nist(words("a b"), [words("a b"), words("a b c d")], weights) == pytest.approx(2.0 * 0.5)


def test_orders_longer_than_the_hypothesis_add_nothing() -> None:
    assert nist(["a"], [["a"]], InformationWeights.fit([words("a b")])) == 1.0


@given(st.floats(0.01, 3))
def test_the_length_penalty_is_that_of_the_formula(ratio: float) -> None:
    beta = math.log(0.5) / math.log(1.5) ** 2
    found = length_penalty(np.array(ratio))
    assert found == pytest.approx(1.0 if ratio >= 1 else math.exp(beta * math.log(ratio) ** 2))


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a b"), ("a", ""), ("", ""), ("z", "a b")])
def test_nothing_in_common_scores_zero(hypothesis: str, reference: str) -> None:
    assert nist(words(hypothesis), [words(reference)], InformationWeights.fit(SEGMENTS)) == 0.0


def test_no_reference_and_strings_in_place_of_tokens_are_refused() -> None:
    weights = InformationWeights.fit(SEGMENTS)
    with pytest.raises(ValueError, match="no reference"):
        nist(["a"], [], weights)
    with pytest.raises(ValueError, match="split"):
        nist("a b", [["a"]], weights)
    with pytest.raises(ValueError, match="split"):
        nist(["a"], ["a b"], weights)
    with pytest.raises(ValueError, match="split"):
        nist(["a"], "a b", weights)


@pytest.mark.timeout(60)  # some 0.5 s; a quadratic pass would take minutes
def test_a_hundred_thousand_tokens_are_compared_without_a_quadratic_pass() -> None:
    tokens = [f"w{i % 100}" for i in range(100_000)]
    assert nist(tokens, [tokens], InformationWeights.fit([tokens])) > 0.0


# ---- the score of many ----


@given(sentences, st.lists(sentences, min_size=1, max_size=3))
def test_a_corpus_of_one_scores_as_its_hypothesis(hypothesis: list[str], references: list[list[str]]) -> None:
    weights = InformationWeights.fit(references)
    assert corpus_nist([hypothesis], [references], weights) == nist(hypothesis, references, weights)


# ---- the published column ----


@pytest.fixture(scope="module")
def scored(data_dir: Path) -> list[dict[str, Any]]:
    """Return the texts that were scored for publication, row by row."""
    rows: list[dict[str, Any]] = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text())
    return rows
