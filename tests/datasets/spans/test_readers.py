"""Each tool's export gives the spans, the annotators, and what is missing or wrong."""

import csv
import json
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow import load_dataset
from rainbow.corpus.error_spans import ErrorSpan, parse_spans
from rainbow.datasets.columns import Columns, save_columns
from rainbow.datasets.folders.user_files import open_user_files
from rainbow.datasets.read.judgement_tables import ANSWER_COLUMNS, spread_ratings
from rainbow.datasets.spans.export import locate, split_labels
from rainbow.datasets.spans.span_table import error_score, parse_weights, read_span_table
from rainbow.datasets.table_mapping import read_mapping

INN = "The Red Inn is a cheap pub in Leith."  # "cheap": 17 to 22, "pub": 23 to 26
CATEGORIES = [{"name": "Wrong fact", "color": "#f00"}, {"name": "Major", "color": "#00f"}]


def table_of(*files: Path, weights: tuple[str, ...] = ()) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = read_span_table(files, weights)
    assert table is not None
    return table


def write_lines(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def factgenie(
    annotator: str, annotations: list[Mapping[str, Any]], setup: str = "gull", **further: Any
) -> dict[str, Any]:
    about = {"dataset": "pubs", "split": "test", "setup_id": setup, "example_idx": 0, "output": INN}
    metadata = {"annotation_span_categories": CATEGORIES, "annotator_id": annotator}
    return {**about, "metadata": metadata, "annotations": annotations, "flags": [], **further}


CHEAP = {"type": 0, "text": "cheap", "start": 17, "reason": ""}
PUB = {"type": 1, "text": "pub", "start": 23}


def test_an_output_without_a_span_has_no_error_and_one_that_was_not_seen_is_missing(tmp_path: Path) -> None:
    other = {"output": "A pub.", "setup_id": "heron"}
    lines = [factgenie("ann", [CHEAP, PUB]), factgenie("bob", []), factgenie("ann", [], **other)]
    path = write_lines(tmp_path / "campaign.jsonl", lines)
    table = table_of(path)
    assert table["error_score"].tolist() == [-6.0, 0.0, 0.0]
    spans = {"1": [ErrorSpan(17, 22, "Wrong fact"), ErrorSpan(23, 26, "", "major")], "2": []}
    assert parse_spans(table["error_spans"][0]) == parse_spans(table["error_spans"][1]) == spans
    with pytest.warns(UserWarning, match="columns detected"):
        frame = load_dataset(path).frame
    assert (frame["error_score"].tolist(), frame["error_score_1"].tolist()) == ([-3.0, 0.0], [-6.0, 0.0])
    assert frame["error_score_2"].isna().tolist() == [False, True]


def test_the_summary_counts_what_was_read(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "campaign.jsonl", [factgenie("ann", [CHEAP, PUB]), factgenie("bob", [])])
    summary = table_of(path).attrs["summary"]
    assert summary[0] == (
        "error spans of factgenie: 1 output, 2 annotators, 2 annotations (1 without an error), 2 spans: "
        "Wrong fact 1, major 1"
    )
    assert summary[1] == "annotators: 1 is ann, 2 is bob"


def test_a_span_whose_text_is_elsewhere_is_reported_and_harms_nothing_else(tmp_path: Path) -> None:
    lines = [factgenie("ann", [CHEAP | {"start": 18}, PUB]), "{broken", factgenie("bob", [PUB])]
    path = write_lines(tmp_path / "campaign.jsonl", lines)
    with pytest.warns(UserWarning, match=r"line 1: no span .'cheap'. from 18 to 23: counted without") as told:
        table = read_span_table([path])
    assert "line 2: 'dataset' is missing: left out" in str(told[0].message) and table is not None
    assert table["error_score"].tolist() == [-6.0, -5.0]
    first, second = parse_spans(table["error_spans"][0])["1"]
    assert not first.has_position and second == ErrorSpan(23, 26, "", "major")


def test_the_files_of_a_campaign_are_read_together(tmp_path: Path) -> None:
    for name, spans in (("ann", [CHEAP]), ("bob", [])):
        write_lines(tmp_path / f"{name}.jsonl", [factgenie(name, spans)])
    opened = open_user_files([str(tmp_path)])
    (corpus,) = opened.rows.chunks(None)
    assert corpus.frame[["error_score_1", "error_score_2"]].to_numpy().tolist() == [[-1.0, 0.0]]
    assert opened.mapping.summary[0].startswith("error spans of factgenie: 1 output, 2 annotators")
    assert not opened.mapping.doubts
    frame = load_dataset(str(tmp_path / "*.jsonl")).frame
    assert frame[["error_score_1", "error_score_2"]].to_numpy().tolist() == [[-1.0, 0.0]]


def test_outputs_in_another_file_of_the_folder_are_found_or_named(tmp_path: Path) -> None:
    line = factgenie("ann", [CHEAP])
    output = {name: line.pop(name) if name == "output" else line[name] for name in ("output", *list(line)[:4])}
    path = write_lines(tmp_path / "annotations.jsonl", [line])
    with pytest.raises(ValueError, match=r"put factgenie's JSONL files of outputs"):
        read_span_table([path])
    path.touch()
    write_lines(tmp_path / "outputs.jsonl", [output])
    path.write_text(path.read_text() + "\n")
    assert table_of(path)["output"].tolist() == [INN]


def test_a_campaign_without_any_span_is_left_to_its_recipe(tmp_path: Path) -> None:
    assert read_span_table([write_lines(tmp_path / "campaign.jsonl", [factgenie("ann", [])])]) is None


def region(start: int, end: int, label: str, text: str = INN, **further: Any) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text[start:end], "labels": [label]}
    return {"id": "r1", "from_name": "errors", "to_name": "text", "type": "labels", "value": value, **further}


