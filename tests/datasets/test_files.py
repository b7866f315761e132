"""A user's own files: every format, every way to give several references, and errors that name file, row and field."""

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rainbow import Corpus, load_dataset
from rainbow.datasets.files import read_file
from tests.datasets.tables import write

ROWS = [
    {"output": "the inn.", "gold_1": "an inn.", "gold_2": "NA", "mr": "inform(type=inn)", "quality": "5"},
    {"output": "none", "gold_1": "nothing, null", "gold_2": "", "mr": "", "quality": ""},
]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".parquet"])
def test_every_table_format_gives_the_same_corpus(tmp_path: Path, suffix: str) -> None:
    corpus = load_dataset(
        write(tmp_path / f"mine{suffix}", pd.DataFrame(ROWS)), references=["gold_1", "gold_2"], ratings=["quality"]
    )
    assert corpus.frame["output"].tolist() == ["the inn.", "none"]
    assert corpus.frame["references"].tolist() == [("an inn.", "NA"), ("nothing, null",)]
    assert corpus.frame["dataset"].tolist() == ["mine", "mine"]
    assert (corpus.frame["quality"].isna().tolist(), corpus.default_view) == ([False, True], "delexicalised")


@pytest.mark.parametrize(("cell", "separator", "expected"), [
    ("an inn", None, ("an inn",)),
    ("an inn || the inn", "||", ("an inn", "the inn")),
    ('["an inn", "the inn"]', None, ("an inn", "the inn")),
    ("[sic] an inn", None, ("[sic] an inn",)),
    ("", None, ()),
])  # fmt: skip
def test_a_cell_may_hold_several_references(tmp_path, cell, separator, expected) -> None:
    path = tmp_path / "mine.csv"
    pd.DataFrame({"output": ["x"], "reference": [cell]}).to_csv(path, index=False)
    assert load_dataset(path, reference_separator=separator).frame["references"].tolist() == [expected]


def test_jsonl_and_parquet_may_hold_lists(tmp_path: Path) -> None:
    row = {"output": "x", "references": ["an inn", "the inn"]}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    pd.DataFrame([row]).to_parquet(tmp_path / "b.parquet")
    for name in ("a.jsonl", "b.parquet"):
        assert load_dataset(tmp_path / name, output="output").frame["references"].tolist() == [("an inn", "the inn")]


def test_plain_text_has_references_separated_by_blank_lines(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("the inn\nbye\n")
    (tmp_path / "ref.txt").write_text("an inn\nthe inn .\n\ngoodbye\n")
    corpus = load_dataset(tmp_path / "out.txt", references=tmp_path / "ref.txt")
    assert corpus.frame["references"].tolist() == [("an inn", "the inn ."), ("goodbye",)]


def test_plain_text_of_unequal_length_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("the inn\n")
    (tmp_path / "ref.txt").write_text("an inn\n\ngoodbye\n")
    with pytest.raises(ValueError, match=r"out\.txt: 1 outputs, but .*ref\.txt has 2 sets of references"):
        load_dataset(tmp_path / "out.txt", references=tmp_path / "ref.txt")


@pytest.mark.parametrize(("name", "content", "options", "message"), [
    ("a.csv", "number\n5\n", {}, r"a\.csv: no column looks like generated texts: name it with --output COLUMN"),
    ("a.csv", "output\nx\n", {"output": "text"}, r"a\.csv: unknown column 'text' for the output: the columns are"),
    ("a.csv", "source,target,rater,category,severity\na,b,c,d,major\n", {"output": "x"}, r"'x' .*, severity$"),
    ("a.csv", "output\nx\n", {"references": ["gold"]}, r"a\.csv: unknown reference column 'gold'"),
    ("a.csv", "output,mr\nx,\nx,inform(\n", {"mr_format": "act"}, r"a\.csv: row 2, mr: cannot read"),
    ("a.csv", "output,q\nx,good\n", {"ratings": ["q"]}, r"a\.csv: row 1, q: 'good' is not a number"),
    ("a.csv", "output,q\nx,1\n", {"ratings": ["r"]}, r"a\.csv: unknown rating column 'r'"),
    ("a.jsonl", '{"output": "x"}\n{"output": \n', {}, r"a\.jsonl: line 2 is not valid JSON"),
    ("a.jsonl", '["x"]\n', {}, r"a\.jsonl: line 1 is not valid JSON: expected one object per line"),
    ("a.jsonl", '{"output": "x"}\n{"output": {"n": 5}}\n', {}, r"a\.jsonl: row 2, output: {'n': 5} is not a text"),
    ("a.doc", "x", {}, r"a\.doc: cannot read \.doc"),
    ("a.ods", "x", {}, r"a\.ods: cannot read \.ods: save it as \.xlsx or \.csv"),
    ("a.parquet", "x", {}, r"a\.parquet: "),
    ("a.csv", "", {}, r"a\.csv: "),
])  # fmt: skip
def test_what_is_wrong_is_named_with_its_file(tmp_path, name, content, options, message) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=message):
        load_dataset(tmp_path / name, **options)


