"""Scores on the scale of the ratings."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.analysis.ranking.ranking_accuracy import quantise
from rainbow.stats.correlation.correlation import correlate

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


def test_a_column_of_text_is_refused() -> None:
    with pytest.raises(ValueError, match="'x' has no numbers"):
        quantise(pd.DataFrame({"x": ["1", "2"]}), {"x": True})


def test_a_missing_direction_is_refused() -> None:
    with pytest.raises(ValueError, match="the direction of 'x' is unknown"):
        quantise(pd.DataFrame({"x": [1, 2]}), {})


def test_table_13_comes_out(stored: pd.DataFrame, printed: Callable[[str], pd.DataFrame]) -> None:
    table = printed("novikova2017_table13")
    metrics = table["metric"].unique().tolist()
    quantised = quantise(stored[metrics], {name: name != "TER" for name in metrics})
    misses = []
    for cell in table.itertuples():
        rows = (stored[cell.rating] <= 2) == (cell.bin == "bad")
        rho = correlate(quantised.loc[rows, cell.metric], stored.loc[rows, cell.rating]).r
        if abs(rho - cell.rho) > 0.005 + 1e-9:
            misses.append((cell.rating, cell.bin, cell.metric, cell.rho, rho))
    print(f"\ntable 13: {len(table) - len(misses)}/{len(table)}", *misses, sep="\n")
    assert misses == []
