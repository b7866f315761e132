"""The table of agreement; inputs that raters disagree on, and the order of systems without them."""

import numpy as np
import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.analysis.agreement.agreement_table import (
    agreement_table,
    disputed_items,
    rater_columns,
    undisputed_systems,
)
from rainbow.stats.agreement.chance_corrected import fleiss_kappa, krippendorff_alpha
from rainbow.stats.agreement.intraclass import intraclass
from rainbow.stats.agreement.rating_matrix import AGREEMENT_COLUMNS
from tests.stats.agreement.simulated_raters import DEGENERATE

RATINGS = ("informativeness", "naturalness", "quality")


def test_every_measure_of_every_rating_of_the_demo_has_a_value_in_its_interval() -> None:
    table = agreement_table(load_dataset("demo").frame, RATINGS, resamples=100, rng=0)
    assert tuple(table.columns) == AGREEMENT_COLUMNS
    assert table.groupby("rating").size().to_dict() == dict.fromkeys(RATINGS, 12)
    assert (table["low"] < table["estimate"]).all() and (table["estimate"] < table["high"]).all()
    assert (table["n_items"] == 1038).all() and (table["n_raters"] == 3).all()
    assert table["reason"].tolist() == [None] * 36


def test_its_rows_are_those_of_the_measures() -> None:
    demo = load_dataset("demo").frame
    table = agreement_table(demo, ["quality"], resamples=0).set_index("measure")["estimate"]
    judges = demo[["quality_1", "quality_2", "quality_3"]]
    assert table["ICC(2,k)"] == intraclass(judges, "2,k").estimate
    assert table["Krippendorff's alpha, ordinal"] == krippendorff_alpha(judges, resamples=0).estimate
    assert table["Fleiss' kappa"] == fleiss_kappa(judges, resamples=0).estimate


def test_a_rating_without_single_raters_has_rows_that_say_so() -> None:
    table = agreement_table(pd.DataFrame({"quality": [1, 2, 3]}), ["quality"])
    assert len(table) == 12 and table["estimate"].isna().all() and (table["n_raters"] == 0).all()
    assert set(table["reason"]) == {"no columns quality_1, quality_2, ... with ratings of single raters"}


@pytest.mark.parametrize("reason", DEGENERATE)
def test_degenerate_ratings_give_nan_with_the_reason(reason: str) -> None:
    matrix = np.array(DEGENERATE[reason], dtype=float)
    frame = pd.DataFrame(matrix, columns=[f"quality_{rater}" for rater in range(1, matrix.shape[1] + 1)])
    table = agreement_table(frame, ["quality"])
    assert table["estimate"].isna().all() and table["reason"].str.contains(reason).all()


def test_gaps_leave_what_can_take_them() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(1, 7, (50, 3)).astype(float), columns=["quality_1", "quality_2", "quality_3"])
    frame.iloc[:5, 0] = np.nan
    table = agreement_table(frame, ["quality"], resamples=0).set_index("measure")
    assert table["estimate"].isna().sum() == 5
    assert table.loc[["ICC(2,1)", "ICC(2,k)", "ICC(3,1)", "ICC(3,k)", "Fleiss' kappa"], "reason"].notna().all()


def test_a_rating_does_not_depend_on_those_before_it() -> None:
    demo = load_dataset("demo").frame
    alone = agreement_table(demo, ["quality"], resamples=20, rng=1)
    behind = agreement_table(demo, ["naturalness", "quality"], resamples=20, rng=1)
    pd.testing.assert_frame_equal(alone, behind.tail(12).reset_index(drop=True))


def test_one_text_is_no_list_of_ratings() -> None:
    with pytest.raises(ValueError, match="list of names"):
        agreement_table(pd.DataFrame(), "quality")


def test_no_ratings_give_an_empty_table() -> None:
    assert tuple(agreement_table(pd.DataFrame(), []).columns) == AGREEMENT_COLUMNS


def test_rater_columns_are_numbered_and_in_order() -> None:
    frame = pd.DataFrame(columns=["quality_10", "quality_1", "quality", "quality_2", "quality_mean", "my_quality_1"])
    assert rater_columns(frame, "quality") == ["quality_1", "quality_2", "quality_10"]


def table(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["item", "system", "q_1", "q_2"])
    return frame.assign(dataset="d", q=frame[["q_1", "q_2"]].mean(axis=1))


def test_deviations_by_hand() -> None:
    frame = table(("i", "a", 1, 3), ("i", "b", 2, 2), ("j", "a", 1, 5), ("k", "a", 4, float("nan")))
    found = disputed_items(frame, ["q"])
    assert found["item"].tolist() == ["j", "i"]  # nobody can disagree on k
    assert (found["deviation"].tolist(), found["outputs"].tolist()) == (pytest.approx([8**0.5, 2**0.5 / 2]), [1, 2])


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
