"""Pooled correlations within strata against hand-made and brute-force results."""

import numpy as np
import pandas as pd
import pingouin
import pytest
from scipy.stats import rankdata, spearmanr

from rainbow.stats.correlation.within_strata import max_test, ranks_within, resampled_correlations, within_strata
from rainbow.stats.order.system_order import order_test


def test_one_stratum_gives_spearmans_correlation() -> None:
    x, y = np.random.default_rng(1).integers(0, 5, (2, 40)).astype(float)
    found = within_strata(x[:, None], y, np.zeros(40, int), np.arange(40)).r[0]
    assert found == pytest.approx(spearmanr(x, y).statistic)


def test_ranks_are_those_of_each_stratum() -> None:
    values, strata = np.random.default_rng(2).integers(0, 4, 30).astype(float), np.arange(30) % 3
    found = ranks_within(values[:, None], strata)[:, 0]
    for stratum in range(3):
        own = values[strata == stratum]
        np.testing.assert_allclose(found[strata == stratum], ((rankdata(own) - (len(own) + 1) / 2) / len(own)))


def test_what_differs_between_strata_counts_for_nothing() -> None:
    rng = np.random.default_rng(3)
    strata, clusters = np.arange(300) % 3, np.arange(300) // 3
    x, y = rng.normal(size=(2, 300))
    shifted = within_strata((x + 100 * strata)[:, None], y + 100 * strata, strata, clusters).r
    np.testing.assert_allclose(shifted, within_strata(x[:, None], y, strata, clusters).r)


def test_across_takes_away_what_inputs_share_also_where_some_are_lacking() -> None:
    rng = np.random.default_rng(4)
    kept = rng.random(600) < 0.8
    strata, clusters = (np.arange(600) % 3)[kept], (np.arange(600) // 3)[kept]
    x, y = rng.normal(size=200)[clusters] + rng.normal(size=(2, kept.sum()))
    assert within_strata(x[:, None], y, strata, clusters).r[0] > 0.4
    assert abs(within_strata(x[:, None], y, strata, clusters, across=True).r[0]) < 0.15


def test_with_another_column_held_it_is_the_partial_correlation_of_pingouin() -> None:
    held, x, y = np.random.default_rng(8).normal(size=(3, 60))
    data = pd.DataFrame({"held": held, "x": x + held, "y": y + 0.3 * x + held})
    expected = pingouin.partial_corr(data, "x", "y", "held", method="spearman")["r"].item()
    found = within_strata(data[["x", "held"]], data["y"], np.zeros(60, int), np.arange(60), held=held).r
    assert found == pytest.approx([expected, np.nan], nan_ok=True)


def test_rows_that_lack_a_column_are_left_out_for_it_alone() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(50, 2)), rng.normal(size=50)
    gap = x.copy()
    gap[:10, 0] = np.nan
    strata, clusters = np.arange(50) % 2, np.arange(50)
    found = within_strata(gap, y, strata, clusters).r
    assert found[1] == within_strata(x, y, strata, clusters).r[1]
    assert found[0] == pytest.approx(within_strata(x[10:], y[10:], strata[10:], clusters[10:]).r[0])


def test_the_best_of_many_is_found_by_chance_as_often_as_the_level_says() -> None:
    rng, found = np.random.default_rng(6), 0
    for time in range(200):
        scores, rated = rng.normal(size=(100, 20)), rng.normal(size=100)
        within = within_strata(scores, rated, np.arange(100) % 4, np.arange(100) // 4)
        found += np.nanmin(max_test([within.terms], 199, time).above) <= 0.05
    assert 2 <= found <= 20  # of 200 at the level .05: 99.9 % of binomial draws


def test_resampled_clusters_spread_as_the_correlation_does() -> None:
    x, y = np.random.default_rng(7).normal(size=(2, 400))
    drawn = resampled_correlations(within_strata(x[:, None], y, np.zeros(400, int), np.arange(400)), 500, 1)
    assert drawn.std() == pytest.approx(1 / 20, rel=0.2)


@pytest.mark.parametrize("systems", [3, 4, 7, 12])
def test_no_order_of_systems_is_surer_than_the_number_of_orders_allows(systems: int) -> None:
    found = order_test(np.arange(systems)[:, None], np.arange(systems), resamples=999, rng=1)
    assert found.r[0] == pytest.approx(1)
    assert found.p[0] == pytest.approx(1 / [0, 1, 2, 6, 24, 120, 720, 5040][systems] if systems < 8 else 1 / 1000)


def test_systems_are_exchanged_within_their_dataset_only() -> None:
    assert order_test([[1], [2], [11], [12]], [1, 2, 1, 2], np.array([0, 0, 1, 1])).p[0] == pytest.approx(1 / 4)
