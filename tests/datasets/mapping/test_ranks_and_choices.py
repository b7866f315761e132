"""What raters order: ranks of outputs, the best and the worst of several; the tables are among the labelled ones."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.table_mapping import read_mapping as mapping_of
from tests.datasets.mapping.places import BAD, GOOD, labelled_table

ROWS = len(GOOD)


def written(tmp_path: Path, name: str) -> Path:
    pd.DataFrame(labelled_table(name)).to_csv(tmp_path / "mine.csv", index=False)
    return tmp_path / "mine.csv"


def means(path: Path, rating: str) -> dict[str, float]:
    return load_dataset(path).frame.groupby("system")[rating].mean().to_dict()


def test_ranks_are_turned_round_so_that_the_best_has_the_most(tmp_path: Path) -> None:
    path = written(tmp_path, "ranks_are_turned_round")
    assert mapping_of(path).columns.ratings == ("reversed_rank:lower=rank",)
    assert means(path, "reversed_rank") == {"slug": 1, "tgen": 3, "base": 2}


def test_ranks_side_by_side_of_two_raters_are_those_of_the_outputs(tmp_path: Path) -> None:
    name = "ranks_side_by_side_of_two_raters_are_those_of_the_outputs"
    path = written(tmp_path, name)
    assert (mapping_of(path).columns.item, means(path, "reversed_rank")) == ("img", {"A": 2.5, "B": 1, "C": 2.5})
    assert means(written(tmp_path, f"{name}~2"), "reversed_rank")["B"] == 1  # without the column of images


def test_ranks_of_nothing_that_is_compared_are_no_rating(tmp_path: Path) -> None:
    doubts = mapping_of(written(tmp_path, "ranks_of_nothing_that_is_compared")).doubts
    found = [(doubt.column, doubt.why) for doubt in doubts if doubt.stops]
    assert found == [("rank", "it looks like ranks, but no column names the ranked systems")]


@pytest.mark.parametrize("called", ["numbers", "columns", "systems", "texts"])
def test_the_best_and_the_worst_of_several_are_a_preference(tmp_path: Path, called: str) -> None:
    path = written(tmp_path, f"best_and_the_worst_of_several_are_a_preference[{called.replace('texts', 'systems')}]")
    options = {}
    if called == "texts":
        pd.read_csv(path).assign(most_clear=GOOD, least_clear=BAD).to_csv(path, index=False)
        outputs = ["text1", "text2", "text3"]
        options = {"winner": "most_clear", "worst": "least_clear", "output": outputs, "system": "src"}
    else:
        columns = mapping_of(path).columns
        assert (columns.winner, columns.worst) == ("most_clear", "least_clear")
    frame = load_dataset(path, **options).frame[: 3 * (ROWS - 1)]
    assert frame.groupby("system")["preference"].mean().to_dict() == {"tgen": 1, "slug": 0, "base": 0.5}


def test_of_several_outputs_only_the_best_may_be_named(tmp_path: Path) -> None:
    assert means(written(tmp_path, "only_the_best_may_be_named"), "preference") == {"a": 0.5, "b": 0.5, "c": 0}


def test_a_choice_that_names_nothing_is_missing(tmp_path: Path) -> None:
    frame = load_dataset(written(tmp_path, "a_choice_that_names_nothing")).frame
    assert frame["preference"].isna().sum() == 3


@pytest.mark.parametrize(("number", "sides", "preferences"), [
    (0, ("links", "rechts"), [0, 1, 1, 0, 0.5, 0.5]),
    (1, ("甲", "乙"), [0, 1, 0, 1, 0.5, 0.5]),  # systems win
    (2, ("A", "B"), [0, 1, 1, 0, 0.5, 0.5]),  # the only word that names neither is a tie
])  # fmt: skip
def test_sides_of_comparisons_are_told_by_what_stands_in_them(tmp_path, number, sides, preferences) -> None:
    path = written(tmp_path, f"sides_of_comparisons_are_told_by_what_stands_in_them[sides{number}-ends{number}]")
    columns = mapping_of(path).columns
    assert (columns.pair, columns.winner) == (tuple(f"System {side}" for side in sides), "wie")
    assert not columns.ratings  # how sure somebody is of a comparison is no mark of an output
    assert load_dataset(path).frame["preference"].tolist()[:6] == preferences
