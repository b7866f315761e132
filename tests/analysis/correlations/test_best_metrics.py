"""The best metric of each group."""

import math

import pandas as pd
import pytest

from rainbow.analysis.correlations.best_metrics import best_metrics
from rainbow.analysis.correlations.correlation_table import correlation_table

GROUPS = {"BLEU4": "word", "TER": "word", "SIM": "word", "words": "grammar", "flesch": "grammar"}
DIRECTIONS = {"BLEU4": True, "TER": False, "SIM": True, "words": None, "flesch": None}


def table(**r: float) -> pd.DataFrame:
    lines = [{"dataset": "inns", "rating": "quality", "metric": name, "r": value} for name, value in r.items()]
    return pd.DataFrame(lines).assign(p=0.02, n=50, reason=None)


def best(scores: pd.DataFrame) -> dict[str, str]:
    found = best_metrics(scores, GROUPS, DIRECTIONS)
    return dict(zip(found["group"], found["metric"], strict=True))


def test_r_counts_in_the_direction_of_the_metric() -> None:
    assert best(table(BLEU4=0.1, TER=-0.2, SIM=0.15)) == {"word": "TER"}
    assert best(table(BLEU4=0.1, TER=0.2, SIM=0.15)) == {"word": "SIM"}


def test_a_metric_that_is_wrong_does_not_win_by_being_very_wrong() -> None:
    assert best(table(BLEU4=0.1, SIM=-0.5)) == {"word": "BLEU4"}


def test_a_metric_without_direction_may_have_either_sign() -> None:
    assert best(table(words=-0.3, flesch=0.2)) == {"grammar": "words"}


def test_r_keeps_its_sign() -> None:
    assert best_metrics(table(TER=-0.2, words=-0.1), GROUPS, DIRECTIONS)["r"].tolist() == [-0.2, -0.1]


def test_groups_come_in_the_order_given() -> None:
    assert list(best(table(words=0.3, flesch=0.1, TER=0.2, BLEU4=0.1))) == ["word", "grammar"]


def test_p_of_the_best_counts_how_many_it_was_chosen_from() -> None:
    row = best_metrics(table(BLEU4=0.3, TER=-0.2, SIM=math.nan), GROUPS, DIRECTIONS).iloc[0]
    assert (row["candidates"], row["p"], row["p_selected"]) == (2, 0.02, 0.04)
    assert best_metrics(table(BLEU4=0.3).assign(p=0.7), GROUPS, DIRECTIONS)["p_selected"].tolist() == [0.7]
    assert best_metrics(table(BLEU4=0.3, SIM=0.1).assign(p=0.7), GROUPS, DIRECTIONS)["p_selected"].tolist() == [1.0]


def test_of_equals_the_first_is_taken() -> None:
    assert best(table(BLEU4=0.2, TER=-0.2)) == {"word": "BLEU4"}


def test_metrics_without_a_group_are_left_out() -> None:
    assert best(table(BLEU4=0.1).pipe(lambda own: pd.concat([own, own.assign(metric="other", r=0.9)]))) == {
        "word": "BLEU4"
    }


def test_a_group_without_any_correlation_has_a_reason() -> None:
    row = best_metrics(table(BLEU4=math.nan, TER=math.nan), GROUPS, DIRECTIONS).iloc[0]
    assert pd.isna(row["metric"]) and math.isnan(row["r"])
    assert (row["reason"], row["candidates"]) == ("no metric of the group has a correlation", 0)


def test_every_part_and_rating_has_its_best() -> None:
    frame = pd.DataFrame(
        {"dataset": ["a"] * 6 + ["b"] * 6, "system": "S", "item": range(12), "quality": [*range(6)] * 2}
    )
    frame["BLEU4"] = [0, 1, 2, 3, 5, 4, 0, 2, 1, 5, 4, 3]
    frame["TER"] = [0, 2, 1, 5, 4, 3, 5, 4, 3, 2, 1, 0]
    scores = correlation_table(frame, ["BLEU4", "TER"], ["quality"], interval="fisher")
    found = best_metrics(scores, GROUPS, DIRECTIONS)
    assert found[["dataset", "metric"]].to_numpy().tolist() == [["a", "BLEU4"], ["b", "TER"]]
    assert (found["low"] <= found["r"]).all() and found["level"].tolist() == ["pooled"] * 2


def test_an_interval_with_a_reason_keeps_it() -> None:
    found = best_metrics(table(BLEU4=0.1).assign(reason="n is 3"), GROUPS, DIRECTIONS)
    assert found["reason"].tolist() == ["n is 3"]


def test_a_missing_direction_or_column_is_named() -> None:
    with pytest.raises(ValueError, match="the direction of 'TER' is unknown"):
        best_metrics(table(TER=0.1), GROUPS, {})
    with pytest.raises(ValueError, match="no column 'p'"):
        best_metrics(table(TER=0.1).drop(columns="p"), GROUPS, DIRECTIONS)
