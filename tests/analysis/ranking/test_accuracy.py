"""Scores on the scale of the ratings, and the share of pairs that metrics order as people do."""

import csv
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from rainbow.analysis.ranking.ranking_accuracy import quantise, ranking_accuracy
from rainbow.stats.order.pairs import spreadsheet_text, text_ranks

SCALE = {1 + mark / 2 for mark in range(11)}
columns = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30).filter(lambda values: min(values) < max(values))


def one(values: list[float], higher_is_better: bool | None = True) -> list[float]:
    return quantise(pd.DataFrame({"x": values}), {"x": higher_is_better})["x"].tolist()


def test_eleven_equal_parts_of_the_range_become_eleven_marks() -> None:
    # With a range from 0 to 22, the parts are 0-2, 2-4 ... 20-22.
    assert one([0, 1.9, 2, 4, 11, 19.9, 20, 22]) == [1, 1, 1.5, 2, 3.5, 5.5, 6, 6]


def test_lower_is_better_is_turned_round() -> None:
    assert one([0, 1, 11, 21, 22], higher_is_better=False) == [6, 6, 3.5, 1, 1]


def test_a_column_without_direction_is_left_as_it_is() -> None:
    assert one([0, 10], higher_is_better=None) == [1, 6]


def test_as_published_turns_round_ter_and_nothing_else() -> None:
    scores = pd.DataFrame({"TER": [0.0, 1.0], "msp": [0.0, 1.0]})
    table = quantise(scores, {"TER": False, "msp": False}, as_published=True)
    assert table.to_dict("list") == {"TER": [6, 1], "msp": [1, 6]}
    assert quantise(scores, {"TER": False, "msp": False})["msp"].tolist() == [6, 1]


@given(columns)
def test_order_is_kept_and_the_ends_are_one_and_six(values: list[float]) -> None:
    marks = np.array(one(values))
    assert set(marks) <= SCALE and (marks.min(), marks.max()) == (1, 6)
    assert (np.diff(marks[np.argsort(values)]) >= 0).all()


@given(columns)
def test_what_is_quantised_stays_as_it_is_when_quantised_again(values: list[float]) -> None:
    assert one(one(values)) == one(values)


def test_missing_scores_stay_missing_and_are_named() -> None:
    table = quantise(pd.DataFrame({"x": [0.0, None, 1.0]}, index=[7, 8, 9]), {"x": True})
    assert (table["x"].isna().tolist(), table.index.tolist()) == ([False, True, False], [7, 8, 9])
    assert table.attrs["missing"] == {"x": {"there is no score": [1]}}


@pytest.mark.parametrize(("values", "reason"), [
    ([2.0, 2.0], "it is constant"),
    ([2.0], "it is constant"),
    ([np.nan, np.nan], "there is no score"),
    ([], "there is no score"),
    ([1.0, np.inf], "it has infinite values"),
])  # fmt: skip
def test_a_column_without_a_range_is_nan_and_says_why(values: list[float], reason: str) -> None:
    table = quantise(pd.DataFrame({"x": values}, dtype=float), {"x": True})
    assert table["x"].isna().all() and table.attrs["missing"] == {"x": {reason: "all"}}


METRICS = ["TER", "BLEU1", "BLEU2", "BLEU3", "BLEU4", "ROUGE", "NIST", "LEPOR", "CIDEr", "METEOR", "SIM", "RE"]
RATINGS = ["informativeness", "naturalness", "quality"]
DIRECTIONS = {name: name != "TER" for name in METRICS}
CELL = ["dataset", "rating", "metric"]


def outputs(items: list[int], metric: list[float], rating: list[float], systems: str = "") -> pd.DataFrame:
    names = list(systems) or [str(place) for place in range(len(items))]
    return pd.DataFrame({"dataset": "inns", "item": items, "system": names, "x": metric, "quality": rating})


def accuracy(frame: pd.DataFrame, higher_is_better: bool | None = True, **options: Any) -> pd.Series:
    """Return the one row of the result."""
    options = {"permutations": 9, "rng": 1} | options
    return ranking_accuracy(frame, ["x"], ["quality"], {"x": higher_is_better}, **options).iloc[0]


def random_outputs(rows: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "dataset": rng.choice(["inns", "cafes"], rows),
        "item": rng.integers(rows // 3, size=rows),
        "system": rng.choice(list("ABC"), rows),
        "x": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(4, size=rows)),
        "y": rng.integers(4, size=rows).astype(float),
        "quality": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(3, size=rows)),
    })  # fmt: skip


def twin(frame: pd.DataFrame, metric: str, rating: str) -> tuple[int, int]:
    """Count the pairs, and the right ones, one by one."""
    pairs = right = 0
    for _, rows in frame.dropna(subset=[metric, rating]).groupby(["dataset", "item"]):
        for (_, a), (_, b) in combinations(rows.iterrows(), 2):
            pairs += 1
            right += np.sign(a[metric] - b[metric]) == np.sign(a[rating] - b[rating])
    return pairs, right


