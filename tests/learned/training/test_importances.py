"""What a learned metric owes to each feature: the fall of its correlation when the feature is shuffled."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from rainbow.learned.fitting import SHUFFLES, feature_importances
from rainbow.learned.learner.regressor import RainbowRegressor


def table(rows: int = 120, seed: int = 1) -> pd.DataFrame:
    values = np.random.default_rng(seed).normal(size=(rows, 3))
    return pd.DataFrame(values, columns=["strong", "weak", "void"]).assign(constant=2.0)


def rated(scores: pd.DataFrame) -> np.ndarray:
    return np.array(2 * scores["strong"] + scores["weak"])


@pytest.fixture(scope="module")
def fitted() -> RainbowRegressor:
    return RainbowRegressor().fit(table(seed=2), rated(table(seed=2)))


def test_features_come_by_what_they_are_worth(fitted: RainbowRegressor) -> None:
    found = feature_importances(fitted, table(), rated(table()))
    assert list(found) == ["feature", "importance", "low", "high", "rank"]
    assert (found["rank"].tolist(), found["feature"].tolist()[:2]) == ([1, 2, 3, 4], ["strong", "weak"])
    assert found["importance"].is_monotonic_decreasing
    falls = found.set_index("feature")["importance"]
    assert falls["strong"] > falls["weak"] + 0.1 > 0.2 and abs(falls["void"]) < 0.05


def test_a_constant_feature_is_worth_exactly_nothing(fitted: RainbowRegressor) -> None:
    found = feature_importances(fitted, table(), rated(table())).set_index("feature")
    assert found.loc["constant", ["importance", "low", "high"]].tolist() == [0, 0, 0]


def test_the_importance_is_the_mean_fall_and_lies_between_the_smallest_and_the_largest(fitted) -> None:
    scores, ratings = table(), rated(table())
    found = feature_importances(fitted, scores, ratings, seed=3).set_index("feature")
    assert (found["low"] <= found["importance"]).all() and (found["importance"] <= found["high"]).all()
    # By hand: the same shuffles, one by one.
    rng, whole = np.random.default_rng(3), spearmanr(fitted.predict(scores), ratings)[0]
    orders = [rng.permutation(len(scores)) for _ in range(SHUFFLES)]
    shuffled = [scores.assign(strong=scores["strong"].to_numpy()[order]) for order in orders]
    falls = [whole - spearmanr(fitted.predict(part), ratings)[0] for part in shuffled]
    expected = [np.mean(falls), min(falls), max(falls)]
    np.testing.assert_allclose(found.loc["strong", ["importance", "low", "high"]].astype(float), expected)


def test_the_same_seed_gives_the_same_numbers(fitted: RainbowRegressor) -> None:
    first, again, other = (feature_importances(fitted, table(), rated(table()), seed=seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert first["importance"].tolist() != other["importance"].tolist()


def test_a_text_is_a_feature_too() -> None:
    words = ["cheap", "dear", "near", "far"]
    scores = pd.DataFrame(
        {"void": np.random.default_rng(1).normal(size=80), "surface": [words[row % 4] for row in range(80)]}
    )
    ratings = np.array([float(row % 4) for row in range(80)])
    found = feature_importances(RainbowRegressor().fit(scores, ratings), scores, ratings)
    assert found["feature"].tolist() == ["surface", "void"] and found["importance"][0] > 0.5


def test_rows_without_a_rating_do_not_count(fitted: RainbowRegressor) -> None:
    scores, ratings = table(), rated(table())
    ratings[::5] = np.nan
    found = feature_importances(fitted, scores, ratings).set_index("feature")
    assert found.notna().all().all() and found.loc["strong", "rank"] == 1


def test_the_table_is_left_as_it_was(fitted: RainbowRegressor) -> None:
    scores = table()
    feature_importances(fitted, scores, rated(scores))
    pd.testing.assert_frame_equal(scores, table())