def task(text: str, *annotations: tuple[int, list[Any]]) -> dict[str, Any]:
    held = [{"completed_by": by, "result": result, "was_cancelled": False} for by, result in annotations]
    return {"id": 1, "data": {"model": "gull", "summary": text}, "annotations": held, "predictions": []}


def test_label_studio_names_neither_the_text_nor_the_severity(tmp_path: Path) -> None:
    severity = {"id": "r1", "from_name": "how", "type": "choices", "value": {"start": 17, "choices": ["Minor"]}}
    stars = {"id": "r9", "from_name": "overall", "type": "rating", "value": {"rating": 4}}
    first = task(INN, (7, [region(17, 22, "Wrong"), severity, stars]), (8, []))
    second = task("A pub.", (7, [{**stars, "value": {"rating": 5}}]))
    second["annotations"][0] |= {"completed_by": {"id": 7, "email": "a@b"}}
    second["annotations"].append({"completed_by": 9, "result": [], "was_cancelled": True})
    (tmp_path / "project.json").write_text(json.dumps([first, second]))
    table = table_of(tmp_path / "project.json")
    found = table[["model", "output", "annotator", "error_score"]].to_numpy().tolist()
    assert found == [["gull", INN, "7", -1.0], ["gull", INN, "8", 0.0], ["gull", "A pub.", "7", 0.0]]
    assert parse_spans(table["error_spans"][0]) == {"1": [ErrorSpan(17, 22, "Wrong", "minor")], "2": []}
    assert table.attrs["ratings"] == ["error_score", "overall"]
    assert "left out: 1 skipped by an annotator" in table.attrs["summary"]


def test_a_field_named_like_the_rating_is_not_overwritten(tmp_path: Path) -> None:
    held = task(INN, (7, [region(17, 22, "Wrong")]))
    held["data"]["error_score"] = 3
    (tmp_path / "project.json").write_text(json.dumps([held]))
    with pytest.raises(ValueError, match="the texts have a field 'error_score'"):
        read_span_table([tmp_path / "project.json"])


def test_browsers_count_in_utf_16(tmp_path: Path) -> None:
    text = "\U0001f37a pub, wrong"
    result = {"id": "a", "type": "labels", "value": {"start": 8, "end": 13, "text": "wrong", "labels": ["critical"]}}
    (tmp_path / "project.json").write_text(json.dumps([task(text, (1, [result]))]))
    table = table_of(tmp_path / "project.json")
    ((span,),) = parse_spans(table["error_spans"][0]).values()
    assert (text[span.start : span.end], table["error_score"].tolist()) == ("wrong", [-25.0])


def batches(*texts: str) -> list[dict[str, Any]]:
    items = [{
        "targetID": "sys", "itemID": n, "documentID": "d#sys", "itemType": "TGT", "sourceText": "Quelle",
        "targetText": text,
    } for n, text in enumerate(texts, 1)]  # fmt: skip
    return [{"items": items, "task": {"batchNo": 1}}]


def appraise(user: str, item: int, spans: list[Any], kind: str = "TGT") -> list[str]:
    return [user, "sys", str(item), kind, "eng", "deu", "80", "d#sys", "False", json.dumps(spans), "1.0", "2.0"]


