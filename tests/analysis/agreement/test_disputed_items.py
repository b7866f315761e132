"""Inputs that raters disagree on, and the order of systems without them."""

import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.analysis.agreement.disputed_items import disputed_items, undisputed_systems


def table(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["item", "system", "q_1", "q_2"])
    return frame.assign(dataset="d", q=frame[["q_1", "q_2"]].mean(axis=1))


def test_deviations_by_hand() -> None:
    frame = table(("i", "a", 1, 3), ("i", "b", 2, 2), ("j", "a", 1, 5), ("k", "a", 4, float("nan")))
    found = disputed_items(frame, ["q"])
    assert found["item"].tolist() == ["j", "i"]  # nobody can disagree on k
    assert found["deviation"].tolist() == pytest.approx([8**0.5, 2**0.5 / 2])
    assert found["outputs"].tolist() == [1, 2]


def test_an_order_that_rests_on_one_disputed_input_changes() -> None:
    agreed = [(str(n), system, mark, mark) for n in range(4) for system, mark in (("a", 3.0), ("b", 2.0))]
    frame = table(*agreed, ("x", "a", 1, 1), ("x", "b", 6, 20))
    found = undisputed_systems(frame, disputed_items(frame, ["q"])).set_index("system")
    assert (found["rank"].to_dict(), found["rank_undisputed"].to_dict()) == ({"a": 2, "b": 1}, {"a": 1, "b": 2})
    assert found["mean_undisputed"].to_dict() == {"a": 3, "b": 2}


def test_without_single_raters_there_is_nothing() -> None:
    assert disputed_items(table(("i", "a", 1, 3)).drop(columns=["q_1", "q_2"]), ["q"]).empty


def test_every_rated_input_of_the_demo_is_there() -> None:
    demo = load_dataset("demo").frame
    found = disputed_items(demo, ["quality"])
    assert len(found) == demo["item"].nunique() and found["deviation"].is_monotonic_decreasing
    assert len(undisputed_systems(demo, found)) == demo["system"].nunique()
