"""Krippendorff's alpha and kappas, against other packages and a published example; latent classes of items."""

import math
from collections.abc import Sequence
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater  # type: ignore[import-untyped]

from rainbow.stats.agreement.ceilings import LatentClasses, fit_latent_classes
from rainbow.stats.agreement.chance_corrected import (
    LEVELS,
    MeasurementLevel,
    fleiss_kappa,
    krippendorff_alpha,
    light_kappa,
    rating_counts,
)
from rainbow.stats.agreement.raters import inter_rater_correlation
from rainbow.stats.agreement.rating_matrix import Agreement

from .simulated_raters import NAN, SHROUT_FLEISS, judged, ratings

ALL_LEVELS = pytest.mark.parametrize("level", LEVELS)
# Four observers, twelve units, with gaps: Krippendorff (2011), Computing Krippendorff's alpha-reliability, part C.
KRIPPENDORFF = np.array([
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]).T  # fmt: skip
MATRICES = {
    "published": KRIPPENDORFF, "complete": SHROUT_FLEISS, "gaps": ratings(1, gaps=0.3),
    "mostly gaps": ratings(2, 200, 6, gaps=0.7), "zero among the marks": ratings(3, gaps=0.1) - 1,
    "not whole": np.exp(np.random.default_rng(4).normal(size=(30, 3))),
}  # fmt: skip


@ALL_LEVELS
@pytest.mark.parametrize("name", MATRICES)
def test_alpha_is_that_of_the_krippendorff_package(name: str, level: MeasurementLevel) -> None:
    matrix = MATRICES[name].astype(float)
    oracle = krippendorff.alpha(matrix.T, level_of_measurement=level)
    assert krippendorff_alpha(matrix, level, resamples=0).estimate == pytest.approx(oracle, abs=1e-9)


def test_the_published_example() -> None:
    found = {level: round(krippendorff_alpha(KRIPPENDORFF, level, resamples=0).estimate, 3) for level in LEVELS}
    assert found == {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}


def test_items_with_one_rating_are_left_out_and_n_says_so() -> None:
    found = krippendorff_alpha([[1, 1, NAN], [2, 3, NAN], [NAN, 5, NAN]], resamples=0)
    assert (found.n_items, found.n_raters) == (2, 2)


def test_the_order_of_raters_within_an_item_does_not_matter() -> None:
    matrix = ratings(5)
    shuffled = np.random.default_rng(0).permuted(matrix, axis=1)
    expected = krippendorff_alpha(matrix, "interval", resamples=0).estimate
    assert krippendorff_alpha(shuffled, "interval", resamples=0).estimate == pytest.approx(expected)


def test_the_interval_covers_what_many_more_items_give() -> None:
    rng = np.random.default_rng(6)
    truth = krippendorff_alpha(judged(rng.normal(4, 1, 50_000), 1, 3, rng), resamples=0).estimate
    samples = [judged(rng.normal(4, 1, 100), 1, 3, rng) for _ in range(60)]
    found = [krippendorff_alpha(sample, resamples=200, rng=7) for sample in samples]
    assert np.mean([low <= truth <= high for _, _, low, high, *_ in found]) == pytest.approx(0.95, abs=0.07)


def test_a_scale_used_only_on_items_with_one_rating_does_not_count() -> None:
    found = krippendorff_alpha(np.array([[2, 2], [2, 2], [NAN, 5]]))
    assert math.isnan(found.estimate) and found.reason == "all ratings are equal"


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from nominal"):
        krippendorff_alpha(KRIPPENDORFF, "likert")  # type: ignore[arg-type]


SCALE = list(range(1, 7))


def of_two(first: Sequence[float], second: Sequence[float]) -> Agreement:
    """Return Cohen's kappa: the mean over the one pair of two raters."""
    return light_kappa(np.column_stack([first, second]), resamples=0)


def table(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.array([[np.sum((first == one) & (second == two)) for two in SCALE] for one in SCALE])


@pytest.mark.parametrize("seed", range(4))
def test_cohens_kappa_is_that_of_statsmodels_and_of_scikit_learn(seed: int) -> None:
    first, second = ratings(seed, 50, 2).T
    own = of_two(first, second).estimate
    assert own == pytest.approx(inter_rater.cohens_kappa(table(first, second), wt="quadratic").kappa, abs=1e-9)
    assert own == pytest.approx(cohen_kappa_score(first, second, labels=SCALE, weights="quadratic"), abs=1e-9)


def test_a_mark_that_nobody_gave_does_not_change_distances() -> None:
    # Nobody gave a 2 or a 3, and still 1 and 4 are three steps apart.
    first, second = [1, 1, 4, 5], [1, 4, 4, 5]
    expected = 1 - (9 / 4) / np.mean([(one - two) ** 2 for one in first for two in second])
    assert of_two(first, second).estimate == pytest.approx(expected)


def test_items_that_only_one_rater_saw_are_left_out() -> None:
    assert of_two([1, 2, 3, NAN, 1], [1, 2, 2, 3, NAN]).estimate == of_two([1, 2, 3], [1, 2, 2]).estimate


@pytest.mark.parametrize("seed", range(4))
def test_fleiss_kappa_is_that_of_statsmodels(seed: int) -> None:
    matrix = ratings(seed)
    counts = np.array([[np.sum(row == mark) for mark in SCALE] for row in matrix])
    assert fleiss_kappa(matrix, resamples=0).estimate == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-9)


