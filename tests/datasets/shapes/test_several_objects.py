"""Cells with several objects: a row for each, or an error that names the cell; never the first alone."""

import json
from pathlib import Path

import pytest

from rainbow import load_dataset


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
