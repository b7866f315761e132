"""Tables in files, so many rows at a time: the same rows and columns as at once; ids stay unique over all of them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.corpus import Corpus
from rainbow.datasets.columns import Columns
from rainbow.datasets.files import FileRows
from rainbow.datasets.read.formats import TABLES
from rainbow.datasets.read.table_frames import read_frames
from rainbow.datasets.read.unique_ids import Row, UniqueIds
from tests.datasets.tables import write

FRAME = pd.DataFrame({
    "output": [f'line one\nline "two", {n}\u2028three' for n in range(11)],
    "mr": ["", "NA", "null", "x[a]"] * 2 + ["", "", ""],
    "id": [f"{n:02d}" for n in range(11)],
})  # fmt: skip


@pytest.mark.parametrize("suffix", TABLES)
@pytest.mark.parametrize("rows", [1, 4, 11, 50])
def test_chunks_have_so_many_rows_and_make_up_the_table(tmp_path: Path, suffix: str, rows: int) -> None:
    found = list(read_frames(write(tmp_path / f"mine{suffix}", FRAME), rows))
    assert [len(frame) for frame in found] == [rows] * (11 // rows) + [11 % rows] * (11 % rows > 0)
    assert pd.concat(found)["output"].tolist() == FRAME["output"].tolist()
    (whole,) = read_frames(tmp_path / f"mine{suffix}")
    assert whole.columns.tolist() == found[0].columns.tolist() == FRAME.columns.tolist()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json", ".parquet"])
def test_a_file_read_in_chunks_is_the_corpus_that_it_is_as_a_whole(tmp_path: Path, suffix: str) -> None:
    frame = FRAME.assign(mr="", reference=[f"a {n}" if n % 3 else "" for n in range(11)]).drop(columns="id")
    path = write(tmp_path / f"mine{suffix}", frame)
    pd.testing.assert_frame_equal(Corpus.concatenate(list(FileRows(path).chunks(4))).frame, load_dataset(path).frame)


def test_a_table_without_rows_is_one_frame_without_rows(tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet"):
        (frame,) = read_frames(write(tmp_path / f"mine{suffix}", FRAME.iloc[:0]), 5)
        assert (len(frame), frame.columns.tolist()) == (0, FRAME.columns.tolist())


@pytest.mark.parametrize("name", ["id", "key"])
def test_an_id_that_stands_in_an_earlier_chunk_is_refused_with_both_rows(tmp_path: Path, name: str) -> None:
    frame = FRAME.assign(mr="", id=[*FRAME["id"][:10], "03"]).rename(columns={"id": name})
    with pytest.raises(ValueError, match=r"mine\.csv: row 11, id: '03' is already used in row 4"):
        list(FileRows(write(tmp_path / "mine.csv", frame), Columns(id=name)).chunks(4))


def test_ids_with_the_same_hash_are_told_from_equal_ones() -> None:
    same = np.array([7], dtype=np.uint64)
    ids = UniqueIds(lambda: (Row(Path("mine.csv"), number, identity) for number, identity in enumerate("abcdb", 1)))
    for _ in "abcd":
        ids.add(same)
    with pytest.raises(ValueError, match=r"mine\.csv: row 5, id: 'b' is already used in row 2"):
        ids.add(same)


def test_a_column_of_categories_keeps_its_values(tmp_path: Path) -> None:
    from rainbow import open_dataset, score_rows
    from rainbow.scoring.saved_scores import load_scores

    kinds = [f"kind {n // 2}" for n in range(11)]
    FRAME.drop(columns="mr").assign(kind=pd.Categorical(kinds)).to_parquet(tmp_path / "mine.parquet")
    score_rows(open_dataset(tmp_path / "mine.parquet"), tmp_path / "out.parquet", "len", chunk_rows=3)
    assert load_scores(tmp_path / "out.parquet")["kind"].tolist() == kinds


def test_a_field_may_be_longer_than_the_csv_module_allows_by_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.csv", pd.DataFrame({"output": ["a" * 200_000]}))
    assert len(load_dataset(path).frame["output"][0]) == 200_000
