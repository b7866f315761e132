"""Rows, outputs and marks that lie within objects and lists."""

import json
from pathlib import Path
from typing import Any

import pytest

from rainbow.datasets import load_dataset
from tests.datasets.mapping.places import ASKED, BAD, GOOD, MARKS


@pytest.mark.parametrize("form", ["named", "wrapped", "keyed", "lists"])
def test_rows_within_an_object_are_read(form: str, tmp_path: Path) -> None:
    rows = [{"hyp": text, "ref": ref, "human": mark} for text, ref, mark in zip(GOOD, BAD, MARKS, strict=True)]
    forms: dict[str, Any] = {
        "named": {"version": 1, "examples": rows},
        "wrapped": {"data": rows},
        "lists": {"hyp": GOOD, "ref": BAD, "human": MARKS},
        "keyed": {f"row{number}": row for number, row in enumerate(rows)},
    }
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(forms[form]))
    assert load_dataset(path).frame["output"].tolist() == GOOD


def test_outputs_of_systems_within_a_list_are_rows_with_what_stands_deeper_in_them(tmp_path: Path) -> None:
    outputs = [
        [
            {"systém": name, "překlad": text, "hodnocení": {"plynulost": mark}}
            for name, text in (("a", good), ("b", bad))
        ]
        for good, bad, mark in zip(GOOD, BAD, MARKS, strict=True)
    ]
    (tmp_path / "mine.json").write_text(json.dumps([{"zdroj": f"{n} 1", "výstupy": o} for n, o in enumerate(outputs)]))
    frame = load_dataset(tmp_path / "mine.json").frame
    assert frame["system"].tolist()[:2] == ["a", "b"] and frame["output"].tolist()[:2] == [GOOD[0], BAD[0]]
    assert frame.filter(like="plynulost").iloc[:, 0].tolist()[::2] == MARKS


def test_lists_of_marks_by_system_are_those_of_raters(tmp_path: Path) -> None:
    rows = [
        {
            "input": ask,
            "outputs": {"a": good, "b": bad},
            "ratings": {"a": {"fluency": [mark, 5]}, "b": {"fluency": [1, 2]}},
        }
        for ask, good, bad, mark in zip(ASKED, GOOD, BAD, MARKS, strict=True)
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    frame = load_dataset(tmp_path / "mine.jsonl").frame
    assert frame[["fluency_1", "fluency_2"]].to_numpy().tolist()[:2] == [[MARKS[0], 5], [1, 2]]