@pytest.mark.parametrize(("content", "encoding", "message"), [
    (b"output\ncaf\xe9\n", "utf-8", "byte 0xe9 is not valid UTF-8: set .* --encoding latin-1, or save the file"),
    ("output\ncaf\xe9\n".encode("utf-16"), "utf-8", "is not valid UTF-8: set .* --encoding utf-16"),
    (b"output\nx\n", "utf-16", "UTF-16"),
    (b"output\nx\n", "latin-99", "unknown encoding 'latin-99': set --encoding utf-8, utf-16 or latin-1"),
])  # fmt: skip
@pytest.mark.parametrize("suffix", [".csv", ".txt", ".jsonl", ".json"])
def test_an_encoding_that_does_not_fit_is_told_with_file_and_remedy(
    tmp_path, content, encoding, message, suffix
) -> None:
    (tmp_path / f"a{suffix}").write_bytes(content)
    with pytest.raises(ValueError, match=rf"a\{suffix}: .*{message}"):
        load_dataset(tmp_path / f"a{suffix}", encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1", "utf-8", "cp1252"])
@pytest.mark.parametrize(("suffix", "text"), [
    (".csv", 'output,q\n"caf\xe9, x",1\n'),
    (".tsv", "output\tq\ncaf\xe9, x\t1\n"),
    (".jsonl", '{"output": "caf\xe9, x"}\n'),
    (".json", '[{"output": "caf\xe9, x"}]'),
    (".txt", "caf\xe9, x\n"),
])  # fmt: skip
def test_every_text_format_is_read_in_the_encoding_that_is_told(tmp_path, encoding, suffix, text) -> None:
    (tmp_path / f"a{suffix}").write_bytes(text.encode(encoding))
    assert load_dataset(tmp_path / f"a{suffix}", encoding=encoding).frame["output"].tolist() == ["caf\xe9, x"]


@pytest.mark.parametrize(("delimiter", "mark"), [(";", ";"), ("tab", "\t"), ("\\t", "\t"), ("|", "|")])
def test_fields_are_separated_by_what_is_told(tmp_path: Path, delimiter: str, mark: str) -> None:
    (tmp_path / "a.csv").write_text(f"output{mark}gold\nx, y{mark}z\n")
    frame = load_dataset(tmp_path / "a.csv", delimiter=delimiter).frame
    assert frame[["output", "references"]].to_numpy().tolist() == [["x, y", ("z",)]]
    if mark != "\t":
        with pytest.raises(ValueError, match=r"a\.csv: line 2 has 2 fields, but the header has 1: .* --delimiter"):
            read_file(tmp_path / "a.csv")


def test_a_header_in_one_piece_hints_at_its_delimiter(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("output;gold\nx;z\n")
    with pytest.raises(ValueError, match=r"the columns are output;gold: .* --output COLUMN .*--delimiter ';'"):
        read_file(tmp_path / "a.csv")
    with pytest.raises(ValueError, match=r"a\.csv: --delimiter ';;': give one character, or tab"):
        load_dataset(tmp_path / "a.csv", delimiter=";;")


def test_files_of_references_may_be_aligned_with_the_outputs_line_by_line(tmp_path: Path) -> None:
    for name, text in (("out.txt", "the inn\nbye\n"), ("r0.txt", "an inn\nadieu\n"), ("r1.txt", "\ngoodbye\n")):
        (tmp_path / name).write_text(text)
    read = [
        load_dataset(tmp_path / "out.txt", references=[tmp_path / name for name in names]).frame["references"].tolist()
        for names in (("r0.txt", "r1.txt"), ("r0.txt",))
    ]
    assert read == [[("an inn",), ("adieu", "goodbye")], [("an inn",), ("adieu",)]]
    (tmp_path / "r2.txt").write_text("a\nb\nc\n")
    with pytest.raises(ValueError, match=r"out\.txt: 2 outputs, but .*r2\.txt has 3 lines"):
        load_dataset(tmp_path / "out.txt", references=[tmp_path / "r0.txt", tmp_path / "r2.txt"])


def test_a_table_of_references_where_plain_text_has_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("the inn\n")
    message = "no such file: 'gold' with references: for plain text, references must be in a file"
    with pytest.raises(ValueError, match=message):
        load_dataset(tmp_path / "out.txt", references="gold")


@pytest.mark.parametrize("content", ["{}", "[1]", '["x"]'])
def test_json_that_is_no_list_of_objects_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(ValueError, match=r"a\.json: it is not a list of objects"):
        load_dataset(tmp_path / "a.json")


def test_single_raters_are_numbers_and_an_empty_cell_harms_no_other_row(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("output,quality,quality_1,quality_2,quality_note\nx,5,4,6,good\ny,,,3,\n")
    frame = load_dataset(path, ratings="quality").frame
    assert frame[["quality_1", "quality_2"]].fillna(-1).to_numpy().tolist() == [[4, 6], [-1, 3]]
    assert frame["quality_note"].tolist() == ["good", ""]
    path.write_text("output,quality,quality_1\nx,5,4\ny,3,three\n")
    with pytest.raises(ValueError, match=r"a\.csv: row 2, quality_1: 'three' is not a number"):
        load_dataset(path, ratings="quality")


def test_a_single_cell_that_is_no_text_is_missing_and_named_and_a_number_is_its_digits(tmp_path: Path) -> None:
    rows = [{"output": "x", "references": ["y", None]}] * 3 + [{"output": {"n": 5}, "references": [{"n": 5}]}]
    rows += [{"output": 42, "references": [7, "y"]}, {"output": True, "references": "true"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with pytest.warns(UserWarning, match=r"a\.jsonl: row 4, output: {'n': 5} is not a text and counts as missing"):
        frame = load_dataset(tmp_path / "a.jsonl", output="output").frame
    assert frame["output"].tolist() == ["x", "x", "x", "", "42", "true"]
    assert frame["references"].tolist() == [("y",)] * 3 + [(), ("7", "y"), ("true",)]


@pytest.mark.parametrize("odd", ["4 or 5", "inf", "1e300"])
def test_a_single_mark_that_is_no_number_is_missing_and_named(tmp_path: Path, odd: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"output,quality\nx,5\ny,3\nz,{odd}\nv,4\n")
    with pytest.warns(UserWarning, match=rf"a\.csv: row 3, quality: '{odd}' is not a number and counts as missing"):
        frame = load_dataset(path, ratings="quality").frame
    assert frame["quality"].fillna(-1).tolist() == [5, 3, -1, 4]


def test_a_rating_that_is_said_not_to_be_there_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("output,quality\nx,5\ny,n/a\nz,NA\nv, None\nw,<NA>\n")
    assert load_dataset(path, ratings="quality").frame["quality"].isna().tolist() == [False, *[True] * 4]


def test_other_separators_and_decimal_commas_are_found_and_where_columns_are_named_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("output;quality\na, b;4,125\nc;3,25\n")
    assert load_dataset(path, ratings="quality").frame["quality"].tolist() == [4.125, 3.25]
    with pytest.raises(ValueError, match=r"line 2 has 3 fields, but the header has 1.*--delimiter ';'$"):
        read_file(path, ratings="quality")
    with pytest.raises(ValueError, match=r"row 1, quality: '4,125' is not a number: use a decimal point$"):
        read_file(path, ratings="quality", delimiter=";")


def test_an_unknown_dataset_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="unknown dataset 'sfhotels': did you mean sfhotel"):
        load_dataset("sfhotels")


def test_the_demo_is_a_corpus_with_ratings_of_single_judges() -> None:
    corpus = load_dataset("demo")
    assert isinstance(corpus, Corpus)
    found = corpus.frame[["quality_1", "quality_2", "quality_3"]].median(axis=1).tolist()
    assert found == corpus.frame["quality"].tolist()


def test_two_columns_of_one_name_in_parquet_are_refused(tmp_path: Path) -> None:
    columns = [pa.array(["the inn"]), pa.array(["an inn"]), pa.array(["the inn"])]
    pq.write_table(pa.Table.from_arrays(columns, names=["output", "reference", "reference"]), tmp_path / "mine.parquet")
    with pytest.raises(ValueError, match=r"mine\.parquet: two columns are named 'reference': rename one"):
        load_dataset(tmp_path / "mine.parquet", references="reference")


def test_a_column_may_be_several_fields_and_fields_may_change_places(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("output,mr\ninform(name=x),x is here\n")
    swapped = load_dataset(path, output="mr", mr="output", item="output").frame
    assert swapped[["output", "mr", "item"]].values.tolist() == [["x is here", "inform(name=x)", "inform(name=x)"]]
    assert load_dataset(path, item="mr").frame[["mr", "item"]].values.tolist() == [["x is here", "x is here"]]
