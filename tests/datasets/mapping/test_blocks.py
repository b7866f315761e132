"""Numbered columns of one row that belong together, and columns that name inputs, outputs or rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.mapping import mapping_of
from rainbow.pipeline.preferences import preference_ranking

SYSTEMS = ["tgen", "slug", "sheff"]
PLACES = ["Aromi", "Zizzi", "Cotto", "Strada", "Browns", "Alimentum"]
# In each row the systems stand in another order.
ORDER = [SYSTEMS[row % 3 :] + SYSTEMS[: row % 3] for row in range(len(PLACES))]
TEXT = {"tgen": "{} is a French place.", "slug": "there is {} French place", "sheff": "French food at {} is served"}
MARK = {"tgen": 5, "slug": 2, "sheff": 3}


def written(tmp_path: Path, cells: Mapping[str, Sequence[Any]]) -> Path:
    pd.DataFrame(dict(cells)).to_csv(tmp_path / "mine.csv", index=False)
    return tmp_path / "mine.csv"


def blocks(*names: str, **each: Any) -> dict[str, list[Any]]:
    """Return columns that are called so, with the number of each system, and what they hold of a system."""
    return {
        name.format(place + 1): [each[kind](row[place], of) for row, of in zip(ORDER, PLACES, strict=True)]
        for place in range(3)
        for name, kind in zip(names, each, strict=True)
    }


def text(system: str, of: str) -> str:
    return TEXT[system].format(of)


def name(system: str, of: str) -> str:
    return system


def mark(system: str, of: str) -> int:
    return MARK[system]


@pytest.mark.parametrize(
    ("names", "rating"),
    [
        (("text{}", "system{}", "score{}"), "score"),
        (("Input.summary_{}", "Input.model_{}", "Answer.q_{}"), "q"),
        (("sys_ref{}", "order{}", "naturalness{}"), "naturalness"),
        (("Input.sys{}_text", "Input.sys{}_name", "Answer.sys{}_interest"), "interest"),
    ],
)
def test_numbered_texts_are_those_of_the_systems_that_stand_beside_them(
    tmp_path: Path, names: tuple[str, ...], rating: str
) -> None:
    cells = {"source": [f"Describe {of}" for of in PLACES] * 2, "WorkerId": ["w1"] * 6 + ["w2"] * 6}
    cells |= {column: held * 2 for column, held in blocks(*names, text=text, system=name, mark=mark).items()}
    path = written(tmp_path, cells)
    corpus = load_dataset(path)
    assert corpus.ratings == (rating,)
    assert corpus.frame.groupby("system")[rating].mean().to_dict() == MARK
    assert len(corpus.frame) == 18
    assert f"{rating}_2" in corpus.frame
    assert {taken.why for taken in mapping_of(path).taken if taken.role == "output"} == {
        f"numbered, as {names[1].format(1)} is"
    }


def test_numbered_texts_with_marks_are_those_of_numbered_systems(tmp_path: Path) -> None:
    cells = blocks("caption{}", "grade{}", text=text, mark=mark)
    frame = load_dataset(written(tmp_path, {"image": [f"{of}.jpg" for of in PLACES]} | cells)).frame
    assert sorted({*frame["system"]}) == ["caption1", "caption2", "caption3"]


def test_ranks_of_numbered_systems_are_comparisons_of_each_two(tmp_path: Path) -> None:
    ranks = {"tgen": 1, "slug": 3, "sheff": 1}
    cells = blocks("system{}Id", "system{}rank", system=name, mark=lambda system, of: ranks[system])
    path = written(tmp_path, {"srcIndex": [*range(6)]} | cells)
    columns = mapping_of(path).columns
    assert str(columns) == "--item srcIndex --pair system1Id --pair system2Id --pair system3Id --winner system_rank"
    ranking = preference_ranking([path], columns)
    assert dict(zip(ranking["system"], ranking["preferred"], strict=True)) == {"tgen": 0.75, "sheff": 0.75, "slug": 0}
    assert {*ranking["comparisons"]} == {12}


def test_what_names_an_output_does_not_name_the_input(tmp_path: Path) -> None:
    rows = [(n, of, s, rater) for rater in ("r1", "r2") for n, of in enumerate(PLACES) for s in SYSTEMS]
    table: dict[str, list[Any]] = {
        "story id": [3 * n + SYSTEMS.index(s) for n, _, s, _ in rows],
        "prompt": [f"Write a long story that is about {of}" for _, of, _, _ in rows],
        "model": [s for _, _, s, _ in rows],
        "story": [text(s, of) for _, of, s, _ in rows],
        "quality": [MARK[s] for _, _, s, _ in rows],
        "rater": [rater for *_, rater in rows],
    }
    assert mapping_of(written(tmp_path, table)).columns.item is None


def test_numbers_of_rows_are_no_marks(tmp_path: Path) -> None:
    outputs = [text(s, of) for of in PLACES for s in SYSTEMS]
    columns = mapping_of(written(tmp_path, {"lp": [*range(1, 19)], "output": outputs})).columns
    assert (columns.id, columns.ratings) == ("lp", ())
