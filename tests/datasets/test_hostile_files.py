"""Files that no table of texts looks like: one sentence with file and row, before memory or patience ends."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus, load_dataset
from rainbow.datasets.files import FileRows, read_file
from rainbow.datasets.read import line_limits
from rainbow.meaning import parse_meaning

FORMS = {
    "csv": "output\n{}\n", "tsv": "output\n{}\n", "jsonl": '{{"output": "a"}}\n{{"output": "{}"}}\n', "txt": "a\n{}\n",
}  # fmt: skip


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("form", FORMS)
def test_a_line_without_end_is_refused_before_it_is_read(form, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(line_limits, "MAX_LINE_BYTES", 1 << 20)
    sizes = 2**20 - 99, 2**20 + 1
    short, long = (written(tmp_path / f"{size}.{form}", FORMS[form].format("x" * size)) for size in sizes)
    assert read_file(short).frame["output"].str.len().max() == 2**20 - 99
    with pytest.raises(ValueError, match=rf"{long.name}: line 2 is longer than 1 MiB"):
        read_file(long)


def test_a_quotation_mark_that_is_not_closed_is_named_before_the_rest_of_the_file_is_one_text(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(line_limits, "MAX_LINE_BYTES", 1 << 16)
    path = written(tmp_path / "open.csv", 'output,mr\na,\n"b,\n' + "an inn\n" * 20_000)
    message = r"open\.csv: line \d+: field larger .*: is a closing quotation mark missing\?"
    with pytest.raises(ValueError, match=message):
        read_file(path)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("rows", [None, 2])
@pytest.mark.parametrize("form", ["csv", "jsonl", "many.jsonl"])
def test_more_columns_than_a_table_has_are_refused(form: str, rows: int | None, tmp_path: Path) -> None:
    names = [f"c{place}" for place in range(200_000)]
    content = {
        "csv": f"output,{','.join(names)}\n",
        "jsonl": "{" + ",".join(f'"{name}":1' for name in names) + "}\n",
        "many.jsonl": "".join(f'{{"{name}":1}}\n' for name in names),
    }
    path = written(tmp_path / f"wide.{form}", content[form])
    with pytest.raises(ValueError, match=r"wide.*: the table has [\d,]+ columns: at most 10,000 are supported"):
        list(FileRows(path).chunks(rows))


def test_brackets_without_end_are_a_text_in_a_cell_and_no_json(tmp_path: Path) -> None:
    path = written(tmp_path / "deep.csv", f"output,reference\na,{'[' * 100_000}\n")
    assert read_file(path).frame["references"].tolist() == [("[" * 100_000,)]
    path = written(tmp_path / "deep.jsonl", '{"output":"a"}\n{"output":' + "[" * 100_000 + "]" * 100_000 + "}\n")
    with pytest.raises(ValueError, match=r"deep\.jsonl: line 2 is nested too deeply"):
        read_file(path)


@pytest.mark.parametrize("form", ["csv", "tsv", "txt"])
def test_the_line_that_is_no_utf_8_is_named(form: str, tmp_path: Path) -> None:
    path = written(tmp_path / f"half.{form}", b"output\na\nb \xed\xa0\x80\n")
    with pytest.raises(ValueError, match=rf"half\.{form}: line 3: byte 0xed is not valid UTF-8"):
        read_file(path)


@pytest.mark.parametrize("field", ["output", "reference", "mr", "else"])
def test_half_a_character_is_named_with_its_line(field: str, tmp_path: Path) -> None:
    texts = ("\\ud83c\\udfe8", "\\ud83c")
    lines = [f'{{"output":"a","{name}":"{text}"}}\n' for name, text in zip(("note", field), texts, strict=True)]
    path = written(tmp_path / "half.jsonl", "".join(lines))
    with pytest.raises(ValueError, match=r"half\.jsonl: line 2 contains '\\ud83c', half of a surrogate"):
        read_file(path)


@pytest.mark.parametrize("value", ["[1]", "[[1, 2]]"])
def test_a_meaning_representation_that_is_no_text_is_named_with_its_row(value: str, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.jsonl", f'{{"output":"a"}}\n{{"output":"b","mr":{value}}}\n')
    with pytest.raises(ValueError, match=r"mine\.jsonl: row 2, mr: .* is not a text: give a string"):
        read_file(path)
    with pytest.raises(ValueError, match=r"row 2, mr: 7 is not a text: give a string"):
        Corpus.from_texts(["a", "b"], mrs=["", 7])  # type: ignore[list-item]


def test_what_is_told_of_a_long_meaning_representation_is_short() -> None:
    with pytest.raises(ValueError, match=r"cannot read the meaning representation") as told:
        parse_meaning("a(" * 100_000)
    assert len(str(told.value)) < 500


def test_an_object_in_place_of_a_reference_is_named_and_not_its_keys_taken(tmp_path: Path) -> None:
    path = tmp_path / "mine.parquet"
    pd.DataFrame({"output": ["an inn"], "reference": [{"text": "the inn"}]}).to_parquet(path)
    with pytest.raises(ValueError, match=r"mine\.parquet: row 1, references: \{'text': 'the inn'\} is not a text"):
        read_file(path, output="output")


def test_a_folder_and_a_column_of_one_name_that_differ_are_refused(tmp_path: Path) -> None:
    (tmp_path / "quality=6").mkdir()
    pd.DataFrame({"output": ["an inn"], "quality": [3]}).to_parquet(tmp_path / "quality=6" / "part.parquet")
    with pytest.raises(ValueError, match=r"the folder name has quality=6, but the column 'quality' has another value"):
        load_dataset(f"{tmp_path}/")
