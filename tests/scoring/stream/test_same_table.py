"""Rows scored chunk by chunk give the table that they give in memory; what is wrong is named by file, row and field."""

import json
import tracemalloc
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset, open_dataset, score_corpus, score_rows
from rainbow.scoring.saved_scores import load_scores, save_scores
from tests.scoring.stream.tables import OPTIONS, SOME, interrupted, parts, score, table, written


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


def test_a_bad_row_is_named_with_file_row_and_field_and_finished_parts_stay(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    (tmp_path / "rainbow.toml").write_text('id = "id"\n')  # said, not found: a number that stands twice is a mistake
    good = table().assign(id=[str(n) for n in range(1, 41)])
    folder = interrupted(written(tmp_path, frame=good), out, after=18)
    bad = good.copy()
    bad.loc[27, "id"] = "3"
    with pytest.raises(ValueError, match=r"mine\.csv: row 28, id: '3' is already used in row 3"):
        score(written(tmp_path, frame=bad), out)
    assert (len(parts(folder)), score(written(tmp_path, frame=good), out).resumed) == (3, 18)


def test_a_mark_that_is_no_number_is_named_and_the_other_rows_have_theirs(tmp_path: Path) -> None:
    frame = table()
    frame.loc[27, "quality"] = "good"
    out = tmp_path / "out.parquet"
    with pytest.warns(UserWarning, match=r"mine\.csv: row 28, quality: 'good' is not a number and counts as missing"):
        score(written(tmp_path, frame=frame), out)
    assert load_scores(out)["quality"].isna().to_numpy().nonzero()[0].tolist() == [27, 30]


def test_lines_that_are_no_json_are_named_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text('{"output": "a"}\n' * 20 + '{"output": \n')
    with pytest.raises(ValueError, match=r"mine\.jsonl: line 21 is not valid JSON"):
        score_rows(open_dataset(tmp_path / "mine.jsonl"), tmp_path / "out.parquet", "len", chunk_rows=5)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl"]


@pytest.mark.parametrize("size", [5, None])
def test_a_column_of_numbers_texts_and_objects_is_one_of_texts(tmp_path: Path, size: int | None) -> None:
    lines = ['{"output": "a", "n": 1}'] * 20 + ['{"output": "a", "n": "one"}', '{"output": "a", "n": {"b": [2]}}']
    (tmp_path / "mine.jsonl").write_text("\n".join([*lines, '{"output": "a"}\n']))
    out = tmp_path / "out.parquet"
    score_rows(open_dataset(tmp_path / "mine.jsonl", output="output"), out, "len", chunk_rows=size)
    assert load_scores(out)["n"].fillna("").tolist()[19:] == ["1", "one", '{"b": [2]}', ""]


def test_a_column_of_nothing_that_is_called_as_that_of_a_metric_is_not_in_its_way(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    score(written(tmp_path, frame=table().assign(len="x")), out)
    score(written(tmp_path), tmp_path / "without.parquet")
    assert load_scores(out)["len"].tolist() == load_scores(tmp_path / "without.parquet")["len"].tolist()


def test_a_file_that_changes_while_it_is_scored_is_refused(mine: Path, tmp_path: Path) -> None:
    def change(stage: str, done: int, rows: int | None) -> None:
        if (stage, done) == ("scoring", 18):
            with mine.open("a") as file:
                file.write("\n")

    with pytest.raises(ValueError, match="the rows have changed during reading"):
        score(mine, tmp_path / "out.parquet", progress=change)
    assert not (tmp_path / "out.parquet").exists()
