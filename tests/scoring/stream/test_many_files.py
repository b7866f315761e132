"""Many files are one table, and a folder of parts is a table."""

import json
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset, open_dataset, score_rows
from rainbow.base.workers import process_engine
from rainbow.scoring.saved_scores import is_score_table, load_scores
from tests.metrics.awkward_metrics import Fussy
from tests.scoring.stream.tables import OPTIONS, SOME, score, stop_after, table, written


def split(folder: Path, frame: pd.DataFrame | None = None, size: int = 13) -> Path:
    """Write the rows as several Parquet files of small row groups, and give the folder of them."""
    frame = table() if frame is None else frame
    folder = folder / "in"
    folder.mkdir()
    for start in range(0, len(frame), size):
        frame[start : start + size].to_parquet(folder / f"{start:03d}.parquet", row_group_size=5)
    return folder


def numbers(path: Path) -> pd.DataFrame:
    return load_scores(path)[["id", *load_scores(path).attrs["signatures"]]]


@pytest.mark.parametrize("name", ["in", "in/", "in/*.parquet", "*/0*.parquet"])
@pytest.mark.parametrize("engine", [None, process_engine(1)])
def test_statistics_over_many_files_are_those_of_one(mine, tmp_path, expected, name, engine) -> None:
    split(tmp_path)
    rows = open_dataset(f"{tmp_path}/{name}", **OPTIONS)
    score_rows(rows, tmp_path / "many.parquet", SOME, chunk_rows=6, engine=engine)
    one, many = numbers(tmp_path / "unbroken.parquet"), numbers(tmp_path / "many.parquet")
    if not name.startswith("*"):
        assert set(load_scores(tmp_path / "many.parquet")["dataset"]) == {"in"}
    pd.testing.assert_frame_equal(many, one, check_exact=True)
    signatures = [load_scores(tmp_path / f"{kind}.parquet").attrs["signatures"] for kind in ("many", "unbroken")]
    assert signatures[0] == signatures[1]


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_that_others_read_give_the_same_file(tmp_path: Path, workers: int) -> None:
    path = written(tmp_path, ".parquet")
    score(path, tmp_path / "here.parquet")
    score(path, tmp_path / "there.parquet", engine=process_engine(workers))
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


def test_a_folder_of_parts_is_the_table_of_one_file(mine: Path, tmp_path: Path, expected: bytes) -> None:
    scored = score(mine, f"{tmp_path}/out/")
    found, one = load_scores(tmp_path / "out"), load_scores(tmp_path / "unbroken.parquet")
    pd.testing.assert_frame_equal(found, one, check_exact=True)
    assert {name: found.attrs[name] for name in one.attrs} == one.attrs
    told = json.loads((tmp_path / "out" / "_signatures.json").read_text())
    assert [rows for _, rows in told["parts"]] == [6, 6, 6, 6, 6, 6, 4]
    there = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert there == ["_signatures.json", *(name for name, _ in told["parts"])]
    assert scored.table.rows == len(pd.read_parquet(tmp_path / "out")) == 40


def test_a_folder_of_parts_goes_on_where_it_was_and_is_refused_when_it_is_whole(mine: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        score(mine, f"{out}/", progress=stop_after(18))
    assert not is_score_table(out)
    with pytest.raises(ValueError, match="is not a complete table of scores"):
        load_scores(out)
    assert score(mine, out, keep=True).resumed == 18
    with pytest.raises(ValueError, match=r"out has a finished table: .*--anew"):
        score(mine, out, keep=True)
    assert (score(mine, out, metrics="len").table.rows, list(load_scores(out).attrs["signatures"])) == (40, ["len"])


def test_a_folder_and_a_file_are_not_written_at_once(mine: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is a folder and cannot have a CSV file"):
        score(mine, [f"{tmp_path}/out/", tmp_path / "out.csv"])


@pytest.mark.parametrize("engine", [None, process_engine(1)])
def test_what_is_wrong_is_named_by_its_file(tmp_path: Path, engine: object) -> None:
    frame = table().assign(id=[str(n % 39) for n in range(40)])
    rows = open_dataset(split(tmp_path, frame), **OPTIONS)
    with pytest.raises(ValueError, match=r"039\.parquet: row 1, id: '0' is already used in row 1 of .*000\.parquet"):
        score_rows(rows, tmp_path / "out.parquet", "len", engine=engine)
    frame.loc[10:, "quality"], frame.loc[27, "id"] = "good", "good"
    frame[:39].to_parquet(tmp_path / "in" / "000.parquet", row_group_size=5)
    with pytest.raises(ValueError, match=r"000\.parquet: row 11, quality: 'good' is not a number"):
        score_rows(rows, tmp_path / "out.parquet", "len", engine=engine)


@pytest.mark.parametrize("engine", [None, process_engine(1)])
def test_a_row_that_a_metric_fails_for_is_named_by_its_file(tmp_path: Path, engine: object) -> None:
    frame = table()
    frame.loc[27, "output"] = "fail"
    rows = open_dataset(split(tmp_path, frame), **OPTIONS)
    with pytest.raises(ValueError, match=r"026\.parquet: row 2, fussy: a text too many"):
        score_rows(rows, tmp_path / "out.parquet", [Fussy()], engine=engine)


@pytest.mark.parametrize("engine", [None, process_engine(1)])
def test_files_of_other_columns_are_refused(tmp_path: Path, engine: object) -> None:
    folder = split(tmp_path)
    table().assign(more="x").to_parquet(folder / "new.parquet", row_group_size=5)
    with pytest.raises(ValueError, match=r"new\.parquet has a column 'more',.*000\.parquet does not"):
        score_rows(open_dataset(folder, **OPTIONS), tmp_path / "out.parquet", "len", engine=engine)


def test_folders_named_after_a_value_give_a_column(tmp_path: Path) -> None:
    for system in ("b", "a"):
        folder = tmp_path / "in" / f"system={system}"
        folder.mkdir(parents=True)
        pd.DataFrame({"output": [f"by {system}"] * 2}).to_parquet(folder / "x.parquet")
    (tmp_path / "in" / "_old").mkdir()
    pd.DataFrame({"output": ["old"]}).to_parquet(tmp_path / "in" / "_old" / "x.parquet")
    frame = load_dataset(tmp_path / "in").frame
    assert frame[["system", "output", "id"]].values.tolist() == [
        ["a", "by a", "1"], ["a", "by a", "2"], ["b", "by b", "3"], ["b", "by b", "4"]
    ]  # fmt: skip


def test_a_folder_or_a_pattern_without_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no Parquet file in"):
        open_dataset(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no such file: '.*\*\.csv'"):
        open_dataset(f"{tmp_path}/*.csv")


def test_rows_in_large_groups_are_read_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rainbow.datasets.files.MAX_GROUP_ROWS", 6)
    assert open_dataset(written(tmp_path, ".parquet"), **OPTIONS).spans(5) is None
    monkeypatch.setattr("rainbow.datasets.files.MAX_GROUP_ROWS", 7)
    spans = open_dataset(tmp_path / "mine.parquet", **OPTIONS).spans(5)
    assert [span.chunk().rows.frame["id"].tolist()[0] for span in spans] == [str(n) for n in range(1, 41, 5)]
