"""Tables of answers are read with a column for each rating, in parts too; controls are no outputs."""

import json
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.datasets.read.judgement_tables import ANSWER_COLUMNS
from rainbow.datasets.read.table_frames import read_frames
from rainbow.datasets.table_mapping import read_mapping as mapping_of

ROWS = [
    ("r1", "an inn", "quality", 5, 3.0, 1, ""),
    ("r1", "an inn", "fluency", 4, 3.0, 1, ""),
    ("r1", "inn an", "quality", 1, 2.0, 2, "worse"),
    ("r2", "an inn", "quality", 6, 1.0, 1, ""),
    ("", "a pub", "", "", "", "", ""),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "answers.csv"
    pd.DataFrame(ROWS, columns=list(ANSWER_COLUMNS)).to_csv(file, index=False)
    return file


def test_columns_of_asking_are_not_taken_for_marks(path: Path) -> None:
    roles = mapping_of(path).roles()
    assert roles["quality"] == "rating quality" and "seconds" not in roles and "order" not in roles


def test_a_rating_that_is_called_as_a_column_is_told(path: Path) -> None:
    path.write_text(path.read_text().replace("quality", "output"))
    with pytest.raises(ValueError, match="'output' is already a column"):
        list(read_frames(path))


def write(path: Path, objects: list[dict[str, str]]) -> Path:
    rows = [{"prompt": f"Say {place}", "outputs": objects, "gold": f"it is {place}"} for place in range(6)]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


@pytest.mark.filterwarnings("ignore:.*columns detected")
@pytest.mark.parametrize("named", [{}, {"output": "outputs.text"}])
def test_short_texts_beside_a_system_are_a_row_each(tmp_path: Path, named: dict[str, str]) -> None:
    path = write(tmp_path / "nested.jsonl", [{"model": "a", "text": "it is so"}, {"model": "b", "text": "so"}])
    frame = load_dataset(path, **named).frame
    assert (frame["output"].tolist(), frame["system"].tolist()) == (["it is so", "so"] * 6, ["a", "b"] * 6)


def test_objects_that_nothing_tells_apart_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "nested.jsonl", [{"text": "it is so"}, {"text": "so"}])
    with pytest.raises(ValueError, match=r"nested.jsonl: row 1, output: .* is not a text"):
        load_dataset(path, output="outputs", mr="prompt", references=["gold"])
