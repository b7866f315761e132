"""Approximate randomisation, against exact enumeration, scipy and sacrebleu."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from rainbow.stats import resamples
from rainbow.stats.resampling.paired_resampling import approximate_randomisation as randomise

FIRST = [0.31, 0.72, 0.55, 0.90, 0.44, 0.68, 0.59]
SECOND = [0.30, 0.51, 0.61, 0.70, 0.40, 0.66, 0.35]


def rate(sums: np.ndarray) -> np.ndarray:
    return sums[:, 0] / sums[:, 1]


def segments(seed: int, n: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Return edits and lengths of two systems, shapes (n, 2)."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(5, 20, n)
    return tuple(np.column_stack([rng.integers(0, most, n), lengths]) for most in (6, 8))


def test_the_randomisation_p_is_that_of_scipys_exact_permutation_test() -> None:
    result = randomise(FIRST, SECOND, resamples=40_000, rng=1)
    oracle = stats.permutation_test(
        (FIRST, SECOND), lambda a, b, axis: np.mean(a - b, axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    assert abs(result.p - oracle.pvalue) < 4 * math.sqrt(oracle.pvalue * (1 - oracle.pvalue) / 40_000)
    assert result.difference == pytest.approx(oracle.statistic)
    assert (result.n, result.resamples, result.reason) == (7, 40_000, None)


def test_equal_shuffles_count_as_reaching_the_difference_although_sums_are_rounded() -> None:
    # Differences of 0.1 in every item: of 2^5 ways only the two extremes reach the observed one.
    first, second = [0.3, 0.4, 0.8, 0.2, 1.1], [0.2, 0.3, 0.7, 0.1, 1.0]
    assert randomise(first, second, resamples=50_000, rng=3).p == pytest.approx(2 / 32, abs=0.005)


def test_p_is_count_plus_one_by_resamples_plus_one_and_never_zero() -> None:
    first = np.linspace(10, 11, 40)
    assert randomise(first, first - 5 + first / 100, resamples=99, rng=1).p == 1 / 100


def test_the_same_seed_gives_the_same_result_and_a_generator_moves_on() -> None:
    first, second = np.random.default_rng(0).random((2, 50))
    assert randomise(first, second, resamples=200, rng=7) == randomise(first, second, resamples=200, rng=7)
    generator = np.random.default_rng(7)
    assert randomise(first, second, resamples=200, rng=generator) == randomise(first, second, resamples=200, rng=7)
    assert randomise(first, second, resamples=200, rng=generator).p != randomise(first, second, resamples=200, rng=7).p


def test_blocks_leave_no_resample_out(monkeypatch) -> None:
    whole = randomise(FIRST, SECOND, resamples=4_001, rng=1)
    monkeypatch.setattr(resamples, "_CELLS", 50)
    parts = randomise(FIRST, SECOND, resamples=4_001, rng=1)
    assert (parts.p * 4_002, parts.p) == (pytest.approx(round(parts.p * 4_002)), pytest.approx(whole.p, abs=0.03))


def test_a_corpus_score_is_recomputed_and_not_averaged() -> None:
    first, second = segments(1)
    result = randomise(first, second, statistic=rate, resamples=10, rng=2)
    found = result.difference
    assert found == pytest.approx(first[:, 0].sum() / first[:, 1].sum() - second[:, 0].sum() / second[:, 1].sum())


def test_shuffling_a_corpus_score_agrees_with_enumerating_every_exchange() -> None:
    first, second = segments(4, n=9)
    observed = abs(rate(first.sum(0)[None]) - rate(second.sum(0)[None]))[0]
    moved = np.array(list(product([0, 1], repeat=9))) @ (second - first)
    exact = np.mean(abs(rate(first.sum(0) + moved) - rate(second.sum(0) - moved)) >= observed - 1e-12)
    result = randomise(first, second, statistic=rate, resamples=40_000, rng=3)
    assert result.p == pytest.approx(exact, abs=4 * math.sqrt(0.25 / 40_000))


WORDS = ["the", "inn", "is", "cheap", "and", "near", "a", "park", "it", "has", "rooms", "food"]


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], list[str], list[str]]:
    """Return references and the outputs of two systems that change some of their words."""
    rng = np.random.default_rng(11)
    references = [list(rng.choice(WORDS, 10)) for _ in range(60)]

    def noisy(share: float) -> list[str]:
        return [" ".join(rng.choice(WORDS) if rng.random() < share else word for word in words) for words in references]

    return [" ".join(words) for words in references], noisy(0.30), noisy(0.36)


def sentence_bleu_statistics(outputs: list[str], references: list[str]) -> np.ndarray:
    from sacrebleu.metrics import BLEU

    return np.array(BLEU()._extract_corpus_statistics(outputs, [references]), dtype=float)


def bleu_of_sums(sums: np.ndarray) -> np.ndarray:
    """Return BLEU from lengths of output and reference, matches and n-grams, as the paper defines it."""
    matches, ngrams = sums[:, 2:6], sums[:, 6:10]
    return 100 * np.exp(np.minimum(0, 1 - sums[:, 1] / sums[:, 0])) * np.exp(np.log(matches / ngrams).mean(axis=1))


def test_p_of_corpus_bleu_is_that_of_sacrebleu(texts) -> None:
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    references, first, second = texts
    named = [("first", first), ("second", second)]
    oracle = PairedTest(named, {"BLEU": BLEU(references=[references])}, None, test_type="ar", n_samples=4_000)()[1]
    statistics = [sentence_bleu_statistics(outputs, references) for outputs in (first, second)]
    result = randomise(*statistics, statistic=bleu_of_sums, resamples=4_000, rng=1)
    assert result.difference == pytest.approx(oracle["BLEU"][0].score - oracle["BLEU"][1].score)
    assert 0.02 < result.p < 0.98 and result.p == pytest.approx(oracle["BLEU"][1].p_value, abs=0.03)


def test_items_with_a_gap_are_left_out_and_n_says_so() -> None:
    gap = float("nan")
    result = randomise([*FIRST, 5.0, gap], [*SECOND, gap, 5.0], resamples=200, rng=1)
    assert (result, result.n) == (randomise(FIRST, SECOND, resamples=200, rng=1), 7)


@pytest.mark.parametrize(("first", "second", "reason"), [
    ([1, 2, 3], [2, 3, 5], "only 3 items have values for both systems: at least 4 are needed"),
    ([], [], "only 0 items have values for both systems: at least 4 are needed"),
    ([1, 2, 3, 4], [1, 2, 3, 4], "every item has equal values for both systems"),
    ([1, 2, 3, math.inf], [1, 2, 3, 4], "the score is undefined for one of the systems"),
])  # fmt: skip
def test_what_cannot_be_tested_has_no_p_and_says_why(first, second, reason) -> None:
    result = randomise(first, second, resamples=50, rng=1)
    assert math.isnan(result.p) and result.reason == reason


def test_a_score_that_is_not_defined_for_some_resamples_has_no_p() -> None:
    # Without the only item of the first system that has words there is nothing to divide by.
    first, second = np.array([[1, 4], [0, 0], [0, 0], [0, 0]]), np.array([[0, 0], [1, 3], [1, 2], [0, 5]])
    result = randomise(first, second, statistic=rate, resamples=200, rng=1)
    assert math.isnan(result.p) and result.difference == pytest.approx(0.25 - 0.2)
    assert "is undefined for" in result.reason


@pytest.mark.parametrize(("arguments", "options", "message"), [
    (([1, 2, 3, 4], [1, 2, 3]), {}, "4 and 3 items"),
    (([1] * 4, [2] * 4), {"resamples": 0}, "at least 1"),
    (([1] * 4, [2] * 4), {"statistic": rate}, r"shapes \(4,\) and \(4,\): both must have shape \(n, k\)"),
    (([[1, 2]] * 4, [[2, 1]] * 4), {}, "with statistic"),
])  # fmt: skip
def test_wrong_arguments_are_refused(arguments, options, message) -> None:
    with pytest.raises(ValueError, match=message):
        randomise(*arguments, **options)
