"""The cells of a table, and a line for every cell, rating and metric."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow.scoring.table_cells import iterate_cells, measure_cells, orient_metrics

TABLE = pd.DataFrame(
    {"dataset": ["inns", "cafes", "inns", "inns"], "system": ["B", "B", "A", "B"], "quality": [1, 2, 3, 4]},
    index=[7, 7, 8, 9],
)


@pytest.mark.parametrize(("by", "expected"), [
    ("dataset-system", {("inns", "B"): [1, 4], ("cafes", "B"): [2], ("inns", "A"): [3]}),
    ("dataset", {("inns", "all"): [1, 3, 4], ("cafes", "all"): [2]}),
    ("system", {("all", "B"): [1, 2, 4], ("all", "A"): [3]}),
    ("all", {("all", "all"): [1, 2, 3, 4]}),
])  # fmt: skip
def test_every_row_is_in_one_part_and_parts_come_as_they_first_occur(by, expected) -> None:
    found = {(key["dataset"], key["system"]): part["quality"].tolist() for key, part in iterate_cells(TABLE, by)}
    assert (found, list(found)) == (expected, list(expected))


def test_a_categorical_column_gives_no_empty_parts() -> None:
    table = TABLE.assign(system=pd.Categorical(TABLE["system"], ["A", "B", "C"]))
    assert {key["system"] for key, _ in iterate_cells(table, "system")} == {"A", "B"}


def test_all_needs_no_columns() -> None:
    assert len(list(iterate_cells(pd.DataFrame({"quality": [1]}), "all"))) == 1


def test_a_table_without_rows_has_no_cells() -> None:
    assert list(iterate_cells(TABLE[:0], "dataset")) == []


def test_a_missing_column_is_named_at_once() -> None:
    with pytest.raises(ValueError, match="no column 'system'"):
        iterate_cells(TABLE.drop(columns="system"), "dataset-system")


def test_unknown_parts_are_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="dataset-system, dataset, system, all"):
        iterate_cells(TABLE, "mr")  # type: ignore[arg-type]


FRAME = pd.DataFrame({
    "dataset": ["inns", "inns", "inns", "cafes"],
    "x": [1.0, 2.0, np.nan, 4.0],
    "y": [1.0, 2.0, 3.0, 4.0],
    "quality": [1.0, np.nan, 3.0, 4.0],
    "naturalness": [1.0, 2.0, 3.0, 4.0],
})  # fmt: skip


def rows(part: pd.DataFrame, metrics: list[str], ratings: list[str]) -> dict[str, Any]:
    assert not part[metrics + ratings].isna().any(axis=None)
    sums = part[metrics].sum().to_numpy()[:, None] * part[ratings].sum().to_numpy()[None, :]
    return {"n": np.array(len(part)), "product": sums, "reason": np.array(None)}


def test_each_cell_rating_and_metric_has_the_rows_with_both() -> None:
    table = measure_cells(FRAME, ["x", "y"], ["quality", "naturalness"], "dataset", rows)
    inns = table[table["dataset"] == "inns"]
    assert inns["rating"].tolist() == ["quality", "quality", "naturalness", "naturalness"]
    assert (inns["metric"].tolist(), inns["n"].tolist()) == (["x", "y", "x", "y"], [1, 2, 2, 3])
    assert (inns["product"].tolist(), table["n"].tolist()[4:]) == ([1, 16, 9, 36], [1] * 4)


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

    assert measure_cells(FRAME, ["y"], ["naturalness"], "dataset", reason)["reason"].tolist() == [None, "one row"]


def test_only_metrics_where_lower_is_better_are_negated_and_the_table_stays_as_it_was() -> None:
    table = orient_metrics(FRAME, ["x", "y"], {"x": False, "y": None})
    assert (table["x"].tolist()[:2], table["y"].tolist(), FRAME["x"].tolist()[:2]) == ([-1, -2], [1, 2, 3, 4], [1, 2])


@pytest.mark.parametrize(("frame", "message"), [
    (FRAME.drop(columns="x"), "no column 'x'"),
    (FRAME.assign(x=["a", "b", "c", "d"]), "'x' has no numbers"),
    (FRAME.assign(x=[1, np.inf, 2, 3]), "'x' has infinite values"),
])  # fmt: skip
def test_columns_without_finite_numbers_are_refused(frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        orient_metrics(frame, ["x"], {"x": True})
    with pytest.raises(ValueError, match=message):
        measure_cells(frame, ["x"], ["quality"], "all", rows)
