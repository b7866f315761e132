"""A combination of at most five scores."""

import numpy as np
import pytest

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.combination import MOST, Combination


def fitted(scores: FloatArray, ratings: FloatArray, general: int | None = None, sign: int = 1) -> Combination:
    columns = scores.shape[1]
    prior = np.array([[place == general for place in range(columns)]])
    return Combination(scores, ratings[:, None], np.ones(len(scores)), np.full(columns, sign), prior)


def drawn(rows: int, columns: int, seed: int = 1) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(rows, columns))
    return scores, scores[:, :8].sum(axis=1) + rng.normal(size=rows)


def test_at_most_five_columns_are_used_and_each_in_its_direction() -> None:
    scores, ratings = drawn(200, 20)
    model = fitted(scores, ratings)
    assert len(model.used) == MOST and set(model.used) <= set(range(8))
    assert len(fitted(scores, ratings, sign=-1).used) < MOST  # what agrees by chance at most
    assert np.corrcoef(model.predict(scores, {})[:, 0], ratings)[0, 1] > 0.6


def test_columns_fitted_alone_have_the_coefficients_that_they_have_among_all() -> None:
    scores, ratings = drawn(100, 12)
    model = fitted(scores, ratings, general=3)
    used = model.used
    alone = fitted(scores[:, used], ratings, general=list(used).index(3))
    np.testing.assert_allclose(alone.predict(scores[:, used], {}), model.predict(scores, {}), atol=1e-9)


def test_few_ratings_leave_the_general_score_in_the_lead() -> None:
    rng = np.random.default_rng(3)
    scores, ratings = rng.normal(size=(20, 30)), rng.normal(size=20)
    predicted = fitted(scores, ratings + 0.5 * scores[:, 0], general=0).predict(scores, {})[:, 0]
    assert np.corrcoef(predicted, scores[:, 0])[0, 1] > 0.6


def test_rows_are_predicted_one_by_one() -> None:
    scores, ratings = drawn(50, 6)
    model = fitted(scores, ratings)
    np.testing.assert_array_equal(model.predict(scores[7:8], {}), model.predict(scores, {})[7:8])


def test_nothing_that_agrees_gives_the_mean() -> None:
    scores, ratings = np.arange(30.0)[:, None], np.arange(30.0)[::-1]
    model = fitted(scores, ratings)
    assert (model.predict(scores, {}), len(model.used)) == (pytest.approx(14.5), 0)
