"""Metrics that stand in a saved table: others are added beside them, for the same rows only."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow import open_dataset, score_rows
from rainbow.scoring.chunks import AddedScores
from rainbow.scoring.saved_scores import load_scores, read_about
from rainbow.scoring.score_rows import ScoredTable
from tests.scoring.stream.tables import OPTIONS, table, written


def add(folder: Path, metrics: list[str], frame: pd.DataFrame | None = None, **options: object) -> ScoredTable:
    rows = open_dataset(written(folder, frame=frame), **OPTIONS)
    paths = [folder / "out.parquet", folder / "out.csv"]
    return score_rows(rows, paths, metrics, **{"keep": True, "chunk_rows": 6} | options)


def test_added_one_after_the_other_they_are_the_table_of_all_at_once(tmp_path: Path) -> None:
    add(tmp_path, ["len", "BLEU4", "CIDEr"], chunk_rows=9)
    added = add(tmp_path, ["slots", "len"])
    assert (added.kept, added.replaced) == (("BLEU4", "CIDEr"), ("len",))
    step_by_step = load_scores(tmp_path / "out.parquet")
    sheet = (tmp_path / "out.csv").read_text()
    add(tmp_path, ["len", "BLEU4", "CIDEr", "slots"], keep=False)
    at_once = load_scores(tmp_path / "out.parquet")
    pd.testing.assert_frame_equal(step_by_step, at_once[step_by_step.columns], check_exact=True)
    assert (step_by_step.attrs, sheet) == (at_once.attrs, (tmp_path / "out.csv").read_text())


def test_without_keep_a_table_is_made_anew(tmp_path: Path) -> None:
    add(tmp_path, ["len", "cpw"])
    assert add(tmp_path, ["TER"], keep=False).kept == ()
    assert list(read_about(tmp_path / "out.parquet").signatures) == ["TER"]


@pytest.mark.parametrize(("change", "row"), [
    (lambda frame: frame.assign(output=[*frame["output"][:20], "x", *frame["output"][21:]]), 21),
    (lambda frame: frame.assign(gold_1=[*frame["gold_1"][:3], "x", *frame["gold_1"][4:]]), 4),
    (lambda frame: frame.iloc[::-1], 1),
    (lambda frame: pd.concat([frame, frame[:1]]), 41),
])  # fmt: skip
def test_other_rows_are_refused_with_the_first_that_differs(tmp_path: Path, change: object, row: int) -> None:
    add(tmp_path, ["len", "cpw"])
    before = (tmp_path / "out.parquet").read_bytes()
    with pytest.raises(ValueError, match=rf"out\.parquet has 2 metrics.* other rows \(row {row} differs\).*--anew"):
        add(tmp_path, ["TER"], change(table()))
    assert (tmp_path / "out.parquet").read_bytes() == before


def test_fewer_rows_are_refused(tmp_path: Path) -> None:
    add(tmp_path, ["len"])
    with pytest.raises(ValueError, match=r"has the metric len that have more rows than the current 30"):
        add(tmp_path, ["TER"], table()[:30])


def test_rows_that_differ_in_what_no_score_depends_on_are_the_same(tmp_path: Path) -> None:
    add(tmp_path, ["len"])
    add(tmp_path, ["TER"], table().assign(note="", quality="3", more="x"))
    found = load_scores(tmp_path / "out.parquet")
    assert {"len", "TER", "more"} <= {*found} and (found["quality"] == 3).all()


def test_all_metrics_computed_anew_may_be_of_other_rows(tmp_path: Path) -> None:
    add(tmp_path, ["len"])
    assert add(tmp_path, ["len", "TER"], table()[:30]).kept == ()


def test_the_learned_score_alone_stays_with_the_same_rows_in_any_view(tmp_path: Path) -> None:
    add(tmp_path, ["len"])
    rows, about = open_dataset(tmp_path / "mine.csv", **OPTIONS), {"higher_is_better": True, "signature": "x"}
    added = AddedScores(rows, {"rainbow_quality": [3.0] * 40}, {"rainbow_quality": about})
    score_rows(added, tmp_path / "out.parquet", (), keep=True)
    assert add(tmp_path, ["len"], view="surface").kept == ("rainbow_quality",)
    assert add(tmp_path, ["len"], table()[:30]).kept == ()


def test_another_view_is_refused(tmp_path: Path) -> None:
    add(tmp_path, ["BLEU4"])
    with pytest.raises(ValueError, match="computed with the view delexicalised, not surface"):
        add(tmp_path, ["TER"], view="surface")


def test_another_background_is_refused(tmp_path: Path) -> None:
    add(tmp_path, ["lm_mean"])
    (tmp_path / "train.csv").write_text("mr,ref\ninform(name=a),a is an inn\n")
    rows = open_dataset(tmp_path / "mine.csv", **OPTIONS, background=tmp_path / "train.csv")
    with pytest.raises(ValueError, match=r"computed with the background None, not .*train\.csv"):
        score_rows(rows, tmp_path / "out.parquet", "slor", keep=True)


def test_a_table_without_rows_keeps_its_metrics(tmp_path: Path) -> None:
    add(tmp_path, ["len"], table()[:0])
    assert add(tmp_path, ["TER"], table()[:0]).kept == ("len",)
    assert list(load_scores(tmp_path / "out.parquet"))[-2:] == ["len", "TER"]
