"""LEPOR and hLEPOR of a batch are those of its token sequences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.metrics import Batch
from rainbow.metrics.word.lepor.lepor import Lepor
from rainbow.metrics.word.lepor.lepor_factors import hlepor, lepor, published_lepor

# Few words, so that most of them are repeated.
TEXTS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12).map(" ".join)


def expected(metric: Lepor, output: str, references: list[str]) -> list[float]:
    tokens, others = output.split(), [reference.split() for reference in references]
    return [
        lepor(tokens, others, alpha=metric.alpha, beta=metric.beta),
        hlepor(tokens, others, alpha=metric.alpha, beta=metric.beta, weights=metric.weights),
    ]


@pytest.mark.parametrize("metric", [Lepor(), Lepor(alpha=2, beta=3, weights=(3, 2, 1))])
@given(output=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=3))
def test_a_row_has_the_scores_of_its_tokens(metric: Lepor, output: str, references: list[str]) -> None:
    scores = metric.score(Batch([output], [references]))[0]
    assert scores == pytest.approx(expected(metric, output, references), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("words", [1, 2, 5, 100])
def test_words_repeated_a_hundred_times_are_aligned_as_others_are(words: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    output, reference = (" ".join(f"w{number}" for number in rng.integers(words, size=300)) for _ in range(2))
    scores = Lepor().score(Batch([output], [[reference]]))[0]
    assert scores == pytest.approx(expected(Lepor(), output, [reference]), abs=1e-12)


def test_the_published_column_is_that_of_the_first_reference_split_at_blanks() -> None:
    output, references = "The x, near y.", ["an x, near y.", "the x, near y."]
    scores = Lepor(as_published=True).score(Batch([output], [references]))[0]
    assert scores[0] == published_lepor(output.lower().split(), references[0].split())
    assert scores[1] == Lepor().score(Batch([output], [references]))[0, 1] == 1


@pytest.mark.parametrize("metric", [Lepor(alpha=0), Lepor(beta=-1), Lepor(weights=(1, 0, 1))])
def test_weights_that_are_not_positive_are_refused(metric: Lepor) -> None:
    with pytest.raises(ValueError, match="weights must be positive"):
        metric.score(Batch(["a"], [["a"]]))


@pytest.mark.once
def test_a_hundred_thousand_tokens_take_seconds() -> None:
    text = "the inn of old " * 25_000
    assert Lepor().score(Batch([text], [[text, text + "inn"]])).tolist() == [[1, 1]]


def test_the_best_of_ten_thousand_references_is_found() -> None:
    references = [f"the inn number {number}" for number in range(10_000)]
    assert Lepor().score(Batch(["the inn number 9000"], [references])).tolist() == [[1, 1]]
