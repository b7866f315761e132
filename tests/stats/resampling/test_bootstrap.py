"""Intervals by resampling items."""

import re
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from rainbow.stats.correlation.intervals import fisher_interval
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling import bootstrap as module
from rainbow.stats.resampling.bootstrap import bootstrap

# Metric, rating, items.
Sample = tuple[np.ndarray, np.ndarray, np.ndarray]


def sample(rng: np.random.Generator, items: int, r: float, outputs: int = 1, shared: float = 0.0) -> Sample:
    """Draw a metric and a rating with correlation r; outputs of one item share a part of both."""
    mixing = np.linalg.cholesky([[1, r], [r, 1]])
    own = rng.normal(size=(items * outputs, 2)) @ mixing.T
    common = (rng.normal(size=(items, 2)) @ mixing.T).repeat(outputs, axis=0)
    values = np.sqrt(1 - shared) * own + np.sqrt(shared) * common
    return values[:, :1], values[:, 1:], np.arange(items).repeat(outputs)


def interval_of(metric: np.ndarray, rating: np.ndarray, items: np.ndarray, **options: Any) -> tuple[float, float]:
    low, high, reason = bootstrap(partial(weighted_correlations, metric, rating), items, **options)
    assert reason.item() is None
    return low.item(), high.item()


def seen(items: list[str] | np.ndarray, **options: Any) -> np.ndarray:
    """Return the row multiplicities that the bootstrap asks a statistic for."""
    asked: list[np.ndarray] = []

    def statistic(weights: np.ndarray) -> np.ndarray:
        asked.append(weights)
        return weights[:, :1, None]

    bootstrap(statistic, items, **options)
    return np.concatenate(asked[1:])


def test_an_item_is_drawn_with_all_its_rows() -> None:
    drawn = seen(np.array(["b", "a", "b", "c", "a", "b", "d"]), interval="percentile", resamples=50, rng=0)
    assert (drawn[:, 0] == drawn[:, 2]).all() and (drawn[:, 0] == drawn[:, 5]).all()
    assert (drawn[:, 1] == drawn[:, 4]).all() and (drawn[:, [0, 1, 3, 6]].sum(axis=1) == 4).all()


def test_every_item_is_drawn_equally_often() -> None:
    drawn = seen(np.arange(10), interval="percentile", resamples=20_000, rng=1)
    assert (drawn.mean(axis=0), drawn.var(axis=0)) == (pytest.approx(1, abs=0.04), pytest.approx(0.9, abs=0.05))


def test_each_item_is_left_out_once() -> None:
    assert seen(["x", "y", "x", "z", "u"], resamples=1)[1:].tolist() == [
        [1, 1, 1, 1, 0], [0, 1, 0, 1, 1], [1, 0, 1, 1, 1], [1, 1, 1, 0, 1],
    ]  # fmt: skip


def test_with_very_many_items_groups_are_left_out() -> None:
    kept = seen(np.arange(4500), resamples=1)[1:]
    assert kept.shape == (2000, 4500)
    assert (kept == 0).sum(axis=0).tolist() == [1] * 4500


@pytest.mark.parametrize("kind", ["bca", "percentile"])
def test_with_one_row_per_item_the_interval_is_near_that_of_scipy(kind: str) -> None:
    metric, rating, items = sample(np.random.default_rng(7), 40, 0.7)
    low, high = interval_of(metric, rating, items, interval=kind, resamples=8000, rng=1)
    oracle = stats.bootstrap(  # type: ignore[call-overload]
        (metric[:, 0], rating[:, 0]),
        lambda x, y, axis=-1: stats.spearmanr(x, y).statistic,
        paired=True,
        vectorized=False,
        n_resamples=3000,
        method="BCa" if kind == "bca" else "percentile",
        rng=2,
    ).confidence_interval
    assert (low, high) == (pytest.approx(oracle.low, abs=0.03), pytest.approx(oracle.high, abs=0.02))


def test_bca_equals_scipy_on_the_same_replicates_where_items_are_many() -> None:
    metric, rating, items = sample(np.random.default_rng(8), 200, 0.5)
    weights = seen(items, interval="percentile", resamples=500, rng=3)
    replicates = weighted_correlations(metric, rating, weights)[:, 0, 0]
    oracle = stats.bootstrap(  # type: ignore[call-overload]
        (metric[:, 0], rating[:, 0]),
        lambda x, y, axis=-1: stats.spearmanr(x, y).statistic,
        paired=True,
        vectorized=False,
        n_resamples=0,
        method="BCa",
        bootstrap_result=SimpleNamespace(bootstrap_distribution=replicates),
    ).confidence_interval
    assert interval_of(metric, rating, items, resamples=500, rng=3) == pytest.approx(tuple(oracle), abs=1e-9)


