"""Pairs of outputs of one item, and comparisons in both orders."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from rainbow.scoring.table_cells import output_pairs
from rainbow.stats.order.pairs import pair_signs
from rainbow.stats.order.position_bias import position_bias, position_sentence

# Item, first shown, second shown, whether the first wins.
ROWS = [
    *((0, "a", "b", 1), (0, "b", "a", 0)),  # a wins in both orders
    *((1, "a", "b", 1), (1, "b", "a", 1)),  # the first wins in both
    *((2, "a", "b", 0), (2, "b", "a", 0)),  # the second wins in both
    *((3, "a", "b", 1), (3, "b", "a", 0.5)),  # a tie in one order: to the first
    (4, "a", "b", 1),  # one order only
]


def values(rows: list[tuple[int, str, str, float]]) -> dict[str, tuple[float, int]]:
    return {row["measure"]: (row["value"], row["n"]) for row in position_bias(*zip(*rows, strict=True), rng=1)}


def test_changes_by_hand() -> None:
    found = values(ROWS)
    assert found["first_wins"] == (pytest.approx(5.5 / 9), 9)
    assert found["changed"] == (0.75, 4)
    assert found["changed_to_first"] == (0.5, 4)
    assert found["changed_to_second"] == (0.25, 4)


def test_swapping_the_places_swaps_the_sides() -> None:
    swapped = values([(item, second, first, 1 - wins) for item, first, second, wins in ROWS])
    found = values(ROWS)
    assert swapped["first_wins"][0] == pytest.approx(1 - found["first_wins"][0])
    assert (swapped["changed"], swapped["changed_to_first"]) == (found["changed"], found["changed_to_second"])


def test_a_judge_that_always_names_the_first_is_seen() -> None:
    rows = [(item, *order, 1.0) for item in range(40) for order in (("a", "b"), ("b", "a"))]
    first, changed, *_ = position_bias(*zip(*rows, strict=True), rng=1)
    assert (first["value"], changed["value"], changed["low"]) == (1, 1, 1)


def test_without_both_orders_there_is_a_reason() -> None:
    rows = position_bias([0, 1], ["a", "a"], ["b", "b"], [1, np.nan])
    assert (rows[0]["n"], rows[1]["reason"]) == (1, "no pair is shown in both orders")
    assert position_sentence(rows).endswith("no pair is shown in both orders")
    assert np.isnan(position_bias([], [], [], [])[0]["value"])


def table(*rows: tuple[int, str]) -> pd.DataFrame:
    return pd.DataFrame([{"dataset": "inns", "item": item, "system": system} for item, system in rows])


def listed(frame: pd.DataFrame, **options: bool) -> list[list[tuple[int, int]]]:
    """Return the pairs of every item."""
    return [
        [(int(a), int(b)) for a, b in zip(first, second, strict=True)]
        for block in output_pairs(frame, **options)
        for first, second in zip(block.first, block.second, strict=True)
    ]


def test_every_two_outputs_of_an_item_make_a_pair_once() -> None:
    rng = np.random.default_rng(1)
    frame = table(*((int(rng.integers(6)), str(rng.choice(list("ABC")))) for _ in range(30)))
    expected = {pair for rows in frame.groupby("item").groups.values() for pair in combinations(sorted(rows), 2)}
    found = [tuple(sorted(pair)) for item in listed(frame) for pair in item]
    assert (set(found), len(found)) == (expected, len(expected))


def test_the_outputs_of_a_pair_stand_in_the_order_of_their_systems() -> None:
    assert listed(table((1, "B"), (2, "A"), (1, "A"), (2, "B"))) == [[(2, 0)], [(1, 3)]]


def test_the_same_item_in_two_datasets_is_two_items() -> None:
    frame = table((1, "A"), (1, "B"), (1, "A"), (1, "B")).assign(dataset=["inns", "inns", "cafes", "cafes"])
    assert listed(frame) == [[(0, 1)], [(2, 3)]]


def test_an_item_with_one_output_makes_no_pair() -> None:
    assert output_pairs(table((1, "A"), (2, "B"))) == ()
    assert output_pairs(table((1, "A")).iloc[:0]) == ()


def test_one_per_item_takes_the_first_row_of_each_system() -> None:
    assert listed(table((1, "B"), (1, "B"), (1, "A")), one_per_item=True) == [[(2, 0)]]


def test_one_per_item_leaves_out_an_item_whose_first_two_rows_are_of_one_system() -> None:
    assert listed(table((1, "B"), (1, "A"), (1, "A")), one_per_item=True) == []


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ValueError, match="no column 'item'"):
        output_pairs(table((1, "A")).drop(columns="item"))


def test_the_sign_is_that_of_the_difference() -> None:
    values = np.array([[1.0, 3.0], [2.0, 3.0], [0.5, 4.0]])
    (signs,) = pair_signs(values, output_pairs(table((1, "A"), (1, "B"), (1, "C"))))
    assert signs.tolist() == [[[-1, 0], [1, -1], [1, -1]]]
