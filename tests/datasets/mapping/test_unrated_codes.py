"""Codes for "not rated" are no marks, and marks of a whole are kept with it."""

import json
import math
from pathlib import Path

import pytest

from rainbow import load_dataset
from rainbow.datasets.roles.rating_columns import unrated_codes
from rainbow.datasets.table_mapping import read_mapping as mapping_of

pytestmark = pytest.mark.filterwarnings("ignore:.*columns detected as")
TEXTS = [f"the inn number {place} is open from noon" for place in range(8)]


def written(folder: Path, marks: list[str]) -> Path:
    path = folder / "mine.csv"
    lines = [f"{text},{mark}" for text, mark in zip(TEXTS, marks, strict=False)]
    path.write_text("\n".join(["hyp,quality", *lines]) + "\n")
    return path


@pytest.mark.parametrize(("marks", "codes"), [
    ([5, 3, 4, 2, -1, 99], (-1, 99)),
    ([1, 2, 3, 4, 999], (999,)),
    ([0, 1, 2, 3, 4, 5, -9], (-9,)),
    ([0, 40, 70, 99, 100], ()),
    ([-1, 0, 1, 1, 0], ()),
    ([-2, -1, 0, 1, 2], ()),
    ([99, 99, 99, 5], ()),
    ([], ()),
])  # fmt: skip
def test_codes_lie_off_the_scale_of_the_marks(marks: list[float], codes: tuple[float, ...]) -> None:
    assert unrated_codes(marks) == codes


def test_a_code_is_a_missing_mark_which_the_mapping_says_and_an_option_overrides(tmp_path: Path) -> None:
    path = written(tmp_path, ["5", "-1", "3", "99", "4", "2"])
    mapping = mapping_of(path)
    assert mapping.columns.not_rated == ("-1", "99")
    (taken,) = [taken for taken in mapping.taken if taken.column == "quality"]
    assert taken.why.endswith("; -1 and 99: not rated") and "--not-rated none" in taken.otherwise
    found = load_dataset(path).frame["quality"].tolist()
    assert [math.isnan(mark) for mark in found] == [False, True, False, True, False, False]
    assert load_dataset(path, not_rated="none").frame["quality"].tolist() == [5, -1, 3, 99, 4, 2]
    assert load_dataset(path, not_rated="2").frame["quality"].isna().tolist() == [False] * 5 + [True]


def dialogues(folder: Path, turns: int = 3) -> Path:
    path = folder / "dialogues.json"
    whole = [{
        "dialog_id": place,
        "turns": [
            {"user": f"question {turn} about {place}", "chatbot": f"answer {turn} on {place}: inn", "ok": turn}
            for turn in range(turns)
        ],
        "dialog_ratings": [{"coherent": mark} for mark in own],
    } for place, own in enumerate([[1, 2, 3], [4, 4, 5], [2, 2, 1], [3, 5, 5]])]  # fmt: skip
    path.write_text(json.dumps(whole))
    return path


def test_marks_of_a_dialogue_make_it_the_item_of_its_turns(tmp_path: Path) -> None:
    corpus = load_dataset(dialogues(tmp_path))
    assert "coherent" in corpus.ratings and corpus.frame.groupby("item").size().tolist() == [3] * 4
