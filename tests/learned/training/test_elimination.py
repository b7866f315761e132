"""Recursive feature elimination: signals stay longest, and ranks are ranks."""

import numpy as np
import pandas as pd
import pytest

from rainbow.learned.training import learn as learning
from rainbow.learned.training.learn import rank_features


@pytest.fixture(autouse=True)
def _small_forests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "TREES", 30)


def drawn(rows: int, columns: int, seed: int = 1) -> pd.DataFrame:
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    return pd.DataFrame(values, columns=[f"c{place}" for place in range(columns)])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_planted_signals_are_kept_longest_whatever_their_places(seed: int) -> None:
    scores = drawn(150, 8, seed)
    ratings = scores["c1"] - 2 * scores["c6"] ** 2 + 0.3 * drawn(150, 1, seed + 9)["c0"]
    ranks = rank_features(scores, ratings.to_numpy())
    assert set(ranks[ranks <= 2].index) == {"c1", "c6"}


@pytest.mark.parametrize("columns", [1, 2, 6, 24])
def test_ranks_number_the_features_from_1(columns: int) -> None:
    scores = drawn(60, columns)
    ranks = rank_features(scores, scores["c0"].to_numpy())
    assert (sorted(ranks), list(ranks.index), ranks["c0"]) == (list(range(1, columns + 1)), list(scores), 1)


@pytest.mark.parametrize("signal", ["c0", "c2", "c5"])
def test_among_few_rows_the_only_signal_is_found(signal: str) -> None:
    # So few rows are split but once: where a split tries one feature only, all look equally important.
    scores = drawn(16, 6)
    assert rank_features(scores, scores[signal].to_numpy()).idxmin() == signal


def test_the_same_seed_gives_the_same_ranks() -> None:
    scores, ratings = drawn(60, 12), drawn(60, 1, 5)["c0"].to_numpy()
    first, again, other = (rank_features(scores, ratings, seed) for seed in (1, 1, 2))
    pd.testing.assert_series_equal(first, again)
    assert (first != other).any()


def test_a_missing_score_counts_as_the_median() -> None:
    scores = drawn(60, 5)
    holes, filled = scores.copy(), scores.copy()
    holes.loc[::4, "c2"] = np.nan
    filled.loc[::4, "c2"] = holes["c2"].median()
    ratings = scores["c3"].to_numpy()
    pd.testing.assert_series_equal(rank_features(holes, ratings), rank_features(filled, ratings))


def test_a_feature_without_any_score_and_a_constant_one_go_before_a_signal() -> None:
    scores = drawn(60, 3).assign(constant=1.0, none=np.nan)
    ranks = rank_features(scores, scores["c0"].to_numpy())
    assert (ranks["c0"], sorted(ranks)) == (1, [1, 2, 3, 4, 5])


def test_the_table_is_left_as_it_was() -> None:
    scores = drawn(30, 3)
    scores.loc[0, "c0"] = np.nan
    before = scores.copy()
    rank_features(scores, drawn(30, 1, 2)["c0"].to_numpy())
    pd.testing.assert_frame_equal(scores, before)