def test_the_same_seed_gives_the_same_interval() -> None:
    data = sample(np.random.default_rng(10), 30, 0.5)
    assert interval_of(*data, rng=5) == interval_of(*data, rng=5) != interval_of(*data, rng=6)
    assert interval_of(*data, rng=5) == interval_of(*data, rng=np.random.default_rng(5))


def test_other_metrics_in_the_table_do_not_change_an_interval() -> None:
    rng = np.random.default_rng(11)
    metric, rating, items = sample(rng, 30, 0.5)
    both = partial(weighted_correlations, np.hstack([rng.normal(size=(30, 1)), metric]), rating)
    bounds = bootstrap(both, items, rng=7)
    assert (bounds.low[1, 0], bounds.high[1, 0]) == pytest.approx(interval_of(metric, rating, items, rng=7), abs=1e-12)


def test_resamples_in_blocks_give_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sample(np.random.default_rng(12), 30, 0.5)
    whole = interval_of(*data, rng=8)
    monkeypatch.setattr(module, "_CELLS", 100)
    assert interval_of(*data, rng=8) == pytest.approx(whole, abs=1e-12)


def test_leaving_out_groups_of_items_gives_nearly_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sample(np.random.default_rng(13), 300, 0.8)
    whole = interval_of(*data, rng=9)
    monkeypatch.setattr(module, "_MAX_GROUPS", 100)
    assert interval_of(*data, rng=9) == pytest.approx(whole, abs=0.003)


@pytest.mark.parametrize("items", [[], [1, 1, 2, 3, 3]])
def test_with_few_items_there_is_a_reason(items: list[int]) -> None:
    column = np.arange(float(len(items)))[:, None]
    bounds = bootstrap(partial(weighted_correlations, column, column), items)
    assert np.isnan([bounds.low, bounds.high]).all()
    assert bounds.reason.item() == f"only {len(set(items))} items to resample: at least 4 are needed"


def test_a_column_that_is_constant_in_many_resamples_has_a_reason() -> None:
    metric = np.eye(20)[:, :1]
    bounds = bootstrap(partial(weighted_correlations, metric, np.arange(20.0)[:, None]), np.arange(20), rng=1)
    assert np.isnan(bounds.low).all()
    assert re.fullmatch(r"a column is constant in \d+ of 1000 resamples", bounds.reason.item())


def test_an_unknown_interval_and_no_resamples_are_refused() -> None:
    statistic = partial(weighted_correlations, [[1]], [[1]])
    with pytest.raises(ValueError, match="bca, percentile"):
        bootstrap(statistic, [1], "basic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ideally 1000"):
        bootstrap(statistic, [1], resamples=0)


def coverage(kind: str, samples: int, resamples: int) -> float:
    """The share of samples of 50 items with three outputs each whose interval holds the true Spearman correlation."""
    rng = np.random.default_rng(14)
    true = 6 / np.pi * np.arcsin(0.6 / 2)  # of a bivariate normal distribution with r = .6
    hits = 0
    for _ in range(samples):
        data = sample(rng, 50, 0.6, outputs=3, shared=0.6)
        if kind == "fisher":
            low, high, _ = fisher_interval(weighted_correlations(data[0], data[1], np.ones((1, 150))).item(), 150)
        else:
            low, high = interval_of(*data, interval=kind, resamples=resamples, rng=rng)
        hits += low < true < high
    return hits / samples


@pytest.mark.parametrize("kind", ["bca", "percentile"])
def test_intervals_hold_the_true_value_about_as_often_as_they_say(kind: str) -> None:
    # 200 samples: two standard errors are .03.
    assert 0.90 <= coverage(kind, samples=200, resamples=300) <= 0.985


@pytest.mark.slow
def test_intervals_of_items_cover_where_those_of_independent_rows_do_not() -> None:
    shares = {kind: coverage(kind, samples=2000, resamples=1000) for kind in ("bca", "percentile", "fisher")}
    print(f"coverage of 95 % intervals, outputs that share items: {shares}")
    assert 0.925 <= shares["bca"] <= 0.965 and 0.92 <= shares["percentile"] <= 0.965 and shares["fisher"] < 0.90
