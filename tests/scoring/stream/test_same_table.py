"""Rows scored chunk by chunk give the table that they give in memory."""

import json
import tracemalloc
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset, open_dataset, score_corpus, score_rows
from rainbow.scoring.chunks import CorpusRows
from rainbow.scoring.saved_scores import load_scores, save_scores
from tests.scoring.stream.tables import OPTIONS, SOME, score, table, written


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_a_file_read_in_chunks_gives_the_table_that_it_gives_as_a_whole(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, suffix)
    corpus = load_dataset(path, **OPTIONS)
    whole = save_scores(tmp_path / "whole.parquet", corpus, score_corpus(corpus, SOME))
    scored = score(path, tmp_path / "chunks.parquet")
    pd.testing.assert_frame_equal(load_scores(scored.paths[0]), load_scores(whole), check_exact=True)
    one, other = (load_scores(path).attrs for path in (scored.paths[0], whole))
    assert {**one, "columns": None} == {**other, "columns": None} and OPTIONS.items() <= one["columns"].items()
    assert load_scores(whole).attrs["missing"]["BLEU4"] == {"no reference": [17]}


def test_csv_and_parquet_are_written_at_once(mine: Path, tmp_path: Path) -> None:
    corpus = load_dataset(mine, **OPTIONS)
    whole = save_scores(tmp_path / "whole.csv", corpus, score_corpus(corpus, SOME))
    scored = score_rows(open_dataset(mine, **OPTIONS), [tmp_path / "a.parquet", tmp_path / "a.csv"], SOME, chunk_rows=6)
    assert scored.paths == (tmp_path / "a.parquet", tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == whole.read_text()


def test_processes_and_chunks_make_no_difference(mine: Path, tmp_path: Path, expected: bytes) -> None:
    score(mine, tmp_path / "shared.parquet", workers=2)
    assert (tmp_path / "shared.parquet").read_bytes() == expected
    score(mine, tmp_path / "large.parquet", chunk_rows=100)
    one, other = (load_scores(tmp_path / f"{name}.parquet") for name in ("unbroken", "large"))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert one.attrs == other.attrs


def test_the_demo_goes_the_same_way(tmp_path: Path) -> None:
    corpus = load_dataset("demo").take(range(0, 1000, 20))
    whole = save_scores(tmp_path / "whole.parquet", corpus, score_corpus(corpus, SOME))
    score_rows(CorpusRows(corpus), tmp_path / "chunks.parquet", SOME, chunk_rows=9)
    one, other = load_scores(tmp_path / "chunks.parquet"), load_scores(whole)
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert one.attrs == other.attrs


def test_a_summary_is_that_of_all_rows(mine: Path, tmp_path: Path) -> None:
    scored = score(mine, tmp_path / "out.parquet")
    scores = load_scores(scored.paths[0])[list(scored.signatures)]
    for name, moments in scored.table.moments.items():
        column = scores[name]
        found = (moments.mean, moments.deviation, moments.low, moments.high)
        assert found == pytest.approx((column.mean(), column.std(), column.min(), column.max()), rel=1e-12)
        assert moments.count == column.notna().sum()


def test_meaning_representations_in_the_last_rows_only_make_the_view_delexicalised(tmp_path: Path) -> None:
    frame = table().assign(mr=["inform(name='inn 4')" if n == 39 else "" for n in range(40)])
    assert score(written(tmp_path, frame=frame), tmp_path / "out.parquet", metrics=["TER"]).view == "delexicalised"


def test_columns_may_come_late_and_take_the_type_that_holds_all(tmp_path: Path) -> None:
    lines = [{"output": "a", "n": 1}, {"output": "b", "n": 0.5, "mr": "inform(x=b)"}, {"output": "c", "late": "yes"}]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    score_rows(open_dataset(tmp_path / "mine.jsonl"), tmp_path / "out.parquet", "len", chunk_rows=1)
    found = load_scores(tmp_path / "out.parquet")
    assert (found["n"].tolist()[:2], found["late"].isna().tolist()) == ([1.0, 0.5], [True, True, False])
    assert found["mr"].tolist() == ["", "inform(x=b)", ""]


def test_a_table_without_rows_stays_one(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,mr\n")
    score_rows(open_dataset(tmp_path / "mine.csv"), tmp_path / "out.parquet", ["len", "TER"])
    found = load_scores(tmp_path / "out.parquet")
    assert found.shape == (0, 10)
    assert found.attrs["view"] == "surface"


@pytest.mark.slow
def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = []
    for rows in (2_000, 2_000, 12_000):  # the first only fills caches
        path = written(tmp_path, frame=table(rows))
        tracemalloc.start()
        score(path, tmp_path / "out.parquet", metrics=["len", "wps"], chunk_rows=500)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] - peaks[1] < 10_000 * 100  # bytes; the texts of a row take more than 500
