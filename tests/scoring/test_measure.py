"""A line for every cell, rating and metric."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow.scoring.measure import measure_cells, oriented

FRAME = pd.DataFrame(
    {
        "dataset": ["inns", "inns", "inns", "cafes"],
        "x": [1.0, 2.0, np.nan, 4.0],
        "y": [1.0, 2.0, 3.0, 4.0],
        "quality": [1.0, np.nan, 3.0, 4.0],
        "naturalness": [1.0, 2.0, 3.0, 4.0],
    }
)


def rows(part: pd.DataFrame, metrics: list[str], ratings: list[str]) -> dict[str, Any]:
    assert not part[metrics + ratings].isna().any(axis=None)
    sums = part[metrics].sum().to_numpy()[:, None] * part[ratings].sum().to_numpy()[None, :]
    return {"n": np.array(len(part)), "product": sums, "reason": np.array(None)}


def test_each_cell_rating_and_metric_has_the_rows_with_both() -> None:
    table = measure_cells(FRAME, ["x", "y"], ["quality", "naturalness"], "dataset", rows)
    inns = table[table["dataset"] == "inns"]
    assert inns["rating"].tolist() == ["quality", "quality", "naturalness", "naturalness"]
    assert inns["metric"].tolist() == ["x", "y", "x", "y"]
    assert inns["n"].tolist() == [1, 2, 2, 3]
    assert inns["product"].tolist() == [1, 16, 9, 36]
    assert table["n"].tolist()[4:] == [1] * 4


def test_columns_that_miss_the_same_rows_are_measured_at_once() -> None:
    calls: list[tuple[list[str], list[str]]] = []

    def recorded(part: pd.DataFrame, metrics: list[str], ratings: list[str]) -> dict[str, Any]:
        calls.append((metrics, ratings))
        return rows(part, metrics, ratings)

    measure_cells(FRAME, ["y", "x"], ["naturalness", "quality"], "all", recorded)
    assert len(calls) == 4
    calls.clear()
    measure_cells(FRAME.dropna(), ["y", "x"], ["naturalness", "quality"], "all", recorded)
    assert calls == [(["y", "x"], ["naturalness", "quality"])]


def test_reasons_stay_none_beside_text() -> None:
    def reason(part: pd.DataFrame, metrics: list[str], ratings: list[str]) -> dict[str, Any]:
        return {"reason": np.array(None if len(part) > 1 else "one row", dtype=object)}

    table = measure_cells(FRAME, ["y"], ["naturalness"], "dataset", reason)
    assert table["reason"].tolist() == [None, "one row"]


def test_only_metrics_where_lower_is_better_are_negated_and_the_table_stays_as_it_was() -> None:
    table = oriented(FRAME, ["x", "y"], {"x": False, "y": None})
    assert table["x"].tolist()[:2] == [-1, -2]
    assert table["y"].tolist() == [1, 2, 3, 4]
    assert FRAME["x"].tolist()[:2] == [1, 2]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (FRAME.drop(columns="x"), "no column 'x'"),
        (FRAME.assign(x=["a", "b", "c", "d"]), "'x' holds no numbers"),
        (FRAME.assign(x=[1, np.inf, 2, 3]), "'x' has infinite values"),
    ],
)
def test_columns_without_finite_numbers_are_refused(frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        oriented(frame, ["x"], {"x": True})
    with pytest.raises(ValueError, match=message):
        measure_cells(frame, ["x"], ["quality"], "all", rows)
