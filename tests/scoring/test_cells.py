"""The parts of a table."""

import pandas as pd
import pytest

from rainbow.scoring.cells import By, cells

TABLE = pd.DataFrame(
    {"dataset": ["inns", "cafes", "inns", "inns"], "system": ["B", "B", "A", "B"], "quality": [1, 2, 3, 4]},
    index=[7, 7, 8, 9],
)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("dataset-system", {("inns", "B"): [1, 4], ("cafes", "B"): [2], ("inns", "A"): [3]}),
        ("dataset", {("inns", "all"): [1, 3, 4], ("cafes", "all"): [2]}),
        ("system", {("all", "B"): [1, 2, 4], ("all", "A"): [3]}),
        ("all", {("all", "all"): [1, 2, 3, 4]}),
    ],
)
def test_every_row_is_in_one_part_and_parts_come_as_they_first_occur(
    by: By, expected: dict[tuple[str, str], list[int]]
) -> None:
    found = {(key["dataset"], key["system"]): part["quality"].tolist() for key, part in cells(TABLE, by)}
    assert found == expected
    assert list(found) == list(expected)


def test_a_categorical_column_gives_no_empty_parts() -> None:
    table = TABLE.assign(system=pd.Categorical(TABLE["system"], ["A", "B", "C"]))
    assert {key["system"] for key, _ in cells(table, "system")} == {"A", "B"}


def test_all_needs_no_columns() -> None:
    assert len(list(cells(pd.DataFrame({"quality": [1]}), "all"))) == 1


def test_a_table_without_rows_has_no_cells() -> None:
    assert list(cells(TABLE[:0], "dataset")) == []


def test_a_missing_column_is_named_at_once() -> None:
    with pytest.raises(ValueError, match="no column 'system'"):
        cells(TABLE.drop(columns="system"), "dataset-system")


def test_unknown_parts_are_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="dataset-system, dataset, system, all"):
        cells(TABLE, "mr")  # type: ignore[arg-type]
