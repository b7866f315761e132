"""Scores that others computed: columns of the file, or of a table joined to it."""

import hashlib
from pathlib import Path
from unicodedata import normalize

import pandas as pd
import pytest

from rainbow import load_dataset, open_dataset


def mine(tmp_path: Path, text: str = "id,mr,output\n1,inform(a=b),The inn !\n2,,a bar\n3,,soma\n") -> Path:
    (tmp_path / "mine.csv").write_text(text)
    return tmp_path / "mine.csv"


def joined(tmp_path: Path, text: str, **said: object) -> list[object]:
    (tmp_path / "more.csv").write_text(text)
    frame = load_dataset(mine(tmp_path), joined=tmp_path / "more.csv", scores=["judge:higher"], **said).frame
    return [None if value != value else value for value in frame["judge"]]


def test_an_empty_score_is_missing_and_an_unreadable_one_is_named(tmp_path: Path) -> None:
    path = mine(tmp_path, "output,judge\nx,0.5\ny,\nz, \n")
    assert load_dataset(path, scores="judge:higher").frame["judge"].isna().tolist() == [False, True, True]
    for cell in ("good", "inf"):
        path = mine(tmp_path, f"output,judge\nx,0.5\ny,{cell}\n")
        with pytest.raises(ValueError, match=rf"mine\.csv: row 2, judge: '{cell}' is not a number"):
            load_dataset(path, scores="judge:higher")


def test_rows_are_joined_by_their_id_where_the_table_has_it(tmp_path: Path) -> None:
    assert joined(tmp_path, "id,output,judge\n3,another text,1\n1,x,2\n") == [2, None, 1]


def test_rows_are_joined_by_mr_and_output_however_it_is_tokenised(tmp_path: Path) -> None:
    assert joined(tmp_path, "mr,output,judge\n,the inn!,1\ninform(a=b),the inn !,2\n,A bar .,3\n") == [2, 3, None]


