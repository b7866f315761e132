"""What raters order: ranks of outputs, the best and the worst of several."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.table_mapping import read_mapping as mapping_of
from tests.datasets.mapping.places import ASKED, BAD, GOOD

ROWS = len(GOOD)
PLAIN = [f"{text[:-1]} here." for text in GOOD]


def written(tmp_path: Path, cells: dict[str, Any]) -> Path:
    pd.DataFrame(cells).to_csv(tmp_path / "mine.csv", index=False)
    return tmp_path / "mine.csv"


def means(path: Path, rating: str) -> dict[str, float]:
    return load_dataset(path).frame.groupby("system")[rating].mean().to_dict()


def test_ranks_are_turned_round_so_that_the_best_has_the_most(tmp_path: Path) -> None:
    ranks = {"slug": 3, "tgen": 1, "base": 2}
    cells = {
        "prompt": [text for text in ASKED for _ in ranks], "model": [*ranks] * ROWS,
        "output": [text for three in zip(BAD, GOOD, PLAIN, strict=True) for text in three],
        "rank": [*ranks.values()] * ROWS,
    }  # fmt: skip
    path = written(tmp_path, cells)
    assert mapping_of(path).columns.ratings == ("reversed_rank:lower=rank",)
    assert means(path, "reversed_rank") == {"slug": 1, "tgen": 3, "base": 2}


def test_ranks_side_by_side_of_two_raters_are_those_of_the_outputs(tmp_path: Path) -> None:
    cells = {
        "img": [f"img_{row}" for row in range(ROWS)] * 2, "text_A": GOOD * 2, "text_B": BAD * 2, "text_C": PLAIN * 2,
        "rank_A": [1] * ROWS + [2] * ROWS, "rank_B": [3] * ROWS * 2, "rank_C": [2] * ROWS + [1] * ROWS,
        "annotator": ["Noa"] * ROWS + ["Pavel"] * ROWS,
    }  # fmt: skip
    path = written(tmp_path, cells)
    assert (mapping_of(path).columns.item, means(path, "reversed_rank")) == ("img", {"A": 2.5, "B": 1, "C": 2.5})
    assert means(written(tmp_path, {name: cells[name] for name in cells if name != "img"}), "reversed_rank")["B"] == 1


def test_ranks_of_nothing_that_is_compared_are_no_rating(tmp_path: Path) -> None:
    path = written(tmp_path, {"prompt": ASKED, "output": GOOD, "rank": [1, 2, 3] * (ROWS // 3)})
    found = [(doubt.column, doubt.why) for doubt in mapping_of(path).doubts if doubt.stops]
    assert found == [("rank", "it looks like ranks, but no column names the ranked systems")]


@pytest.mark.parametrize("called", [
    ("1", "2", "3"), ("text1", "text2", "text3"), ("tgen", "slug", "base"), None
], ids=["numbers", "columns", "systems", "texts"])  # fmt: skip
def test_the_best_and_the_worst_of_several_are_a_preference(tmp_path: Path, called: tuple[str, ...] | None) -> None:
    texts = {"text1": GOOD, "text2": BAD, "text3": PLAIN}
    turns = [["tgen"] * (ROWS - 1) + ["slug"], ["slug"] * (ROWS - 1) + ["base"], ["base"] * (ROWS - 1) + ["tgen"]]
    systems = {f"src{number}": cells for number, cells in enumerate(turns, 1)}
    best = GOOD if called is None else [called[0]] * ROWS
    worst = BAD if called is None else [called[1]] * ROWS
    cells = {"brief": ASKED, **texts, **systems, "most_clear": best, "least_clear": worst}
    path = written(tmp_path, cells)
    said = {} if called else {"winner": "most_clear", "worst": "least_clear", "output": [*texts], "system": "src"}
    if called:
        columns = mapping_of(path).columns
        assert (columns.winner, columns.worst) == ("most_clear", "least_clear")
    frame = load_dataset(path, **said).frame[: 3 * (ROWS - 1)]
    assert frame.groupby("system")["preference"].mean().to_dict() == {"tgen": 1, "slug": 0, "base": 0.5}


def test_of_several_outputs_only_the_best_may_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, {"prompt": ASKED, "a": GOOD, "b": BAD, "c": PLAIN, "best": [*"ab"] * (ROWS // 2)})
    assert (mapping_of(path).columns.winner, means(path, "preference")) == ("best", {"a": 0.5, "b": 0.5, "c": 0})


def test_a_choice_that_names_nothing_is_missing(tmp_path: Path) -> None:
    best = ["a", *["b"] * (ROWS - 2), "?"]
    path = written(tmp_path, {"prompt": ASKED, "a": GOOD, "b": BAD, "c": PLAIN, "best": best})
    assert load_dataset(path).frame["preference"].isna().sum() == 3


@pytest.mark.parametrize(("sides", "ends"), [
    (("links", "rechts"), ("rechts", "links", "gleich")),
    (("甲", "乙"), ("slug", "tgen", "平局")),
    (("A", "B"), ("B", "A", "引き分け")),  # the only word that names neither
])  # fmt: skip
def test_sides_of_comparisons_are_told_by_what_stands_in_them(tmp_path, sides, ends) -> None:
    first, second = sides
    cells = {
        "Original": ASKED, f"System {first}": ["tgen", "slug"] * (ROWS // 2), f"Text {first}": GOOD,
        f"System {second}": ["slug", "tgen"] * (ROWS // 2), f"Text {second}": BAD, "wie": [*ends] * (ROWS // 3),
        "Sicherheit": [1, 2, 3] * (ROWS // 3),
    }  # fmt: skip
    path = written(tmp_path, cells)
    columns = mapping_of(path).columns
    assert columns.pair == (f"System {first}", f"System {second}") and columns.winner == "wie"
    assert not columns.ratings  # how sure somebody is of a comparison is no mark of an output
    frame = load_dataset(path).frame
    assert frame["preference"].tolist()[:6] == ([0, 1, 1, 0, 0.5, 0.5] if first != "甲" else [0, 1, 0, 1, 0.5, 0.5])
