"""Entropies against hand-computed values."""

import math
from collections import Counter

import pytest
from scipy.stats import entropy as scipy_entropy

from rainbow.systems.text_measures.entropy import (
    chao_shen_entropy,
    conditional_entropy,
    count_contexts,
    miller_madow_entropy,
    shannon_entropy,
)
from rainbow.text.ngrams.ngram_counts import Ngram

BIGRAMS: Counter[Ngram] = Counter({("a", "b"): 2, ("a", "c"): 2, ("b", "a"): 4})


def unigrams(*counts: int) -> Counter[Ngram]:
    return Counter({(str(place),): count for place, count in enumerate(counts)})


@pytest.mark.parametrize(("counts", "bits"), [((7,), 0), ((1, 1), 1), ((2, 1, 1), 1.5), ((1,) * 8, 3)])
def test_the_entropy_is_the_mean_number_of_bits(counts: tuple[int, ...], bits: float) -> None:
    assert shannon_entropy(unigrams(*counts)) == pytest.approx(bits, abs=1e-12)


def test_the_entropy_is_that_of_scipy() -> None:
    counts = (5, 1, 9, 2, 2)
    assert shannon_entropy(unigrams(*counts)) == pytest.approx(scipy_entropy(counts, base=2), abs=1e-12)


def test_miller_and_madow_add_half_a_nat_per_type_but_one_and_token() -> None:
    assert miller_madow_entropy(unigrams(2, 1, 1)) == pytest.approx(1.5 + 2 / (2 * 4) / math.log(2))


def test_chao_and_shen_weigh_by_the_chance_of_being_seen() -> None:
    seen = 1 - 0.75**4, 1 - 0.875**4  # of four tokens two types are seen once: coverage 1/2, shares 1/4, 1/8, 1/8
    assert chao_shen_entropy(unigrams(2, 1, 1)) == pytest.approx(0.25 * 2 / seen[0] + 2 * 0.125 * 3 / seen[1])


def test_the_next_token_given_the_one_before_is_open_by_the_weighted_mean() -> None:
    assert conditional_entropy(BIGRAMS, count_contexts(BIGRAMS)) == pytest.approx(0.5)  # 1 bit after a, 0 after b
    difference = shannon_entropy(BIGRAMS) - shannon_entropy(count_contexts(BIGRAMS))
    assert conditional_entropy(BIGRAMS, count_contexts(BIGRAMS)) == pytest.approx(difference)


def test_ends_of_texts_among_the_contexts_lower_it() -> None:
    before: Counter[Ngram] = Counter({("a",): 4, ("b",): 4, ("c",): 2})
    expected = -(2 * 0.25 * math.log2(0.25 / 0.4) + 0.5 * math.log2(0.5 / 0.4))
    assert conditional_entropy(BIGRAMS, before) == pytest.approx(expected)
    assert expected < conditional_entropy(BIGRAMS, count_contexts(BIGRAMS))


def test_nothing_has_no_entropy() -> None:
    assert all(
        math.isnan(function(Counter())) for function in (shannon_entropy, miller_madow_entropy, chao_shen_entropy)
    )
    assert math.isnan(conditional_entropy(Counter(), Counter()))


def test_the_coverage_is_unknown_where_everything_is_seen_once() -> None:
    assert math.isnan(chao_shen_entropy(unigrams(1, 1)))
