"""Means of systems and tests of their differences, over tables."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow.analysis.system_means import TESTS, compare_systems, system_means
from rainbow.stats.differences.mean_differences import MeanDifference
from rainbow.stats.resampling.paired_resampling import approximate_randomisation

GAP = float("nan")


def table(systems: str = "AB", items: int = 20, datasets: tuple[str, ...] = ("inns",), seed: int = 0) -> pd.DataFrame:
    """Return a row for every dataset, item and system, with two columns of numbers."""
    rng = np.random.default_rng(seed)
    keys = [(dataset, item, system) for dataset in datasets for item in range(items) for system in systems]
    frame = pd.DataFrame(keys, columns=["dataset", "item", "system"])
    return frame.assign(TER=rng.random(len(frame)), quality=rng.integers(1, 7, len(frame)).astype(float))


def values(frame: pd.DataFrame, system: str, column: str = "TER") -> np.ndarray:
    return frame.loc[frame["system"] == system, column].to_numpy()


def line(result: pd.DataFrame, test: str, column: str = "TER") -> pd.Series:
    found = result[(result["test"] == test) & (result["column"] == column)]
    assert len(found) == 1
    return found.iloc[0]


def test_means_have_a_line_for_every_dataset_system_and_column() -> None:
    means = system_means(table(datasets=("inns", "cafes")), ["TER", "quality"])
    assert means.columns.tolist() == ["dataset", "system", "column", "mean", "sd", "n", "reason"]
    assert list(zip(means["dataset"], means["system"], means["column"], strict=True)) == [
        (dataset, system, column) for dataset in ("inns", "cafes") for system in "AB" for column in ("TER", "quality")
    ]


def test_mean_and_standard_deviation_are_those_of_the_rows_with_a_value() -> None:
    means = system_means(pd.DataFrame({"dataset": "inns", "system": "A", "TER": [1.0, 3.0, GAP, 5.0]}), ["TER"]).iloc[0]
    assert (means["mean"], means["sd"], means["n"], means["reason"]) == (3.0, 2.0, 3, None)


@pytest.mark.parametrize(("numbers", "reason"), [
    ([GAP, GAP], "there are no values"),
    ([1.0, GAP], "a standard deviation needs two rows"),
    ([1.0, math.inf], "there are infinite values"),
])  # fmt: skip
def test_a_mean_or_spread_that_is_not_defined_says_why(numbers, reason) -> None:
    means = system_means(pd.DataFrame({"dataset": "inns", "system": "A", "TER": numbers}), ["TER"]).iloc[0]
    assert (math.isnan(means["sd"]), means["reason"]) == (True, reason)


def test_every_pair_of_systems_of_every_dataset_is_compared_by_every_test() -> None:
    result = compare_systems(table("ABC", datasets=("inns", "cafes")), ["TER"], resamples=20, rng=1)
    keys = ["dataset", "first", "second", "column", "test"]
    assert result.columns.tolist() == [*keys, *MeanDifference._fields, "resamples"]
    pairs = [(dataset, *pair) for dataset in ("inns", "cafes") for pair in ("AB", "AC", "BC")]
    lines = zip(*(result[name] for name in ("dataset", "first", "second", "test")), strict=True)
    assert list(lines) == [(*pair, test) for pair in pairs for test in TESTS]


def test_as_one_of_many_columns_a_difference_is_shuffled_until_it_can_be_significant() -> None:
    frame = table().assign(quality=lambda rows: 10.0 * (rows["system"] == "A") + rows["item"] % 7)
    columns = ["quality", *(f"noise {place}" for place in range(60))]
    rng = np.random.default_rng(1)
    frame = frame.assign(**{name: rng.normal(size=len(frame)) for name in columns[1:]})
    result = compare_systems(frame, columns, resamples=1000, rng=1)
    shuffled = result[result["test"] == "approximate randomisation"].set_index("column")
    assert shuffled.loc["quality", "p"] * len(columns) < 0.05
    assert shuffled["resamples"].value_counts().index.tolist() == [1000, 2440]
    assert (shuffled.loc[shuffled["resamples"] == 1000, "p"] > 0.01).all()


def test_the_tests_are_those_of_scipy_and_pair_outputs_by_item_whatever_their_order() -> None:
    frame = table()
    a, b = values(frame, "A"), values(frame, "B")
    result = compare_systems(frame.sample(frac=1, random_state=4).sort_values("system"), ["TER"], resamples=20, rng=1)
    assert line(result, "pooled t")["p"] == pytest.approx(stats.ttest_ind(a, b).pvalue)
    assert line(result, "Welch t")["p"] == pytest.approx(stats.ttest_ind(a, b, equal_var=False).pvalue)
    assert line(result, "paired t")["p"] == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert line(result, "Wilcoxon signed-rank")["p"] == pytest.approx(stats.wilcoxon(a, b).pvalue)


def test_approximate_randomisation_of_the_table_is_that_of_the_item_means() -> None:
    frame = table()
    result = line(compare_systems(frame, ["TER"], resamples=500, rng=9), "approximate randomisation")
    alone = approximate_randomisation(values(frame, "A"), values(frame, "B"), resamples=500, rng=9)
    assert (result["p"], result["difference"], result["n_first"]) == (alone.p, alone.difference, alone.n)
    assert math.isnan(result["statistic"])


def test_several_outputs_for_an_item_count_as_their_mean() -> None:
    frame = table()
    more = frame[frame["system"] == "B"].assign(TER=lambda rows: rows["TER"] + 1)
    doubled = compare_systems(pd.concat([frame, more]), ["TER"], resamples=20, rng=1)
    expected = stats.ttest_rel(values(frame, "A"), values(frame, "B") + 0.5)
    assert line(doubled, "paired t")["p"] == pytest.approx(expected.pvalue)
    assert line(doubled, "pooled t")["n_second"] == 40


def test_items_of_one_system_only_are_left_out_of_the_pairs_and_n_says_so() -> None:
    frame = table()
    result = compare_systems(frame[~((frame["system"] == "B") & (frame["item"] < 5))], ["TER"], resamples=20, rng=1)
    assert line(result, "paired t")["n_first"] == 15
    assert (line(result, "pooled t")["n_first"], line(result, "pooled t")["n_second"]) == (20, 15)


def test_missing_scores_leave_their_column_alone() -> None:
    frame = table()
    frame.loc[frame["item"] < 3, "TER"] = GAP
    result = compare_systems(frame, ["TER", "quality"], resamples=20, rng=1)
    assert (line(result, "paired t", "TER")["n_first"], line(result, "paired t", "quality")["n_first"]) == (17, 20)


def test_items_of_the_same_name_in_two_datasets_are_two_items() -> None:
    result = compare_systems(table(datasets=("inns", "cafes"), items=5), ["TER"], resamples=20, rng=1)
    assert result[["dataset", "n_first"]].drop_duplicates().values.tolist() == [["inns", 5], ["cafes", 5]]


def test_a_system_alone_has_no_test_and_says_so() -> None:
    result = compare_systems(table("A"), ["TER"], resamples=20, rng=1)
    assert result["test"].tolist() == list(TESTS)
    assert result[["p", "difference", "low", "high", "statistic"]].isna().all(axis=None)
    assert (set(result["reason"]), set(result["second"])) == ({"there is only one system"}, {""})


def test_three_items_are_too_few_for_pairs() -> None:
    result = compare_systems(table(items=3), ["TER"], resamples=20, rng=1)
    assert line(result, "pooled t")["reason"] is None and result.loc[result["test"].isin(TESTS[2:]), "p"].isna().all()
    assert line(result, "paired t")["reason"] == "only 3 items have both values: at least 4 are needed"


def test_a_column_without_a_value_or_with_ties_alone_has_no_p_and_a_reason() -> None:
    result = compare_systems(table().assign(TER=GAP, quality=0.5), ["TER", "quality"], resamples=20, rng=1)
    assert result["p"].isna().all() and result["reason"].notna().all()
    of_column = result.set_index("column")
    assert (of_column.loc["TER", "n_first"] == 0).all() and (of_column.loc["quality", "difference"] == 0).all()


@pytest.mark.parametrize(("function", "column"), [(system_means, "BLEU9"), (compare_systems, "BLEU9")])
def test_a_missing_column_is_named(function, column) -> None:
    with pytest.raises(ValueError, match="no column 'BLEU9'"):
        function(table(), [column])
