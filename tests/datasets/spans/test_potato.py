"""Exports of Potato."""

import json
from pathlib import Path

import pytest

from rainbow.corpus.error_spans import ErrorSpan, parse_spans
from rainbow.datasets.folders.user_files import open_user_files
from rainbow.datasets.spans.span_table import read_span_table
from tests.datasets.spans.test_readers import INN, table_of, write_lines


def test_potato_does_not_store_that_no_error_was_marked(tmp_path: Path) -> None:
    span = {"schema": "errors", "name": "Major", "title": "", "start": 17, "end": 22, "id": "s1"}
    error = {"start": 23, "end": 26, "text": "pub", "type": "Accuracy", "subtype": "Addition", "severity": "Minor"}
    labels = [[{"schema": "quality", "name": "errors"}, json.dumps({"errors": [error], "score": 99})]]
    labels += [[{"schema": "fluency", "name": "scale_5"}, "4"], [{"schema": "kind", "name": "inn"}, "true"]]
    state = {
        **{"user_id": "ann", "instance_id_ordering": ["1", "2", "3"], "current_instance_index": 2},
        **{
            "instance_id_to_label_to_value": {"1": labels, "2": [[{"schema": "fluency", "name": "scale_5"}, "2"]]},
            "instance_id_to_span_to_value": {"1": [[span, True]]},
        },
    }
    folder = tmp_path / "annotation_output" / "ann"
    folder.mkdir(parents=True)
    (folder / "user_state.json").write_text(json.dumps(state))
    with pytest.raises(ValueError, match=r"put that file .JSON or JSONL with id and text."):
        read_span_table([folder / "user_state.json"])
    data = [{"id": "1", "text": INN, "system": "gull"}, {"id": 2, "text": "A pub."}, {"id": "3", "text": "An inn."}]
    write_lines(tmp_path / "items.jsonl", data)
    (corpus,) = open_user_files([str(tmp_path / "annotation_output"), str(tmp_path / "items.jsonl")]).rows.chunks(None)
    assert corpus.frame["output"].tolist() == [INN, "A pub."]
    assert (corpus.frame["error_score"].tolist(), corpus.frame["fluency"].tolist()) == ([-6.0, 0.0], [4.0, 2.0])
    spans = {"1": [ErrorSpan(17, 22, "", "major"), ErrorSpan(23, 26, "Accuracy/Addition", "minor")]}
    assert parse_spans(corpus.frame["error_spans"][0]) == spans


def test_the_first_versions_of_potato_named_the_annotator_by_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "bob"
    folder.mkdir()
    span = {"start": 17, "end": 22, "span": "cheap", "annotation": "Wrong"}
    line = {
        "id": "1", "displayed_text": INN, "label_annotations": {}, "span_annotations": [span], "behavioral_data": {}
    }  # fmt: skip
    table = table_of(write_lines(folder / "annotated_instances.jsonl", [line]))
    assert table[["annotator", "error_score", "output"]].to_numpy().tolist() == [["bob", -1.0, INN]]


def test_labels_of_potato_that_are_numbers_are_ratings(tmp_path: Path) -> None:
    span = {"start": 17, "end": 22, "span": "cheap", "annotation": "Wrong"}
    marks = [{"clear": {"scale_5": "4"}, "kind": {"inn": "true"}}, {"clear": {"scale_5": "2"}, "kind": {"inn": "true"}}]
    lines = [{"id": str(n), "displayed_text": INN, "label_annotations": mark} for n, mark in enumerate(marks)]
    table = table_of(write_lines(tmp_path / "old.jsonl", [{**line, "span_annotations": [span]} for line in lines]))
    assert (table["clear"].tolist(), table.attrs["ratings"]) == ([4.0, 2.0], ["error_score", "clear"])
    assert "left out: 2 labels that are not numbers" in table.attrs["summary"]
    without = write_lines(tmp_path / "none.jsonl", [{**line, "span_annotations": []} for line in lines])
    assert read_span_table([without]) is None
    merged = [{**line, "span_annotations": [span], "user": "ann"} for line in lines]
    assert read_span_table([write_lines(tmp_path / "merged.jsonl", merged)]) is None
