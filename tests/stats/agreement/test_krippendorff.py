"""Krippendorff's alpha, against the krippendorff package and a published example."""

import math

import krippendorff
import numpy as np
import pytest

from rainbow.stats.agreement.chance_corrected import LEVELS, MeasurementLevel, krippendorff_alpha

from .simulated_raters import DEGENERATE, NAN, SHROUT_FLEISS, judged, ratings

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


def test_a_seed_gives_the_same_interval_again() -> None:
    first, second, other = (krippendorff_alpha(ratings(7), resamples=50, rng=seed) for seed in (1, 1, 2))
    assert first == second and first[2:4] != other[2:4]


@ALL_LEVELS
@pytest.mark.parametrize("reason", DEGENERATE)
def test_degenerate_ratings_give_nan_with_the_reason(level: MeasurementLevel, reason: str) -> None:
    found = krippendorff_alpha(DEGENERATE[reason], level)
    assert math.isnan(found.estimate) and reason in str(found.reason)


def test_a_scale_used_only_on_items_with_one_rating_does_not_count() -> None:
    found = krippendorff_alpha(np.array([[2, 2], [2, 2], [NAN, 5]]))
    assert math.isnan(found.estimate) and found.reason == "all ratings are equal"


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from nominal"):
        krippendorff_alpha(KRIPPENDORFF, "likert")  # type: ignore[arg-type]
