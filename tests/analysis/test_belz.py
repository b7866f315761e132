"""Belz and Reiter (2006): the correlations that they printed come out of the system scores that they printed."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from rainbow.stats.correlation.correlation import Correlation, correlate

Printed = Callable[[str], pd.DataFrame]

# The human-written texts stand among the systems in table 2, and are left out of table 3.
HUMAN_WRITTEN = "SumTime-Corpus"


def correlations(scores: pd.DataFrame, table: pd.DataFrame) -> list[Correlation]:
    """Return the correlation of the two columns that each cell of the table is about."""
    return [correlate(scores[a], scores[b], method="pearson") for a, b in zip(table["a"], table["b"], strict=True)]


@pytest.fixture(scope="module")
def scores(printed: Printed) -> pd.DataFrame:
    """Return table 2: a row per system, a column per metric or group of judges."""
    return printed("belz2006_table2")


@pytest.fixture(scope="module")
def table(printed: Printed, scores: pd.DataFrame) -> pd.DataFrame:
    """Return table 3, a row per cell, with what comes out of the systems of table 2."""
    found = correlations(scores[scores["system"] != HUMAN_WRITTEN], cells := printed("belz2006_table3"))
    ours = pd.DataFrame(found, index=cells.index).rename(columns={"r": "ours"})
    return cells.rename(columns={"r": "printed"}).join(ours)


def test_every_cell_of_table_3_comes_out_to_the_third_decimal(table: pd.DataFrame) -> None:
    matched = (table["ours"] - table["printed"]).abs() < 1e-3
    print(f"\ntable 3: {matched.sum()}/{len(table)}\n{table.round(4).to_string(index=False)}")
    assert len(table) == 15
    assert matched.all(), table[~matched].to_string(index=False)
    assert table["n"].eq(5).all()


def test_the_printed_digits_are_cut_off_and_not_rounded(table: pd.DataFrame) -> None:
    cut = np.floor(1000 * table["ours"]) / 1000
    rounded = table["ours"].round(3)
    assert np.isclose(cut, table["printed"]).all() and not np.isclose(rounded, table["printed"]).all()


def test_the_table_does_not_come_out_with_the_human_written_texts_among_the_systems(scores, table) -> None:
    with_corpus = np.array([found.r for found in correlations(scores, table)])
    assert (np.abs(with_corpus - table["printed"]) > 5e-3).all()


def test_no_correlation_with_people_is_significant_with_five_systems(table: pd.DataFrame) -> None:
    with_people = table["a"].isin(["experts", "non_experts"])
    assert table.loc[with_people, "ours"].max() > 0.8 and table.loc[with_people, "p"].min() > 0.05