@pytest.mark.parametrize("key", ["id", "output"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_rows_are_joined_whichever_way_their_accents_are_written(tmp_path: Path, key: str, form: str) -> None:
    path = mine(tmp_path, normalize("NFD", f"{key},text\nMüller,a\nJäger,b\n"))
    (tmp_path / "more.csv").write_text(normalize(form, f"{key},judge\nMüller,1\nJäger,2\n"), encoding="utf-8")
    output = {"output": "text"} if key == "id" else {}
    frame = load_dataset(path, joined=tmp_path / "more.csv", scores=["judge:higher"], **output).frame
    assert frame["judge"].tolist() == [1, 2]


def test_the_first_of_several_rows_counts(tmp_path: Path) -> None:
    assert joined(tmp_path, "output,judge\nsoma,1\nsoma,2\n") == [None, None, 1]


def test_chunks_are_joined_as_the_whole_is(tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("output,judge\nsoma,1\na bar,2\n")
    rows = open_dataset(mine(tmp_path), joined=tmp_path / "more.csv", scores=["judge:higher"])
    assert pd.concat([chunk.frame["judge"] for chunk in rows.chunks(1)]).fillna(-1).tolist() == [-1, 2, 1]


def test_several_tables_fill_one_another_up(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("output,judge\nsoma,1\n")
    (tmp_path / "b.csv").write_text("output,judge\nsoma,9\na bar,2\n")
    frame = load_dataset(mine(tmp_path), joined=[tmp_path / "a.csv", tmp_path / "b.csv"], scores=["judge:higher"]).frame
    assert frame["judge"].fillna(-1).tolist() == [-1, 2, 1]


def test_references_of_a_joined_table_are_not_taken_for_those_of_the_rows(tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("output,reference,judge\nsoma,the park,1\n")
    assert load_dataset(mine(tmp_path), joined=tmp_path / "more.csv").frame["references"].tolist() == [(), (), ()]


def test_a_table_without_id_or_output_cannot_be_joined(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"more\.csv: it cannot be joined: add a column 'id' or 'output'"):
        joined(tmp_path, "mr,judge\n,1\n")


def test_a_score_that_no_table_has_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown score column 'judge': other columns are"):
        joined(tmp_path, "output,jugde\nsoma,1\n")


def test_a_dataset_of_a_name_takes_scores_too(tmp_path: Path) -> None:
    texts = load_dataset("demo").frame["output"][:5]
    pd.DataFrame({"output": texts, "judge": range(5)}).to_csv(tmp_path / "more.csv", index=False)
    frame = load_dataset("demo", joined=tmp_path / "more.csv", scores=["judge:higher"]).frame
    assert frame["judge"][:5].tolist() == [0, 1, 2, 3, 4]


def test_the_signature_is_the_hash_of_the_file_that_has_the_score(tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("output,judge\nsoma,1\n")
    path = mine(tmp_path)
    told = open_dataset(path, joined=tmp_path / "more.csv", scores=["judge:lower", "id:neither"]).metadata()["external"]
    assert {name: facts["higher_is_better"] for name, facts in told.items()} == {"judge": False, "id": None}
    for name, file in (("judge", tmp_path / "more.csv"), ("id", path)):
        assert hashlib.sha256(file.read_bytes()).hexdigest() in told[name]["signature"]


def test_a_joined_table_that_says_something_else_of_a_score_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("id,output,judge,note\n1,an inn,3,x\n2,a bar,,y\n")
    (tmp_path / "same.csv").write_text("id,judge,note\n1,3.0,other\n2,4,other\n")
    (tmp_path / "other.csv").write_text("id,judge\n1,5\n")
    options = {"scores": ["judge:higher"], "output": "output"}
    frame = load_dataset(tmp_path / "mine.csv", joined=[tmp_path / "same.csv"], **options).frame
    assert frame["judge"].tolist() == [3, 4]
    with pytest.raises(ValueError, match=r"other\.csv: judge is '5' in this table, but '3' in row 1, .* rename one"):
        load_dataset(tmp_path / "mine.csv", joined=[tmp_path / "other.csv"], **options)


def test_a_table_that_matches_no_row_is_refused_with_both_files_and_the_key(tmp_path: Path) -> None:
    message = r"more\.csv: none of its rows has the same id as a row of .*mine\.csv: remove that column"
    with pytest.raises(ValueError, match=message):
        joined(tmp_path, "id,judge\nrow-1,1\nrow-2,2\n")
    with pytest.raises(ValueError, match=r"more\.csv: none of its rows has the same mr and output as a row of"):
        joined(tmp_path, "mr,output,judge\n,another text,1\n")
    (tmp_path / "more.csv").write_text("output,judge\nno such text at all,1\n")
    with pytest.raises(ValueError, match=r"more\.csv: none of its rows has the same output as a row of demo"):
        load_dataset("demo", joined=tmp_path / "more.csv", scores=["judge:higher"])


def test_one_of_many_files_or_chunks_may_match_alone(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    for name in ("a", "b"):
        (tmp_path / "parts" / f"{name}.csv").write_text(f"output\ninn {name}\nbar {name}\n")
    (tmp_path / "more.csv").write_text("output,judge\nbar b,1\n")
    options = {"joined": tmp_path / "more.csv", "scores": ["judge:higher"]}
    rows = open_dataset(f"{tmp_path}/parts/*.csv", **options)
    assert pd.concat([chunk.frame["judge"] for chunk in rows.chunks(1)]).fillna(-1).tolist() == [-1, -1, -1, 1]
    (tmp_path / "more.csv").write_text("output,judge\npark,1\n")
    with pytest.raises(ValueError, match=r"none of its rows has the same output as a row of .*a\.csv and the others"):
        list(open_dataset(f"{tmp_path}/parts/*.csv", **options).chunks(1))
