"""The table of correlations that is printed for a paper."""

import pandas as pd
import pytest

from rainbow.analysis.paper_table import paper_table


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
