"""Rows, outputs and marks that lie within objects and lists."""

import json
from pathlib import Path
from typing import Any

import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.table_mapping import read_mapping as mapping_of
from tests.datasets.mapping.places import ASKED, BAD, GOOD, MARKS


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


@pytest.mark.xfail(reason="the rater and the marks of a nested export without a recipe are not found")
def test_marks_that_say_what_they_are_of_are_a_column_each(tmp_path: Path) -> None:
    def result(who: int, mark: int) -> dict[str, Any]:
        marks = [
            {"from_name": "coverage", "value": {"rating": mark}, "type": "rating"},
            {"from_name": "fault", "value": {"choices": ["none"]}, "type": "choices"},
        ]
        return {"completed_by": {"id": who, "email": f"r{who}@x.org"}, "result": marks, "lead_time": 7.5}

    rows = [
        {"annotations": [result(who, mark) for who in range(1 + mark % 2)], "data": {"prompt": ask, "output": text}}
        for ask, text, mark in zip(ASKED, GOOD, MARKS, strict=True)
    ]
    (tmp_path / "mine.json").write_text(json.dumps(rows))
    columns = mapping_of(tmp_path / "mine.json").columns
    expected = ("annotations.completed_by.id", ("coverage=annotations.result.coverage.rating",))
    assert (columns.rater, columns.ratings) == expected
    assert load_dataset(tmp_path / "mine.json").frame["coverage"].tolist() == MARKS


def test_the_longest_list_holds_the_rows_and_metrics_by_name_are_scores(tmp_path: Path) -> None:
    cases = [{
        "input": ask, "actualOutput": text,
        "metricsData": [
            {"name": name, "score": round((row + 1) / (17 + place), 3), "evaluationCost": 0.001 * row}
            for place, name in enumerate(("Faithfulness", "Correctness [GEval]"))
        ],
    } for row, (ask, text) in enumerate(zip(ASKED, GOOD, strict=True))]  # fmt: skip
    (tmp_path / "mine.json").write_text(json.dumps({"testCases": cases, "metricsScores": [{"metric": "x"}] * 3}))
    columns = mapping_of(tmp_path / "mine.json").columns
    assert (columns.output, columns.ratings) == (("actualOutput",), ())
    assert {*columns.scores} == {"metricsData.Faithfulness:higher", "metricsData.Correctness [GEval]:higher"}


def test_a_choice_may_be_a_list_of_one(tmp_path: Path) -> None:
    label: list[list[str]] = [["普通"], ["良い"], [], ["悪い"]] * 3
    rows = [{"text": t, "article": a, "label": one} for t, a, one in zip(GOOD, ASKED, label, strict=True)]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = load_dataset(tmp_path / "mine.jsonl").frame["label"].tolist()
    assert found[:2] == [3, 4] and found[3] == 2 and found[2] != found[2]
