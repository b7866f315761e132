"""Rows, outputs and marks that lie within objects and lists."""

import json
from pathlib import Path
from typing import Any

import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.table_mapping import read_mapping as mapping_of
from tests.datasets.mapping.places import ASKED, BAD, FACTS, GOOD, MARKS, PEOPLE


@pytest.mark.parametrize("form", ["named", "wrapped", "keyed", "lists"])
def test_rows_within_an_object_are_read(form: str, tmp_path: Path) -> None:
    rows = [{"hyp": text, "ref": ref, "human": mark} for text, ref, mark in zip(GOOD, BAD, MARKS, strict=True)]
    forms: dict[str, Any] = {
        "named": {"version": 1, "examples": rows}, "wrapped": {"data": rows},
        "lists": {"hyp": GOOD, "ref": BAD, "human": MARKS},
        "keyed": {f"row{number}": row for number, row in enumerate(rows)},
    }  # fmt: skip
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
    rows = [{
        "input": ask,
        "outputs": {"a": good, "b": bad},
        "ratings": {"a": {"fluency": [mark, 5]}, "b": {"fluency": [1, 2]}},
    } for ask, good, bad, mark in zip(ASKED, GOOD, BAD, MARKS, strict=True)]  # fmt: skip
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    frame = load_dataset(tmp_path / "mine.jsonl").frame
    assert frame[["fluency_1", "fluency_2"]].to_numpy().tolist()[:2] == [[MARKS[0], 5], [1, 2]]


def test_a_choice_may_be_a_list_of_one(tmp_path: Path) -> None:
    label: list[list[str]] = [["普通"], ["良い"], [], ["悪い"]] * 3
    rows = [{"text": t, "article": a, "label": one} for t, a, one in zip(GOOD, ASKED, label, strict=True)]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = load_dataset(tmp_path / "mine.jsonl").frame["label"].tolist()
    assert found[:2] == [3, 4] and found[3] == 2 and found[2] != found[2]


def test_judgements_within_a_row_are_rows_and_lists_beside_outputs_are_references(tmp_path: Path) -> None:
    rows = [
        {"data": fact, "outputs": {"tgen": good, "slug": bad}, "lexicalisations": [person, person.lower()]}
        | {"marks": {"tgen": {"fluency": mark}, "slug": {"fluency": 6 - mark}}}
        for fact, good, bad, person, mark in zip(FACTS, GOOD, BAD, PEOPLE, MARKS, strict=True)
    ]
    (tmp_path / "wide.json").write_text(json.dumps(rows))
    frame = load_dataset(tmp_path / "wide.json").frame
    assert frame["references"][0] == (PEOPLE[0], PEOPLE[0].lower())
    assert frame["fluency"].tolist() == [each for mark in MARKS for each in (mark, 6 - mark)]
    judged = [
        {"prompt": fact, "response": text, "ratings": [{"worker": who, "fluency": mark} for who in ("a", "b")]}
        for fact, text, mark in zip(FACTS, GOOD, MARKS, strict=True)
    ]
    (tmp_path / "rated.json").write_text(json.dumps({"results": {"prompts": [{"a": 1}], "results": rows}}))
    assert load_dataset(tmp_path / "rated.json").frame["system"].tolist() == ["tgen", "slug"] * len(rows)
    (tmp_path / "judged.json").write_text(json.dumps(judged))
    columns = mapping_of(tmp_path / "judged.json").columns
    assert (columns.rater, columns.ratings) == ("ratings.worker", ("fluency=ratings.fluency",))
    assert load_dataset(tmp_path / "judged.json").frame["fluency"].tolist() == MARKS
