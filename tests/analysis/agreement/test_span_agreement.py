"""Tables of error spans: agreement, counts, and the outputs that annotators mark differently."""

import pandas as pd
import pytest

from rainbow.analysis.agreement.span_agreement import has_spans, span_agreement, span_counts, span_outputs
from rainbow.corpus.error_spans import ErrorSpan, format_spans, join_annotators, parse_spans, summarise_spans

MAJOR, MINOR = ErrorSpan(0, 10, "Fact", "major"), ErrorSpan(0, 10, "Style", "minor")
OMISSION = ErrorSpan(0, 0, "Omission", "major")


def table(*outputs: dict[str, list[ErrorSpan]]) -> pd.DataFrame:
    rows = [
        {"id": str(n), "system": "s", "output": "x" * 40, "error_spans": format_spans(own)}
        for n, own in enumerate(outputs)
    ]
    return pd.DataFrame(rows)


TWO = table({"1": [MAJOR], "2": [MINOR]}, {"1": [OMISSION], "2": []}, {"1": [MAJOR]})


def test_agreement_is_by_position_by_severity_and_by_category() -> None:
    found = span_agreement(TWO, resamples=0, rng=1).set_index("measure")
    assert found["estimate"]["character F1"] == 1
    assert found["estimate"]["character F1, same severity"] == found["estimate"]["character F1, same category"] == 0
    assert (found["estimate"]["gamma"], found["n_items"].tolist()) == (pytest.approx(1), [2] * 6)


def test_labels_that_never_differ_are_not_compared() -> None:
    same = table({"1": [MAJOR], "2": [MAJOR]}, {"1": [OMISSION], "2": []})
    assert span_agreement(same, resamples=0)["measure"].tolist() == ["character F1", "gamma"]


def test_counts_are_of_each_annotator() -> None:
    found = span_counts(TWO)
    assert found.to_numpy().tolist() == [
        ["1", "Fact", "major", 2, 3], ["1", "Omission", "major", 1, 3], ["2", "Style", "minor", 1, 2]
    ]  # fmt: skip


def test_an_annotator_who_marked_nothing_is_counted_too() -> None:
    found = span_counts(table({"1": [], "2": [MINOR]})).to_numpy().tolist()
    assert found == [["1", "", "", 0, 1], ["2", "Style", "minor", 1, 1]]


def test_outputs_come_by_the_characters_that_only_one_annotator_marked() -> None:
    found = span_outputs(table({"1": [MAJOR], "2": [MINOR]}, {"1": [ErrorSpan(20, 24)], "2": []}, {"1": [MAJOR]}, {}))
    assert found[["id", "annotators", "spans", "differing"]].fillna(-1).to_numpy().tolist() == [
        ["1", 2, 1, 4.0], ["0", 2, 2, 0.0], ["2", 1, 1, -1.0]
    ]  # fmt: skip
    assert found["f1"].fillna(-1).tolist() == [0, 1, -1]


def test_other_columns_of_that_name_are_no_spans() -> None:
    for cell in ("3 errors", "[1, 2]", None, '{"1": "abc"}', '{"1": [["a", "b"]]}'):
        assert not has_spans(pd.DataFrame({"output": ["x"], "error_spans": [cell]}))
    assert not has_spans(pd.DataFrame({"output": ["x"]}))


def test_annotators_are_numbered_in_the_order_of_their_annotations() -> None:
    cells = join_annotators(["a", "a", "b", "c"], ["zoe", "ann", "ann", "bob"], [[MAJOR], [], [MINOR], None])
    assert [parse_spans(cell) for cell in cells] == [{"1": [MAJOR], "2": []}] * 2 + [{"2": [MINOR]}, {}]
    assert summarise_spans("x", [cells[0], cells[2]]) == (
        "error spans of x: 2 outputs, 2 annotators, 3 annotations (1 without an error), 2 spans: major 1, minor 1"
    )
