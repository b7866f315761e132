"""The forest of the 2017 paper: scores on the scale of the ratings, and scikit-learn's forest on them."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

from rainbow.learned.learner.quantised_forest import NODE, SPLIT_COLUMNS, TREES, QuantisedForest


def examples(size: int = 200, columns: int = 6, ratings: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(size, columns))
    scores[rng.uniform(size=scores.shape) < 0.1] = np.nan
    return scores, rng.integers(1, 7, (size, ratings)).astype(float), rng.uniform(0.1, 1, size)


def quantised(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Cut scores into eleven steps between the extremes of their column, one after the other."""
    found = np.empty(scores.shape)
    for place, (column, training) in enumerate(zip(scores.T, known.T, strict=True)):
        there = training[~np.isnan(training)]
        edges = np.linspace(there.min(), there.max(), 12)[1:-1]
        filled = np.where(np.isnan(column), np.median(there), column)
        found[:, place] = 1 + np.searchsorted(edges, filled, side="right") / 2
    return found


@pytest.mark.parametrize("ratings", [1, 2])
def test_predictions_are_those_of_scikit_learns_forest_on_quantised_scores(ratings: int) -> None:
    scores, rated, weights = examples(ratings=ratings)
    new = examples(50)[0] * 1.5
    oracle = RandomForestRegressor(TREES, max_features=SPLIT_COLUMNS, min_samples_split=NODE + 1, random_state=3)
    oracle.fit(quantised(scores, scores), rated if ratings > 1 else rated[:, 0], weights)
    expected = oracle.predict(quantised(new, scores)).reshape(50, ratings)
    np.testing.assert_array_equal(QuantisedForest(scores, rated, weights, 3).predict(new), expected)


def test_eleven_steps_are_the_marks_from_one_to_six_with_halves() -> None:
    forest = QuantisedForest(np.linspace(0, 11, 23)[:, None], np.ones((23, 1)), np.ones(23), 1)
    marks = forest._quantised(np.array([[-5.0], [0.0], [0.99], [1.0], [5.5], [10.0], [11.0], [99.0]]))
    assert marks.ravel().tolist() == [1, 1, 1, 1.5, 3.5, 6, 6, 6]


def test_scores_between_the_same_steps_are_the_same_to_it() -> None:
    scores, rated, weights = examples(columns=1)
    forest = QuantisedForest(scores, rated, weights, 1)
    assert len(np.unique(forest.predict(np.linspace(np.nanmin(scores), np.nanmax(scores), 1000)[:, None]))) <= 11


def test_one_column_is_enough_and_no_row_has_no_prediction() -> None:
    scores, rated, weights = examples(columns=1)
    assert QuantisedForest(scores, rated, weights, 1).predict(np.empty((0, 1))).shape == (0, 1)


def test_a_column_without_any_score_is_nought() -> None:
    scores, rated, weights = examples(columns=3)
    scores[:, 1] = np.nan
    forest = QuantisedForest(scores, rated, weights, 1)
    assert forest.median[1] == 0
    changed = scores.copy()
    changed[:, 1] = 7
    np.testing.assert_array_equal(forest.predict(changed), forest.predict(scores))
