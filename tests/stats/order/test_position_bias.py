"""Comparisons in both orders: who wins because of the place, by hand and under symmetry."""

import numpy as np
import pytest

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
