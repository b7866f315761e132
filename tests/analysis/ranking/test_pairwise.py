"""Pairwise accuracy with calibrated ties and without ties; whether metrics tell systems apart as surely as people."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from rainbow.analysis.ranking.pairwise_accuracy import soft_pairwise_accuracy, tie_calibrated_accuracy, two_way_accuracy

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


def system_outputs(values: dict[str, list[list[float]]]) -> pd.DataFrame:
    """Make a table from lists of (metric, rating) for each system, one for each item."""
    return pd.DataFrame(
        [
            {"dataset": "inns", "item": item, "system": system, "x": metric, "quality": rating}
            for system, rows in values.items()
            for item, (metric, rating) in enumerate(rows)
        ]
    )


def soft(frame: pd.DataFrame, higher_is_better: bool = True, permutations: int = 1000) -> pd.Series:
    table = soft_pairwise_accuracy(frame, ["x"], ["quality"], {"x": higher_is_better}, permutations=permutations, rng=1)
    return table.iloc[0]


def random_systems(seed: int, systems: int = 4, items: int = 6) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(systems, 1, 2)) + rng.normal(size=(systems, items, 2))
    return system_outputs({f"system {place}": rows.tolist() for place, rows in enumerate(values)})


def exact_p(first: np.ndarray, second: np.ndarray) -> float:
    """Return p of "the first is better" over all ways to swap."""
    difference = first - second
    sums = np.array([difference @ np.array(signs) for signs in product((1, -1), repeat=len(difference))])
    return float((sums >= difference.sum() - 1e-12).mean())


def soft_twin(frame: pd.DataFrame) -> float:
    """Return soft pairwise accuracy from its definition, with exact p."""
    apart = []
    for a, b in combinations(frame["system"].unique(), 2):
        both = frame[frame["system"] == a].merge(frame[frame["system"] == b], on="item")
        p = [exact_p(both[f"{name}_x"].to_numpy(), both[f"{name}_y"].to_numpy()) for name in ("x", "quality")]
        apart.append(abs(p[0] - p[1]))
    return 1 - float(np.mean(apart))


@pytest.mark.parametrize("seed", range(3))
def test_it_is_near_that_of_all_permutations(seed: int) -> None:
    frame = random_systems(seed)
    assert soft(frame, permutations=20_000)["soft_accuracy"] == pytest.approx(soft_twin(frame), abs=0.01)


def test_systems_are_compared_on_the_items_that_they_have_in_common() -> None:
    frame = random_systems(3, items=8).drop(index=[0, 1, 12, 20, 30])
    assert soft(frame, permutations=20_000)["soft_accuracy"] == pytest.approx(soft_twin(frame), abs=0.01)


def test_a_metric_that_is_the_rating_has_one() -> None:
    frame = random_systems(4)
    row = soft(frame.assign(x=3 * frame["quality"] + 1))
    assert (row["soft_accuracy"], row["pairwise_accuracy"], row["system_pairs"]) == (1, 1, 6)


def test_a_sure_metric_that_is_always_wrong_has_next_to_nothing() -> None:
    frame = system_outputs({"A": [[0, 2 + item / 9] for item in range(12)], "B": [[1, 0] for _ in range(12)]})
    row = soft(frame)
    assert row["soft_accuracy"] < 0.01 and row["pairwise_accuracy"] == 0
    assert soft(frame, higher_is_better=False)["soft_accuracy"] > 0.99


def test_five_equal_differences_have_p_of_one_in_two_to_the_fifth() -> None:
    # The metric is always .6 better, so only one of 32 ways to swap is as good; people see no difference: p is 1 both
    # ways, so that |p - p| is 31/32 for "better" and 0 for "worse".
    frame = system_outputs(
        {"A": [[value, 3] for value in (0.8, 0.9, 0.7, 1.0, 0.6)], "B": [[v, 3] for v in (0.2, 0.3, 0.1, 0.4, 0.0)]}
    )
    assert soft(frame, permutations=20_000)["soft_accuracy"] == pytest.approx(1 - 31 / 64, abs=0.005)


def test_the_names_of_the_systems_do_not_matter() -> None:
    frame = random_systems(5, systems=2).assign(quality=np.random.default_rng(5).integers(1, 4, 12))
    swapped = frame.replace({"system": {"system 0": "system 1", "system 1": "system 0"}})
    assert soft(frame)["soft_accuracy"] == pytest.approx(soft(swapped)["soft_accuracy"])


def test_several_outputs_of_a_system_for_an_item_count_as_their_mean() -> None:
    frame = random_systems(6)
    double = pd.concat([frame.assign(x=frame["x"] - 1), frame.assign(x=frame["x"] + 1)])
    assert soft(double)["soft_accuracy"] == pytest.approx(soft(frame)["soft_accuracy"])


@pytest.mark.parametrize("frame", [
    random_systems(7, systems=1), random_systems(7, systems=2).iloc[[0, 7]], random_systems(7).assign(x=np.nan)
])  # fmt: skip
def test_without_two_systems_for_an_item_all_is_nan_and_the_reason_is_told(frame: pd.DataFrame) -> None:
    row = soft(frame)
    assert row[["soft_accuracy", "pairwise_accuracy"]].isna().all()
    assert (row["system_pairs"], "no two systems" in row["reason"]) == (0, True)


def test_no_permutations_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        soft(random_systems(8), permutations=0)
