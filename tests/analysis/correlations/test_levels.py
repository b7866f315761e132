"""Correlations over outputs, within items, over systems."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow.analysis.correlations.levels import Level, correlate_at_level, item_numbers
from rainbow.stats.correlation.correlation import METHODS, Method, correlate

LEVELS: tuple[Level, ...] = ("pooled", "item", "system")


def table(items: int = 12, systems: int = 5, seed: int = 0) -> pd.DataFrame:
    """Rows for every item and system in a shuffled order; both systems and items differ."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(product(map(str, range(items)), "ABCDEFGH"[:systems]), columns=["item", "system"])
    strength = frame["system"].map(dict(zip("ABCDEFGH", rng.normal(size=8), strict=True)))
    frame["x"] = strength + rng.normal(size=len(frame))
    frame["y"] = (2 * strength + frame["x"] + rng.normal(size=len(frame))).round()
    return frame.assign(dataset="inns").sample(frac=1, random_state=seed)


def test_pooled_is_over_all_rows() -> None:
    frame = table()
    assert correlate_at_level(frame, ["x"], ["y"], "pooled").correlation(0, 0) == correlate(frame["x"], frame["y"])


@pytest.mark.parametrize("method", METHODS)
def test_item_is_the_mean_of_the_correlations_within_items(method: Method) -> None:
    frame = table()
    within = [correlate(part["x"], part["y"], method).r for _, part in frame.groupby("item")]
    found = correlate_at_level(frame, ["x"], ["y"], "item", method).correlation(0, 0)
    assert (found.r, found.n) == (pytest.approx(np.mean(within)), 12)


def test_items_in_which_a_column_does_not_vary_are_left_out() -> None:
    frame = table()
    frame.loc[frame["item"] == "3", "y"] = 4.0
    alone = frame[frame["item"] != "5"]
    alone = pd.concat([alone, frame[frame["item"] == "5"][:1]])
    within = [correlate(part["x"], part["y"]).r for item, part in frame.groupby("item") if item not in ("3", "5")]
    found = correlate_at_level(alone, ["x"], ["y"], "item").correlation(0, 0)
    assert (found.r, found.n) == (pytest.approx(np.mean(within)), 10)


@pytest.mark.parametrize("method", METHODS)
def test_system_is_over_the_means_of_systems(method: Method) -> None:
    frame = table()
    means = frame.groupby("system")[["x", "y"]].mean()
    found = correlate_at_level(frame, ["x"], ["y"], "system", method).correlation(0, 0)
    assert (found.r, found.n) == (pytest.approx(correlate(means["x"], means["y"], method).r), 5)


def test_a_system_on_two_datasets_is_two_and_so_is_an_item() -> None:
    frame = pd.concat([table(), table(seed=1).assign(dataset="cafes")])
    assert correlate_at_level(frame, ["x"], ["y"], "system").correlation(0, 0).n == 10
    assert item_numbers(frame).max() + 1 == 24


def repeated(frame: pd.DataFrame, weights: np.ndarray) -> pd.DataFrame:
    """Rows as often as they count, an item that is drawn twice being two items."""
    rows = pd.concat([frame[weights > time].assign(copy=time) for time in range(int(weights.max()))])
    return rows.assign(item=rows["item"] + "-" + rows["copy"].astype(str))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("method", METHODS)
def test_a_resample_gives_what_its_rows_give(level: Level, method: Method) -> None:
    frame = table()
    item = frame.groupby("item").ngroup().to_numpy()
    shares = np.full(item.max() + 1, 1 / (item.max() + 1))
    weights = np.random.default_rng(1).multinomial(len(shares), shares, size=8)[:, item].astype(float)
    found = correlate_at_level(frame, ["x"], ["y"], level, method).resampled(weights)[:, 0, 0]
    expected = [
        correlate_at_level(repeated(frame, counts), ["x"], ["y"], level, method).correlation(0, 0).r
        for counts in weights
    ]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_all_metrics_and_ratings_are_resampled_at_once(level: Level) -> None:
    frame = table().assign(z=lambda frame: -frame["x"])
    sample = correlate_at_level(frame, ["x", "z"], ["y"], level)
    found = sample.resampled(np.ones((2, len(frame))))
    assert found.shape == (2, 2, 1)
    assert found[0, :, 0] == pytest.approx([sample.correlation(place, 0).r for place in (0, 1)])
    assert found[0, 0, 0] == pytest.approx(-found[0, 1, 0])


def test_a_resample_without_a_system_has_no_correlation_of_systems() -> None:
    frame = table()
    weights = np.array([frame["system"] != "A", frame["system"] != ""], dtype=float)
    found = correlate_at_level(frame, ["x"], ["y"], "system").resampled(weights)[:, 0, 0]
    assert np.isnan(found).tolist() == [True, False]


def test_p_within_items_is_that_of_all_signs() -> None:
    # Two outputs per item: every r is 1 or -1, and p that of a sign test of 7 of 8.
    frame = pd.DataFrame({"dataset": "inns", "item": np.arange(8).repeat(2).astype(str), "x": [1, 2] * 8})
    found = correlate_at_level(frame.assign(y=[1, 2] * 7 + [2, 1]), ["x"], ["y"], "item").correlation(0, 0)
    assert (found.r, found.p) == (pytest.approx(0.75), pytest.approx(stats.binomtest(7, 8).pvalue))


@pytest.mark.parametrize(("level", "reason"), [
    ("pooled", "only 3 rows have both values: at least 4 are needed"),
    ("item", "only 1 items in which both x and y vary: at least 4 are needed"),
    ("system", "only 3 systems: at least 4 are needed"),
])  # fmt: skip
def test_too_few_have_a_reason(level: Level, reason: str) -> None:
    found = correlate_at_level(table(items=1, systems=3), ["x"], ["y"], level).correlation(0, 0)
    assert math.isnan(found.r) and found.reason == reason


@pytest.mark.parametrize("level", LEVELS)
def test_a_constant_column_has_a_reason_that_names_it(level: Level) -> None:
    sample = correlate_at_level(table().assign(y=3.0), ["x"], ["y"], level)
    assert "y" in str(sample.correlation(0, 0).reason) and np.isnan(sample.resampled(np.ones((1, 60)))).all()


def test_systems_with_the_same_values_in_another_order_share_a_rank() -> None:
    values = [0.1, 0.2, 0.3, 0.7, 0.9, 1.1]
    frame = pd.DataFrame({"dataset": "inns", "system": np.repeat([*"ABCD"], 6), "item": [*"123456"] * 4})
    frame = frame.assign(x=[*values, *values[::-1], *values[3:], *values[:3], *([5.0] * 6)], y=np.arange(4).repeat(6))
    found = correlate_at_level(frame, ["x"], ["y"], "system").correlation(0, 0).r
    assert found == correlate([1, 1, 1, 4], [1, 2, 3, 4]).r


@pytest.mark.parametrize("level", LEVELS)
def test_no_rows_have_a_reason(level: Level) -> None:
    sample = correlate_at_level(table()[:0], ["x"], ["y"], level)
    assert sample.correlation(0, 0).reason and sample.resampled(np.ones((2, 0))).shape == (2, 1, 1)


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ValueError, match="no column 'item'"):
        correlate_at_level(table().drop(columns="item"), ["x"], ["y"], "item")
