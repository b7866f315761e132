"""What is wrong in the rows is named by file, row and field."""

from pathlib import Path

import pytest

from rainbow import open_dataset, score_rows
from rainbow.scoring.saved_scores import load_scores
from tests.metrics.awkward_metrics import Fussy
from tests.scoring.stream.tables import interrupted, parts, score, table, written


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


def test_a_row_that_a_metric_fails_for_is_counted_from_the_first_of_the_file(tmp_path: Path) -> None:
    frame = table()
    frame.loc[27, "output"] = "fail"
    with pytest.raises(ValueError, match="row 28, fussy: a text too many"):
        score(written(tmp_path, frame=frame), tmp_path / "out.parquet", metrics=[Fussy()])


def test_a_file_that_changes_while_it_is_scored_is_refused(mine: Path, tmp_path: Path) -> None:
    def change(stage: str, done: int, rows: int | None) -> None:
        if (stage, done) == ("scoring", 18):
            with mine.open("a") as file:
                file.write("\n")

    with pytest.raises(ValueError, match="the rows have changed during reading"):
        score(mine, tmp_path / "out.parquet", progress=change)
    assert not (tmp_path / "out.parquet").exists()
