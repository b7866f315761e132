"""The general trend: each row is told by the regression that knows most of it, in the direction of its columns."""

import numpy as np
import pytest

from rainbow.learned.learner.general_trend import REACH, GeneralTrend, Regression


def learned(directions: list[int], slopes: list[float], corpora: int = 3, seed: int = 1) -> Regression:
    rng = np.random.default_rng(seed)
    numbers = np.repeat(np.arange(corpora), 200)
    scores = rng.normal(size=(len(numbers), len(slopes))) + 5 * numbers[:, None]
    targets = (scores - 5 * numbers[:, None]) @ np.array(slopes) + rng.normal(size=len(numbers))
    rated = np.flatnonzero(numbers == 0)
    return Regression.fitted(
        np.arange(len(slopes)), scores, targets, numbers, np.array(directions), (2 * targets[rated] + 3, rated)
    )


def test_what_is_good_by_its_definition_never_counts_as_bad() -> None:
    slopes = learned([1, -1, 0, 0], [-1.0, 1.0, -1.0, 1.0]).coefficients
    assert slopes[:2].tolist() == [0, 0]
    assert slopes[2] < 0 < slopes[3]


def test_differences_between_corpora_are_not_learned() -> None:
    slopes = learned([0, 0], [0.0, 1.0]).coefficients
    assert abs(slopes[0]) < 0.1 * slopes[1]


def test_scores_lie_on_the_scale_of_the_corpus_that_has_it() -> None:
    regression = learned([0], [1.0], corpora=1)
    rows = np.array([[0.0], [100.0], [1000.0]])
    middle, far, farther = regression(rows)
    assert middle == pytest.approx(3, abs=0.3) and far == farther
    assert far - middle == pytest.approx(2 * REACH, rel=0.3)


def test_each_row_is_told_by_the_first_regression_that_has_its_columns() -> None:
    def constant(column: int, value: float) -> Regression:
        return Regression(np.array([column]), np.zeros(1), np.ones(1), np.zeros(1), np.array([value]))

    trend = GeneralTrend([constant(1, 2.0), constant(0, 1.0)], np.zeros(2))
    rows = np.array([[0.0, 0.0], [0.0, np.nan], [np.nan, 0.0], [np.nan, np.nan]])
    together = trend.predict(rows, {})
    assert together[:3].ravel().tolist() == [2, 1, 2] and np.isnan(together[3, 0])
    np.testing.assert_array_equal(together, np.vstack([trend.predict(row[None], {}) for row in rows]))
    assert np.isnan(trend.familiarity({}, 2)).all()