def test_a_tie_is_a_third_outcome() -> None:
    # Of the pairs, metric and people agree on the first (A better) and the second (tie), not on the others.
    frame = outputs([1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [2, 1, 3, 3, 3, 3, 2, 1, 1, 2], [6, 5, 4, 4, 2, 1, 3, 3, 5, 1])
    row = accuracy(frame)
    assert (row["pairs"], row["accuracy"], row["metric_ties"], row["rating_ties"]) == (5, 2 / 5, 2 / 5, 2 / 5)


def test_a_metric_is_turned_round_where_lower_is_better() -> None:
    frame = outputs([1, 1, 2, 2], [0.2, 0.9, 0.1, 0.4], [6, 1, 6, 5])
    assert accuracy(frame, higher_is_better=False)["accuracy"] == 1
    assert accuracy(frame, higher_is_better=True)["accuracy"] == accuracy(frame, higher_is_better=None)["accuracy"] == 0


@pytest.mark.parametrize("seed", range(3))
def test_all_pairs_of_complete_outputs_are_counted(seed: int) -> None:
    frame = random_outputs(90, seed)
    table = ranking_accuracy(frame, ["x", "y"], ["quality", "y"], {"x": True, "y": True}, permutations=1)
    for row in table.itertuples():
        pairs, right = twin(frame[frame["dataset"] == row.dataset], row.metric, row.rating)
        assert (row.pairs, row.accuracy) == (pairs, pytest.approx(right / pairs))


def test_pooled_cells_keep_the_items_of_datasets_apart() -> None:
    frame = random_outputs(90, 4)
    row = accuracy(frame, by="all")
    assert (row["dataset"], row["pairs"]) == ("all", twin(frame, "x", "quality")[0])


def test_the_order_of_the_rows_does_not_matter() -> None:
    frame = random_outputs(60, 5).drop_duplicates(["dataset", "item", "system"])
    before, after = (
        accuracy(rows)[["pairs", "accuracy", "chance"]].tolist()
        for rows in (frame, frame.sample(frac=1, random_state=1))
    )
    assert after == pytest.approx(before)


def test_a_metric_that_only_knows_the_system_is_no_better_than_chance() -> None:
    rng = np.random.default_rng(7)
    rating = np.column_stack([rng.integers(3, 7, 100), rng.integers(1, 4, 100)])
    frame = outputs([item for item in range(100) for _ in "AB"], [1, 0] * 100, rating.ravel().tolist(), "AB" * 100)
    row = accuracy(frame, permutations=99)
    assert row["accuracy"] > 0.8 and (row["chance"], row["p_permutation"]) == (pytest.approx(row["accuracy"]), 1)


def test_quantised_scores_are_turned_round_once() -> None:
    frame = outputs([1, 1, 2, 2], [0.0, 1.0, 0.1, 0.9], [6, 1, 6, 2])
    assert accuracy(frame, higher_is_better=False, scores="quantised")["accuracy"] == 1


def test_quantising_looks_at_all_rows_not_at_those_of_the_cell() -> None:
    frame = outputs([1, 1, 2, 2], [0.50, 0.51, 0.0, 1.0], [4, 4, 1, 6]).assign(dataset=["a", "a", "b", "b"])
    table = ranking_accuracy(frame, ["x"], ["quality"], {"x": True}, scores="quantised", rng=1)
    assert table["metric_ties"].tolist() == [1, 0]


@pytest.mark.parametrize(("frame", "options", "reason"), [
    (outputs([1, 2], [1, 2], [1, 2]), {}, "no item has two outputs"),
    (outputs([1, 1], [1, np.nan], [1, 2]), {}, "no item has two outputs"),
    (outputs([1, 1], [3, 3], [1, 2]), {"scores": "quantised"}, "it is constant"),
])  # fmt: skip
def test_without_pairs_all_is_nan_and_the_reason_is_told(frame, options, reason) -> None:
    row = accuracy(frame, **options)
    assert row["pairs"] == row["permutations"] == 0
    assert row.drop(["dataset", "system", "rating", "metric", "pairs", "permutations", "reason"]).isna().all()
    assert reason in row["reason"]


def test_one_item_alone_has_an_accuracy_but_no_chance() -> None:
    row = accuracy(outputs([1, 1], [1, 2], [1, 2]))
    assert row["accuracy"] == 1 and row[["chance", "p_permutation", "p_binomial"]].isna().all()
    assert "nothing to permute" in row["reason"]


@pytest.mark.parametrize(("change", "message"), [
    ({"metrics": ["z"]}, "no column 'z'"),
    ({"ratings": ["fluency"]}, "no column 'fluency'"),
    ({"higher_is_better": {}}, "the direction of 'x' is unknown"),
    ({"scores": "rounded"}, "unknown scores 'rounded'"),
    ({"permutations": 0}, "at least 1"),
    ({"metrics": ["system"], "higher_is_better": {"system": True}}, "'system' has no numbers"),
    ({"by": "city"}, "unknown parts 'city'"),
])  # fmt: skip
def test_what_is_missing_is_named(change: dict[str, Any], message: str) -> None:
    arguments = {"metrics": ["x"], "ratings": ["quality"], "higher_is_better": {"x": True}} | change
    with pytest.raises(ValueError, match=message):
        ranking_accuracy(outputs([1, 1], [1, 2], [1, 2], "AB"), **arguments)


def test_text_compares_characters_from_the_left() -> None:
    assert text_ranks(np.array([10.0, 9.0, 0.5, 4.28e-9, 0.00000159])).tolist() == [2, 4, 1, 3, 0]


def test_the_text_of_the_public_file_comes_out_for_every_score(data_dir: Path) -> None:
    columns = ["TER", "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L", "NIST", "LEPOR", "CIDEr", "METEOR"]
    columns += ["sim.mr.sys", "sys.read.flesch"]
    with (data_dir / "emnlp2017" / "emnlp_data_medians.csv").open(encoding="utf-8", newline="") as stream:
        texts = [row[column] for row in csv.DictReader(stream) for column in columns]
    assert (len(texts), [text for text in texts if spreadsheet_text(float(text)) != text]) == (2460 * 12, [])


@pytest.fixture(scope="module")
def table_12(printed: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Return the printed cells that are not one draw of a random score."""
    table = printed("novikova2017_table12")
    return table[table["metric"] != "rand"]


def compared(table_12: pd.DataFrame, scores: str, stored: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Return the printed cells beside ours, and whether they are equal to all printed digits."""
    ours = ranking_accuracy(stored, METRICS, RATINGS, DIRECTIONS, scores=scores, rng=1, **options)
    both = table_12[table_12["scores"] == scores].merge(ours, on=CELL, validate="one_to_one")
    both["equal"] = (100 * both["accuracy"] - both["accuracy_percent"]).abs() <= 0.005 + 1e-9
    misses = both.loc[~both["equal"], [*CELL, "accuracy_percent", "accuracy"]]
    print(f"\ntable 12, {scores}, {options}: {both['equal'].sum()}/{len(both)}")
    if not both["equal"].all():
        print(misses.to_string(index=False))
    return both


def test_table_12_comes_out_for_quantised_scores(stored: pd.DataFrame, table_12: pd.DataFrame) -> None:
    both = compared(table_12, "quantised", stored, as_published=True)
    assert (len(both), both["pairs"].unique().tolist()) == (36, [579]) and both["equal"].all()


def test_table_12_comes_out_for_raw_scores_compared_as_text(stored: pd.DataFrame, table_12: pd.DataFrame) -> None:
    both = compared(table_12, "raw", stored, as_published=True)
    assert len(both) == 108
    assert both.groupby("dataset")["pairs"].unique().str[0].to_dict() == {"BAGEL": 202, "SFHOTEL": 398, "SFREST": 579}
    assert both["equal"].all()


def test_table_12_differs_where_numbers_are_compared_as_numbers(stored: pd.DataFrame, table_12: pd.DataFrame) -> None:
    both = compared(table_12, "raw", stored, one_per_item=True)
    assert both["equal"].sum() == 61
    # A score without exponents and with as many digits before the point as all others is in the same order as text.
    assert both.loc[both["metric"].isin(["TER", "ROUGE", "LEPOR", "METEOR", "SIM"]), "equal"].all()


def test_in_bagel_no_metric_differs_from_the_expectation_of_a_random_score(stored, table_12) -> None:
    both = compared(table_12, "raw", stored, one_per_item=True)
    bagel = both[(both["dataset"] == "BAGEL") & (both["metric"] != "RE")]
    p = [binomtest(round(c.accuracy * c.pairs), c.pairs, (1 - c.rating_ties) / 2).pvalue for c in bagel.itertuples()]
    assert (bagel["significant"].sum(), sum(value < 0.05 for value in p)) == (33, 0)


def test_one_pair_per_item_is_for_two_systems() -> None:
    frame = pd.DataFrame(
        {"dataset": "inns", "item": [1, 1, 1], "system": [*"ABC"], "x": [1, 2, 3], "quality": [3, 2, 1]}
    )
    with pytest.raises(ValueError, match="'inns' has 3 systems"):
        ranking_accuracy(frame, ["x"], ["quality"], {"x": True}, one_per_item=True)