def write_scores(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_appraise_counts_its_last_character_and_keeps_texts_elsewhere(tmp_path: Path) -> None:
    spans = [{"start_i": 17, "end_i": 21, "severity": "major", "error_type": ["Accuracy", "Addition"]}]
    omission = [{"start_i": "missing", "end_i": "missing", "severity": "minor", "error_type": None}]
    rows = [appraise("u1", 1, spans), appraise("u2", 1, []), appraise("u1", 2, omission)]
    rows += [appraise("u1", 1, spans, "BAD"), appraise("u1", 3, [])]
    path = write_scores(tmp_path / "scores.csv", rows)
    with pytest.raises(ValueError, match=r"put the JSON file of the campaign's batches"):
        read_span_table([path])
    (tmp_path / "batches.json").write_text(json.dumps(batches(INN, "A pub.")))
    with pytest.warns(UserWarning, match=r"row 5: its text is not in the batches: left out"):
        table = read_span_table([path, tmp_path / "batches.json"])
    assert table is not None and table["error_score"].tolist() == [-5.0, 0.0, -1.0]
    assert parse_spans(table["error_spans"][0]) == {"1": [ErrorSpan(17, 22, "Accuracy/Addition", "major")], "2": []}
    assert parse_spans(table["error_spans"][2]) == {"1": [ErrorSpan(0, 0, "missing", "minor")]}
    assert "left out: 1 controls" in table.attrs["summary"]
    assert "left out: score, which is the same everywhere" in table.attrs["summary"]


def test_label_studio_spans_of_no_field_leave_its_other_labels(tmp_path: Path) -> None:
    choice = {"type": "choices", "from_name": "better", "value": {"choices": ["Translation 2"]}}
    path = tmp_path / "project.json"
    path.write_text(json.dumps([task(INN, (1, [region(3, 8, "Wrong") | {"type": "labels"}, choice]))]))
    moved = json.loads(path.read_text())
    moved[0]["annotations"][0]["result"][0]["value"]["text"] = "not there"
    path.write_text(json.dumps(moved))
    with pytest.warns(UserWarning, match=r"at their positions: the error spans are not read"):
        assert read_span_table([path]) is None


def test_of_two_annotations_by_the_same_person_the_last_counts(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "campaign.jsonl", [factgenie("ann", [CHEAP, PUB]), factgenie("ann", [CHEAP])])
    table = table_of(path)
    assert table["error_score"].tolist() == [-1.0]
    assert table.attrs["summary"][-1] == "1 repeated by the same annotator: the last one counts"


def test_weights_are_those_of_mqm_unless_rainbow_toml_changes_them(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "campaign.jsonl", [factgenie("ann", [CHEAP, PUB])])
    (tmp_path / "rainbow.toml").write_text('error_weights = ["major=10", "Wrong fact=0.5"]\n')
    with pytest.warns(UserWarning, match="columns detected"):
        assert load_dataset(path).frame["error_score"].tolist() == [-10.5]
    save_columns(path, read_mapping(path).columns)
    assert (tmp_path / "rainbow.toml").read_text().count("error_weights") == 1
    (tmp_path / "rainbow.toml").write_text('["campaign.jsonl"]\nerror_weights = ["minor=2"]\n')
    save_columns(path, read_mapping(path).columns)
    assert 'error_weights = ["minor=2"]' in (tmp_path / "rainbow.toml").read_text()
    assert "error" not in str(Columns(error_weights=("minor=2",)))
    with pytest.raises(ValueError, match=r"write a severity or category and its weight, e.g. 'major=10'"):
        parse_weights(["major"])
    assert error_score([ErrorSpan(0, 1, "", "unheard of")], {"minor": 1.0}) == -1.0


@pytest.mark.parametrize(("start", "end", "marked", "place"), [
    (0, 3, "The", (0, 3)),
    *((0, 3, "the", None), (-1, 3, "", None), (3, 3, "", None), (30, 99, "", None), ("0", 3, "", None)),
    (0, len(INN), "", (0, len(INN))),
])  # fmt: skip
def test_a_position_is_checked(start: Any, end: Any, marked: str, place: tuple[int, int] | None) -> None:
    assert locate(INN, start, end, marked) == place


def test_labels_are_split_into_category_and_severity() -> None:
    assert split_labels(["Major"]) == ("", "major")
    assert split_labels(["minor, grammar"]) == ("grammar", "minor")
    assert split_labels(["Accuracy", "Addition", "CRITICAL"]) == ("Accuracy/Addition", "critical")


def test_answers_of_a_study_keep_the_marked_errors() -> None:
    error = json.dumps([{"start": 17, "end": 22, "kind": "grammar", "severity": "minor"}])
    cells = [
        ["r1", INN, "errors", "-1", "3", "1", "", "t1", error],
        ["r2", INN, "errors", "0", "3", "1", "", "t2", "[]"],
        ["r2", INN, "quality", "5", "3", "2", "", "t3", ""],
    ]
    table = spread_ratings(pd.DataFrame(cells, columns=[*ANSWER_COLUMNS, "task", "spans"]))
    spans = {"1": [ErrorSpan(17, 22, "grammar", "minor")], "2": []}
    assert [parse_spans(cell) for cell in table["error_spans"]] == [spans] * 3
    assert table["errors"].tolist() == ["-1", "0", ""]


SAMPLES = {
    "campaign.jsonl": [factgenie("ann", [CHEAP, PUB]), factgenie("bob", [])],
    "annotated_instances.jsonl": [{"id": "1", "displayed_text": INN, "span_annotations": [{"start": 17, "end": 22}]}],
    "project.json": [task(INN, (7, [region(17, 22, "Wrong")]), (8, []))],
}
JSON = st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda held: st.lists(held, max_size=2))


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_damaged_export_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, name: str, data: Any) -> None:
    entries = json.loads(json.dumps(SAMPLES[name]))
    held, key = data.draw(st.sampled_from([(held, key) for entry in entries for held, key in _places(entry)]))
    held[key] = data.draw(JSON)
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_text(json.dumps(entries) if name.endswith(".json") else "\n".join(map(json.dumps, entries)))
    with suppress(ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = read_span_table([path])
        assert table is None or set(table) >= {"output", "annotator", "error_score", "error_spans"}


def _places(entry: Any) -> list[tuple[Any, Any]]:
    """Return every place of a JSON value."""
    keys = list(entry) if isinstance(entry, dict) else range(len(entry)) if isinstance(entry, list) else []
    return [place for key in keys for place in ((entry, key), *_places(entry[key]))]


@pytest.mark.parametrize("name", ["plain.csv", "plain.json", "plain.jsonl", "plain.txt", "latin.csv"])
def test_other_files_are_no_exports(tmp_path: Path, name: str) -> None:
    rows = [{"output": "an inn", "quality": 3}]
    text = {"json": json.dumps(rows), "jsonl": json.dumps(rows[0])}.get(
        name.partition(".")[2], "output,quality\nan inn é,3\n"
    )
    (tmp_path / name).write_text(text, encoding="latin-1")
    assert read_span_table([tmp_path / name]) is None


def test_an_mqm_table_keeps_its_spans(tmp_path: Path) -> None:
    rows = [
        ["gull", "d", 1, 1, "r1", "Quelle", INN.replace("cheap", "<v>cheap</v>"), "Accuracy/Addition", "Major"],
        ["gull", "d", 1, 1, "r1", "Quelle", INN, "Accuracy/Omission", "Minor"],
        ["gull", "d", 1, 1, "r2", "Quelle", "A planted error.", "Found", "HOTW-test"],
        ["gull", "d", 1, 1, "r2", "Quelle", INN, "No-error", "No-error"],
    ]
    names = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    pd.DataFrame(rows, columns=names).to_csv(tmp_path / "mqm.tsv", sep="\t", index=False)
    with pytest.warns(UserWarning, match="columns detected"):
        frame = load_dataset(tmp_path / "mqm.tsv").frame
    assert frame[["mqm_1", "mqm_2"]].to_numpy().tolist() == [[-6.0, 0.0]]
    omission = ErrorSpan(0, 0, "Accuracy/Omission", "minor")
    found = parse_spans(frame["error_spans"][0])
    assert found == {"1": [ErrorSpan(17, 22, "Accuracy/Addition", "major"), omission], "2": []}


def test_a_file_whose_only_annotation_is_damaged_is_not_read_as_one_without_spans(tmp_path: Path) -> None:
    about = {"dataset": "d", "split": "t", "setup_id": "s", "example_idx": 0, "output": "a b"}
    line = about | {"annotations": [{"start": "x"}], "metadata": {"annotator_id": "p"}}
    (tmp_path / "f.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(ValueError, match=r"no annotation can be read: f\.jsonl"):
        read_span_table([tmp_path / "f.jsonl"])
