"""Pairwise accuracy that is fair to ties.

The two cases of four outputs are those by which the authors of tie calibration test their own tool (mt-metrics-eval);
every number follows by counting six pairs. Everything else is held against trying every epsilon, pair by pair.
"""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from rainbow.analysis.ranking.pairwise_accuracy import tie_calibrated_accuracy, two_way_accuracy
from rainbow.stats.order.pairs import calibrate_ties

SCORES = [0, 2, 6, 8]


def outputs(metric: list[float], rating: list[float], items: list[int] | int = 1) -> pd.DataFrame:
    systems = [f"system {place}" for place in range(len(metric))]
    return pd.DataFrame({"dataset": "inns", "item": items, "system": systems, "x": metric, "quality": rating})


def calibrated(frame: pd.DataFrame, higher_is_better: bool = True, **options: Any) -> pd.Series:
    return tie_calibrated_accuracy(frame, ["x"], ["quality"], {"x": higher_is_better}, **options).iloc[0]


def two_way(frame: pd.DataFrame, higher_is_better: bool = True) -> pd.Series:
    return two_way_accuracy(frame, ["x"], ["quality"], {"x": higher_is_better}).iloc[0]


def random_outputs(seed: int, rows: int = 40, marks: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = outputs(rng.normal(size=rows).round(1).tolist(), rng.integers(marks, size=rows).tolist())
    return frame.assign(item=rng.integers(rows // 4, size=rows), quality=frame["quality"].where(rng.random(rows) < 0.9))


def differences(frame: pd.DataFrame) -> list[list[tuple[float, float]]]:
    """Return for every item the differences of its pairs, of the metric and of the rating."""
    items = [rows for _, rows in frame.dropna().groupby("item")]
    values = [list(zip(rows["x"], rows["quality"], strict=True)) for rows in items]
    pairs = [[(a[0] - b[0], a[1] - b[1]) for a, b in combinations(rows, 2)] for rows in values]
    return [item for item in pairs if item]


def twin(frame: pd.DataFrame, epsilon: float) -> float:
    """Return the accuracy with one epsilon, pair by pair, as the mean over the items."""

    def right(gap: float, human: float) -> bool:
        return human == 0 if abs(gap) <= epsilon else gap * human > 0

    items = differences(frame)
    return sum(sum(right(*pair) for pair in item) / len(item) for item in items) / len(items)


def candidates(frame: pd.DataFrame) -> list[float]:
    """Return 0 and every difference between two scores."""
    return sorted({0.0, *(abs(a - b) for a, b in combinations(frame["x"], 2))})


def test_without_ties_in_the_ratings_an_epsilon_of_zero_is_best() -> None:
    row = calibrated(outputs(SCORES, [1, 2, 3, 4]))
    assert (row["epsilon"], row["accuracy"], row["uncalibrated"], row["pairs"]) == (0, 1, 1, 6)


def test_with_ties_in_the_ratings_a_larger_epsilon_is_best_and_the_smallest_is_given() -> None:
    row = calibrated(outputs(SCORES, [1, 1, 1, 4]))
    assert (row["epsilon"], row["accuracy"]) == (4, pytest.approx(4 / 6))
    assert (row["uncalibrated"], row["rating_ties"]) == (pytest.approx(3 / 6), pytest.approx(3 / 6))


@pytest.mark.parametrize("seed", range(4))
def test_no_epsilon_is_better_than_the_one_that_is_found(seed: int) -> None:
    frame = random_outputs(seed)
    row = calibrated(frame)
    accuracies = [twin(frame, epsilon) for epsilon in candidates(frame)]
    assert row["accuracy"] == pytest.approx(max(accuracies)) == pytest.approx(twin(frame, row["epsilon"]))
    assert row["uncalibrated"] == pytest.approx(accuracies[0])


def test_every_item_counts_the_same_whatever_its_number_of_pairs() -> None:
    row = calibrated(outputs([1, 2, 1, 2, 3], [1, 2, 3, 2, 1], [1, 1, 2, 2, 2]))
    assert (row["uncalibrated"], row["pairs"]) == (pytest.approx((1 + 0) / 2), 4)


def test_a_metric_that_ties_everything_has_the_share_of_ties() -> None:
    row = calibrated(outputs([5, 5, 5, 5], [1, 1, 1, 4]))
    assert row["accuracy"] == pytest.approx(row["rating_ties"]) == pytest.approx(0.5)


def test_a_metric_is_turned_round_where_lower_is_better() -> None:
    frame = outputs([8, 6, 2, 0], [1, 2, 3, 4])
    assert calibrated(frame, higher_is_better=False)["accuracy"] == 1
    assert (two_way(frame, higher_is_better=False)["accuracy"], two_way(frame)["accuracy"]) == (1, 0)


def test_without_pairs_all_is_nan_and_the_reason_is_told() -> None:
    row = calibrated(outputs([1, 2], [1, 2], [1, 2]))
    assert row[["accuracy", "epsilon", "uncalibrated", "rating_ties"]].isna().all() and row["pairs"] == 0
    assert "no item has two outputs" in row["reason"]


def test_infinite_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="'x' has infinite values"):
        calibrated(outputs([0, -np.inf], [1, 2]))


def test_lists_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="2 differences, 1 differences of ratings, 2 weights: give the same"):
        calibrate_ties([1, 2], [1])


@pytest.mark.parametrize("seed", range(3))
def test_two_way_accuracy_leaves_out_ties_of_people_and_halves_those_of_the_metric(seed: int) -> None:
    frame = random_outputs(seed, rows=60)
    points = [(1 + np.sign(gap * human)) / 2 for item in differences(frame) for gap, human in item if human]
    right, wrong = points.count(1), points.count(0)
    row = two_way(frame)
    assert (row["pairs"], row["accuracy"]) == (len(points), pytest.approx(np.mean(points)))
    assert row["metric_ties"] == pytest.approx(points.count(0.5) / len(points)) and row["metric_ties"] > 0
    assert row["p"] == pytest.approx(binomtest(right, right + wrong, alternative="greater").pvalue)


def test_a_constant_metric_has_one_half() -> None:
    row = two_way(outputs([5, 5, 5], [1, 2, 3]))
    assert (row["accuracy"], row["metric_ties"], row["p"], row["reason"]) == (0.5, 1, 1, None)


@pytest.mark.parametrize(("frame", "reason"), [
    (outputs([1, 2, 3], [4, 4, 4]), "people tie every pair"),
    (outputs([1, 2], [1, 2], [1, 2]), "no item has two outputs"),
])  # fmt: skip
def test_two_way_accuracy_without_untied_pairs_is_nan_with_its_reason(frame: pd.DataFrame, reason: str) -> None:
    row = two_way(frame)
    assert row[["accuracy", "metric_ties", "p"]].isna().all() and (row["pairs"], reason in row["reason"]) == (0, True)


def test_calibration_raises_every_stored_metric_to_at_least_the_share_of_ties(stored: pd.DataFrame) -> None:
    metrics = ["TER", "BLEU4", "METEOR", "CIDEr", "SIM"]
    directions = {name: name != "TER" for name in metrics}
    table = tie_calibrated_accuracy(stored, metrics, ["informativeness", "quality"], directions)
    print("\n" + table.drop(columns="reason").round(3).to_string())
    assert (table["accuracy"] >= table[["uncalibrated", "rating_ties"]].max(axis=1) - 1e-9).all()
    assert (table["epsilon"] >= 0).all()
