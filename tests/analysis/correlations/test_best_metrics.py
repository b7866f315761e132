"""The best metric of each group, and the table of correlations that is printed for a paper."""

import math

import pandas as pd
import pytest

from rainbow.analysis.correlations.best_metrics import best_metrics
from rainbow.analysis.correlations.correlation_table import correlation_table
from rainbow.analysis.paper_table import paper_table

GROUPS = {"BLEU4": "word", "TER": "word", "SIM": "word", "words": "grammar", "flesch": "grammar"}
DIRECTIONS = {"BLEU4": True, "TER": False, "SIM": True, "words": None, "flesch": None}


def table(**r: float) -> pd.DataFrame:
    lines = [{"dataset": "inns", "rating": "quality", "metric": name, "r": value} for name, value in r.items()]
    return pd.DataFrame(lines).assign(p=0.02, n=50, reason=None)


def best(scores: pd.DataFrame) -> dict[str, str]:
    found = best_metrics(scores, GROUPS, DIRECTIONS)
    return dict(zip(found["group"], found["metric"], strict=True))


@pytest.mark.parametrize(("scores", "expected"), [
    (table(BLEU4=0.1, TER=-0.2, SIM=0.15), {"word": "TER"}),
    (table(BLEU4=0.1, TER=0.2, SIM=0.15), {"word": "SIM"}),
    (table(BLEU4=0.1, SIM=-0.5), {"word": "BLEU4"}),  # very wrong
    (table(words=-0.3, flesch=0.2), {"grammar": "words"}),  # without direction
    (table(BLEU4=0.2, TER=-0.2), {"word": "BLEU4"}),  # of equals the first
])  # fmt: skip
def test_r_counts_in_the_direction_of_the_metric(scores: pd.DataFrame, expected: dict[str, str]) -> None:
    assert best(scores) == expected


def test_r_keeps_its_sign() -> None:
    assert best_metrics(table(TER=-0.2, words=-0.1), GROUPS, DIRECTIONS)["r"].tolist() == [-0.2, -0.1]


def test_groups_come_in_the_order_given() -> None:
    assert list(best(table(words=0.3, flesch=0.1, TER=0.2, BLEU4=0.1))) == ["word", "grammar"]


def test_p_of_the_best_counts_how_many_it_was_chosen_from() -> None:
    row = best_metrics(table(BLEU4=0.3, TER=-0.2, SIM=math.nan), GROUPS, DIRECTIONS).iloc[0]
    assert (row["candidates"], row["p"], row["p_selected"]) == (2, 0.02, 0.04)
    assert best_metrics(table(BLEU4=0.3).assign(p=0.7), GROUPS, DIRECTIONS)["p_selected"].tolist() == [0.7]
    assert best_metrics(table(BLEU4=0.3, SIM=0.1).assign(p=0.7), GROUPS, DIRECTIONS)["p_selected"].tolist() == [1.0]


def test_metrics_without_a_group_are_left_out() -> None:
    found = best(table(BLEU4=0.1).pipe(lambda own: pd.concat([own, own.assign(metric="other", r=0.9)])))
    assert found == {"word": "BLEU4"}


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
    found = best_metrics(correlation_table(frame, ["BLEU4", "TER"], ["quality"], interval="fisher"), GROUPS, DIRECTIONS)
    assert found[["dataset", "metric"]].to_numpy().tolist() == [["a", "BLEU4"], ["b", "TER"]]
    assert (found["low"] <= found["r"]).all() and found["level"].tolist() == ["pooled"] * 2


def test_an_interval_with_a_reason_keeps_it() -> None:
    assert best_metrics(table(BLEU4=0.1).assign(reason="n is 3"), GROUPS, DIRECTIONS)["reason"].tolist() == ["n is 3"]


def test_a_missing_direction_or_column_is_named() -> None:
    with pytest.raises(ValueError, match="the direction of 'TER' is unknown"):
        best_metrics(table(TER=0.1), GROUPS, {})
    with pytest.raises(ValueError, match="no column 'p'"):
        best_metrics(table(TER=0.1).drop(columns="p"), GROUPS, DIRECTIONS)


def correlations(**changed: object) -> pd.DataFrame:
    line = {"dataset": "mine", "system": "all", "level": "pooled", "rating": "quality", "metric": "TER", "r": -0.5}
    return pd.DataFrame(
        [{**line, "low": -0.75, "high": -0.25, "n": 1234, "method": "spearman", "interval": "bca", **changed}]
    )


def together(*tables: pd.DataFrame) -> pd.DataFrame:
    return pd.concat(tables, ignore_index=True)


def test_what_agrees_most_stands_first_in_either_direction() -> None:
    table = together(
        correlations(metric="BLEU4", r=0.25),
        correlations(),
        correlations(rating="fluency", r=0.125),
        correlations(metric="BLEU4", rating="fluency", r=0.25),
    )
    lines = paper_table(table, "md").splitlines()
    assert lines[0] == "| metric | quality | fluency |"
    assert [line.split(" | ")[0] for line in lines[2:4]] == ["| TER", "| BLEU4"]
    assert "Outputs: 1,234 (quality); 1,234 (fluency)." in lines[-1]


def test_several_datasets_stand_together_and_one_by_its_name() -> None:
    table = together(correlations(), correlations(dataset="other", r=0.5), correlations(dataset="all", r=0.125))
    found = paper_table(table, "md")
    assert "| TER | 0.125 (" in found and "human ratings, all systems" in found
    assert "human ratings of mine, all systems" in paper_table(
        together(correlations(), correlations(dataset="all")), "md"
    )


def test_systems_alone_and_what_is_undefined_are_left_out() -> None:
    table = together(
        correlations(system="one", metric="BLEU4"),
        correlations(level="item", metric="BLEU4"),
        correlations(metric="len", r=float("nan")),
        correlations(metric="msp", low=float("nan"), high=float("nan")),
    )
    assert paper_table(table, "md").splitlines()[2:-2] == ["| msp | -0.500 (-) |", ""]
    with pytest.raises(ValueError, match="no table to print, because no metric has a correlation with a rating"):
        paper_table(table.iloc[:1], "md")


def test_latex_has_no_character_that_means_something_else_there() -> None:
    found = paper_table(correlations(metric="a_b&c%", rating="x_y", dataset="m#1"), "latex")
    assert r"a\_b\&c\% & $-$0.500 ($-$0.750 to $-$0.250) \\" in found and r"metric & x\_y \\" in found
    assert r"of m\#1, all" in found
    assert r"95 \% intervals" in found
