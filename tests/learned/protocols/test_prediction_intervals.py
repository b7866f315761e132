"""Intervals around predictions: by hand, and by simulation of what they promise."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from rainbow.learned.protocols.calibration import interval_coverage, interval_half_width


def table(rated: Any, predicted: Any, fold: Any, rating: str = "quality") -> pd.DataFrame:
    ids = [f"row {row}" for row in range(len(rated))]
    return pd.DataFrame({"rating": rating, "id": ids, "fold": fold, "rated": rated, "predicted": predicted})


@pytest.mark.parametrize(
    ("n", "level", "place"),
    [(9, 0.9, 9), (10, 0.9, 10), (18, 0.9, 18), (19, 0.9, 18), (99, 0.9, 90), (1, 0.5, 1), (99, 0.55, 55), (3, 0.5, 2)],
)
def test_it_is_the_error_at_the_place_that_the_level_asks_for(n: int, level: float, place: int) -> None:
    errors = np.random.default_rng(n).permutation(np.arange(1.0, n + 1))
    assert interval_half_width(np.where(np.arange(n) % 2, 1, -1) * errors, np.zeros(n), level) == place


@pytest.mark.parametrize(("n", "level"), [(0, 0.9), (8, 0.9), (98, 0.99)])
def test_too_few_rows_give_none(n: int, level: float) -> None:
    assert math.isnan(interval_half_width(np.arange(n), np.arange(n), level))


def test_rows_without_a_rating_do_not_count() -> None:
    assert interval_half_width([*range(9), math.nan, math.nan], [0] * 9 + [100, math.nan]) == 8
    assert math.isnan(interval_half_width([*range(8), math.nan], [0] * 9))


def test_exchangeable_ratings_lie_inside_as_often_as_promised_and_hardly_oftener() -> None:
    rng = np.random.default_rng(1)
    n, draws = 50, 4000
    errors = rng.exponential(size=(draws, n + 1))  # skewed: nothing is assumed of their distribution
    inside = [errors[draw, n] <= interval_half_width(errors[draw, :n], np.zeros(n)) for draw in range(draws)]
    # The 46th of 50 errors: the chance is 46 / 51 = .902, its standard error here .0047.
    assert np.mean(inside) == pytest.approx(46 / 51, abs=4 * 0.0047)


@pytest.mark.parametrize(("arguments", "message"), [
    (([1.0], [1.0], 1.0), "level is 1.0"),
    (([1.0], [1.0], 0.0), "level is 0.0"),
    (([1.0, 2.0], [1.0]), "one of each per row"),
    (([1.0], [math.nan]), "no finite prediction"),
    (([1.0], [math.inf]), "no finite prediction"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        interval_half_width(*arguments)


def test_each_fold_is_measured_by_the_width_of_the_others() -> None:
    # The largest error of the nine in fold 1 is 18, that of the ten in fold 0 is 10.
    found = interval_coverage(table([*range(1, 11), *range(2, 20, 2)], np.zeros(19), [0] * 10 + [1] * 9)).iloc[0]
    assert (found["n"], found["coverage"]) == (19, (10 + 5) / 19)
    assert found["width"] == pytest.approx(2 * (10 * 18 + 9 * 10) / 19)


def test_the_interval_of_the_share_is_wilsons() -> None:
    rng = np.random.default_rng(3)
    found = interval_coverage(table(rng.normal(size=300), np.zeros(300), np.arange(300) % 5)).iloc[0]
    n, share, z = 300, found["coverage"], norm.ppf(0.975)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    assert (found["low"], found["high"]) == pytest.approx((centre - reach, centre + reach))


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_simulated_ratings_are_covered_as_promised(level: float) -> None:
    rng, n = np.random.default_rng(4), 5000
    predicted = rng.uniform(1, 6, n)
    rated = predicted + rng.standard_t(4, n)
    found = interval_coverage(table(rated, predicted, rng.integers(0, 5, n)), level).iloc[0]
    assert found["low"] <= level <= found["high"] and found["coverage"] == pytest.approx(level, abs=0.025)
    assert found["level"] == level


def test_a_fold_with_larger_errors_than_the_others_is_covered_less() -> None:
    rng, fold = np.random.default_rng(5), np.repeat([0, 1], 500)
    alike = interval_coverage(table(rng.normal(size=1000), np.zeros(1000), fold)).iloc[0]
    unlike = interval_coverage(table(rng.normal(size=1000) * (1 + 3 * fold), np.zeros(1000), fold)).iloc[0]
    assert unlike["coverage"] < 0.75 < alike["low"]


def test_every_rating_has_its_own_line_and_unrated_rows_do_not_count() -> None:
    first = table(np.arange(40.0), np.arange(40.0), np.arange(40) % 2)
    second = table([math.nan, *np.arange(39.0)], np.zeros(40), np.arange(40) % 2, "naturalness")
    found = interval_coverage(pd.concat([first, second]))
    assert (found["rating"].tolist(), found["n"].tolist()) == (["quality", "naturalness"], [40, 39])
    assert (found["width"][0], found["coverage"][0]) == (0, 1)


@pytest.mark.parametrize("fold", [[0] * 30, [0, 1] * 5])
def test_no_width_to_measure_by_is_told(fold: list[int]) -> None:
    found = interval_coverage(table(np.zeros(len(fold)), np.zeros(len(fold)), fold)).iloc[0]
    assert found["n"] == 0 and math.isnan(found["coverage"])
    assert "the other folds never have enough rated rows" in found["reason"]


def test_an_empty_table_gives_an_empty_one() -> None:
    found = interval_coverage(table([], [], []))
    assert len(found) == 0 and "coverage" in found


def test_predictions_of_two_protocols_are_refused() -> None:
    one = table(np.zeros(20), np.zeros(20), np.arange(20) % 2)
    with pytest.raises(ValueError, match="two predictions of quality: give those of"):
        interval_coverage(pd.concat([one, one]))


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ValueError, match="'fold'"):
        interval_coverage(table([1.0], [1.0], [0]).drop(columns="fold"))