def test_fleiss_kappa_goes_by_the_number_of_ratings_not_by_who_gave_them() -> None:
    gaps = [[1, 1, NAN], [NAN, 2, 3], [3, NAN, 3]]
    assert fleiss_kappa(gaps, resamples=0).estimate == fleiss_kappa([[1, 1], [2, 3], [3, 3]], resamples=0).estimate


def test_fleiss_kappa_refuses_unequal_numbers_of_ratings() -> None:
    found = fleiss_kappa(np.array([[1, 1, 2], [2, 2, NAN], [3, 3, 3]]))
    assert math.isnan(found.estimate) and "unequal numbers" in str(found.reason)


def test_lights_kappa_is_the_mean_over_pairs_each_with_its_own_items() -> None:
    matrix = ratings(8, gaps=0.2)
    pairs = [of_two(one, two).estimate for one, two in combinations(matrix.T, 2)]
    assert light_kappa(matrix, resamples=0).estimate == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("measure", [fleiss_kappa, light_kappa, krippendorff_alpha, inter_rater_correlation])
def test_the_bootstrap_interval_holds_the_estimate_and_comes_again_with_the_seed(measure) -> None:
    first, second, other = (measure(ratings(9), resamples=100, rng=seed) for seed in (3, 3, 4))
    assert first == second and first.low < first.estimate < first.high and first[2:4] != other[2:4]


def test_raters_who_never_meet_have_no_kappa() -> None:
    assert light_kappa([[1, 1, NAN], [2, 2, NAN], [NAN, NAN, 3]], resamples=0).estimate == 1
    apart = light_kappa([[1, 1, NAN, NAN], [1, 1, NAN, NAN], [NAN, NAN, 2, 2], [NAN, NAN, 2, 2]])
    assert "no two raters" in str(apart.reason)


KINDS = LatentClasses(np.array([0.7, 0.3]), np.array([[0.05, 0.15, 0.8], [0.6, 0.3, 0.1]]))


def drawn(n_items: int, n_raters: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    kinds = rng.choice(2, size=n_items, p=KINDS.shares)
    matrix = [rng.choice(3, size=n_raters, p=KINDS.probabilities[kind]) for kind in kinds]
    return rating_counts(np.array(matrix, dtype=float))[1]


def likelihood(counts: np.ndarray, classes: LatentClasses) -> float:
    return float(np.log(np.exp(counts @ np.log(classes.probabilities).T) @ classes.shares).sum())


def test_the_kinds_that_were_drawn_are_found_from_a_near_start() -> None:
    start = LatentClasses(np.array([0.5, 0.5]), np.array([[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]]))
    found = fit_latent_classes(drawn(5000, 4), start=start)
    assert found.shares == pytest.approx(KINDS.shares, abs=0.03)
    assert found.probabilities == pytest.approx(KINDS.probabilities, abs=0.03)


def test_the_marks_are_at_least_as_likely_as_under_the_kinds_that_were_drawn() -> None:
    counts = drawn(500, 3)
    assert likelihood(counts, fit_latent_classes(counts)) >= likelihood(counts, KINDS)


def test_shares_and_probabilities_add_up_to_one() -> None:
    found = fit_latent_classes(drawn(50, 3))
    assert found.shares.sum() == pytest.approx(1)
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(len(found.shares)))


def test_the_expected_marks_are_the_observed_ones() -> None:
    counts = drawn(200, 3)
    found = fit_latent_classes(counts)
    assert found.shares @ found.probabilities == pytest.approx(counts.sum(axis=0) / counts.sum(), abs=1e-6)


def test_a_weight_of_two_is_the_same_as_the_item_twice() -> None:
    counts = drawn(60, 3)
    start = fit_latent_classes(counts)
    weighted = fit_latent_classes(counts, np.where(np.arange(60) < 20, 2.0, 1.0), start=start)
    twice = fit_latent_classes(np.concatenate([counts, counts[:20]]), start=start)
    assert weighted.shares == pytest.approx(twice.shares)


def test_several_draws_at_once_are_fitted_as_each_by_itself() -> None:
    counts = drawn(60, 3)
    draws = np.random.default_rng(1).multinomial(60, np.full(60, 1 / 60), size=7).astype(float)
    for start in (None, fit_latent_classes(counts)):
        together = fit_latent_classes(counts, draws, start=start)
        for place, weights in enumerate(draws):
            alone = fit_latent_classes(counts, weights, start=start)
            np.testing.assert_allclose(together.shares[place], alone.shares, atol=1e-9)
            np.testing.assert_allclose(together.probabilities[place], alone.probabilities, atol=1e-9)
