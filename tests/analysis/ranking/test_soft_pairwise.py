"""Whether metrics tell systems apart with as much confidence as people."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from rainbow.analysis.ranking.pairwise_accuracy import soft_pairwise_accuracy


def outputs(values: dict[str, list[list[float]]]) -> pd.DataFrame:
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


def random_outputs(seed: int, systems: int = 4, items: int = 6) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(systems, 1, 2)) + rng.normal(size=(systems, items, 2))
    return outputs({f"system {place}": rows.tolist() for place, rows in enumerate(values)})


def exact_p(first: np.ndarray, second: np.ndarray) -> float:
    """Return p of "the first is better" over all ways to swap."""
    difference = first - second
    sums = np.array([difference @ np.array(signs) for signs in product((1, -1), repeat=len(difference))])
    return float((sums >= difference.sum() - 1e-12).mean())


def twin(frame: pd.DataFrame) -> float:
    """Return soft pairwise accuracy from its definition, with exact p."""
    apart = []
    for a, b in combinations(frame["system"].unique(), 2):
        both = frame[frame["system"] == a].merge(frame[frame["system"] == b], on="item")
        p = [exact_p(both[f"{name}_x"].to_numpy(), both[f"{name}_y"].to_numpy()) for name in ("x", "quality")]
        apart.append(abs(p[0] - p[1]))
    return 1 - float(np.mean(apart))


@pytest.mark.parametrize("seed", range(3))
def test_it_is_near_that_of_all_permutations(seed: int) -> None:
    frame = random_outputs(seed)
    assert soft(frame, permutations=20_000)["soft_accuracy"] == pytest.approx(twin(frame), abs=0.01)


def test_systems_are_compared_on_the_items_that_they_have_in_common() -> None:
    frame = random_outputs(3, items=8).drop(index=[0, 1, 12, 20, 30])
    assert soft(frame, permutations=20_000)["soft_accuracy"] == pytest.approx(twin(frame), abs=0.01)


def test_a_metric_that_is_the_rating_has_one() -> None:
    frame = random_outputs(4)
    row = soft(frame.assign(x=3 * frame["quality"] + 1))
    assert (row["soft_accuracy"], row["pairwise_accuracy"], row["system_pairs"]) == (1, 1, 6)


def test_a_sure_metric_that_is_always_wrong_has_next_to_nothing() -> None:
    frame = outputs({"A": [[0, 2 + item / 9] for item in range(12)], "B": [[1, 0] for _ in range(12)]})
    row = soft(frame)
    assert row["soft_accuracy"] < 0.01 and row["pairwise_accuracy"] == 0
    assert soft(frame, higher_is_better=False)["soft_accuracy"] > 0.99


def test_five_equal_differences_have_p_of_one_in_two_to_the_fifth() -> None:
    # The metric is always .6 better, so only one of 32 ways to swap is as good; people see no difference: p is 1 both
    # ways, so that |p - p| is 31/32 for "better" and 0 for "worse".
    frame = outputs(
        {"A": [[value, 3] for value in (0.8, 0.9, 0.7, 1.0, 0.6)], "B": [[v, 3] for v in (0.2, 0.3, 0.1, 0.4, 0.0)]}
    )
    assert soft(frame, permutations=20_000)["soft_accuracy"] == pytest.approx(1 - 31 / 64, abs=0.005)


def test_the_names_of_the_systems_do_not_matter() -> None:
    frame = random_outputs(5, systems=2).assign(quality=np.random.default_rng(5).integers(1, 4, 12))
    swapped = frame.replace({"system": {"system 0": "system 1", "system 1": "system 0"}})
    assert soft(frame)["soft_accuracy"] == pytest.approx(soft(swapped)["soft_accuracy"])


def test_several_outputs_of_a_system_for_an_item_count_as_their_mean() -> None:
    frame = random_outputs(6)
    double = pd.concat([frame.assign(x=frame["x"] - 1), frame.assign(x=frame["x"] + 1)])
    assert soft(double)["soft_accuracy"] == pytest.approx(soft(frame)["soft_accuracy"])


@pytest.mark.parametrize("frame", [
    random_outputs(7, systems=1), random_outputs(7, systems=2).iloc[[0, 7]], random_outputs(7).assign(x=np.nan)
])  # fmt: skip
def test_without_two_systems_for_an_item_all_is_nan_and_the_reason_is_told(frame: pd.DataFrame) -> None:
    row = soft(frame)
    assert row[["soft_accuracy", "pairwise_accuracy"]].isna().all()
    assert (row["system_pairs"], "no two systems" in row["reason"]) == (0, True)


def test_no_permutations_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        soft(random_outputs(8), permutations=0)
