"""Files whose content is not what their names say; JSON over several lines; errors and answers in any format."""

import gzip
import io
import json
import shutil
import warnings
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.datasets.read.delimiter import detect_decimal_mark, detect_delimiter
from rainbow.datasets.read.encoding import codec_name, detect_encoding, name_file_in_errors
from rainbow.datasets.read.formats import file_extension, split_fields, unreadable_message
from rainbow.datasets.read.header import check_names
from rainbow.datasets.read.judgement_tables import ANSWER_COLUMNS, weight_errors
from rainbow.datasets.read.parquet import read_footer
from rainbow.datasets.read.table_frames import read_frames
from rainbow.datasets.table_mapping import read_mapping as mapping_of
from tests.datasets.tables import write

FRAME = pd.DataFrame({"output": ["an inn", "a bar"], "quality": ["4", "5"]})


def zipped(**members: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), text)
    return file.getvalue()


REFUSED = [
    (b"\x89PNG\r\n\x1a\n\0\0", "this is a PNG image, not a table"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF", "this is a JPEG image, not a table"),
    (b"%PDF-1.7\n%\xe2\xe3", "this is a PDF document, not a table"),
    (gzip.compress(b"output\nan inn\n"), "this is a gzip archive, not a table: unpack it first"),
    (zipped(a="b"), "this is a ZIP archive, not a table: unpack it first"),
    (zipped(word__document_xml="x"), "this is a Word document, not a table"),
    (zipped(content_xml="x"), r"this is an OpenDocument file \(\.ods\): save it as \.xlsx or \.csv"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", r"this is an old Excel workbook \(\.xls\): save it as \.xlsx"),
    (b"\n<!DOCTYPE html>\n<html>", "this is an HTML page, not a table"),
    (b"<?xml version='1.0'?>", "this is an XML document, not a table"),
]


@pytest.mark.parametrize(("content", "said"), REFUSED, ids=[said for _, said in REFUSED])
@pytest.mark.parametrize("name", ["mine.csv", "mine.jsonl", "mine.json", "mine.xls"])
def test_content_that_is_no_table_is_named(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"{name}: {said}"):
        load_dataset(path)
    with pytest.raises(ValueError, match=said):
        next(read_frames(path))


@pytest.mark.parametrize("name", ["mine.csv", "mine.tsv", "mine.json", "mine.xls", "mine.xlsx", "mine.parquet"])
@pytest.mark.parametrize("kind", ["xlsx", "parquet"])
def test_a_workbook_and_parquet_are_read_under_any_name(tmp_path: Path, name: str, kind: str) -> None:
    (FRAME.to_excel if kind == "xlsx" else FRAME.to_parquet)(tmp_path / f"made.{kind}", index=False)
    shutil.move(tmp_path / f"made.{kind}", tmp_path / name)
    assert load_dataset(tmp_path / name).frame["output"].tolist() == FRAME["output"].tolist()


@pytest.mark.parametrize("lines", [True, False])
def test_json_under_the_name_of_a_csv_is_read(tmp_path: Path, lines: bool) -> None:
    FRAME.to_json(tmp_path / "mine.csv", orient="records", lines=lines)
    assert load_dataset(tmp_path / "mine.csv").frame["output"].tolist() == FRAME["output"].tolist()


def test_an_ending_is_that_of_the_content(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("text\tquality\nan inn\t4\n", encoding="utf-16")
    assert (file_extension(file), file_extension(Path("MINE.CSV"))) == (".tsv", ".csv")
    assert unreadable_message(Path("mine.csv.gz"))[:58] == "cannot read .gz: unpack it first; use .csv, .tsv, .tab, .p"


ROWS = [{"output": "an inn", "n": 1}, {"output": "a bar", "n": [2, {"x": 3}]}]
PRETTY = [json.dumps(row, indent=2) for row in ROWS]


@pytest.mark.parametrize("rows", [None, 1])
@pytest.mark.parametrize("name", ["mine.jsonl", "mine.json"])
@pytest.mark.parametrize("text", [
    "".join(f"{json.dumps(row)}\n\n" for row in ROWS),
    "".join(f"{json.dumps(row)},\n" for row in ROWS),
    f"[{json.dumps(ROWS[0])},\n{json.dumps(ROWS[1])}]\n",
    f"[\n{json.dumps(ROWS[0])},\n{json.dumps(ROWS[1])},\n]\n",
    "\n".join(PRETTY),
    ",\n".join(PRETTY) + ",\n",
    json.dumps(ROWS, indent=1),
    "".join(map(json.dumps, ROWS)),
])  # fmt: skip
def test_objects_are_read_however_they_stand(tmp_path: Path, name: str, text: str, rows: int | None) -> None:
    (tmp_path / name).write_text(text)
    assert pd.concat(list(read_frames(tmp_path / name, rows))).to_dict("records") == ROWS


@pytest.mark.parametrize("name", ["mine.jsonl", "mine.json"])
@pytest.mark.parametrize(("text", "said"), [
    ('[\n{"a": 1},\n{"a": }\n]', "line 3 is not valid JSON: Expecting value"),
    ('[\n{"a": 1},\n{"a": 2}\n', "the list is not closed: is the file complete"),
    ('{\n "a": 1\n}\n{\n "a": 2\n', "line 6 is not valid JSON"),
    ('{"a": 1}\n{"a": 2\n{"a": 3}\n', "line 2 is not valid JSON"),
    ('[[{"a": 1}],\n [{"a": 2},]]', "line 1 is not valid JSON: expected one object per line"),
])  # fmt: skip
def test_json_that_is_not_whole_is_named_with_its_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=rf"{name}: .*{said}"), name_file_in_errors(tmp_path / name):
        list(read_frames(tmp_path / name))


def test_a_byte_that_is_zero_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_bytes(b"output,quality\nan inn,4\na \0bar,5\n")
    with pytest.raises(ValueError, match="line 3 contains a NUL byte"):
        next(read_frames(tmp_path / "mine.csv"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_found_with_a_byte_order_mark_or_without(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "mine.csv").write_text("output,quality\na café,4\nan inn,5\n", encoding=encoding)
    assert load_dataset(tmp_path / "mine.csv").frame["output"].tolist() == ["a café", "an inn"]


def test_encodings_delimiters_and_decimal_marks(tmp_path: Path) -> None:
    assert [codec_name(name) for name in ("Latin-1", "UTF-16", None)] == ["iso8859-1", "utf-16", "utf-8-sig"]
    file = tmp_path / "mine.csv"
    file.write_bytes("text\ncafé\n".encode("latin-1"))
    assert detect_encoding(file) == "cp1252"
    file.write_text("text;quality\nan inn, cheap;3,5\n")
    assert detect_delimiter(file, None) == ";"
    file.write_text("text;a;b;c\nan inn;4\na bar;5\n")
    assert detect_delimiter(file, None) == ";"
    assert [detect_decimal_mark(cells) for cells in (["3,5", "4"], ["3,5", "4.5"], ["1,200", "3,500"])] == [
        ",", None, None
    ]  # fmt: skip
    assert split_fields(['a;"b;c"', "", "d;e"], ";") == [["a", "b;c"], ["d", "e"]]
    message = "the first line contains 'The inn is cheap and near\\.' and '4': is the header missing"
    with pytest.raises(ValueError, match=message):
        check_names(["The inn is cheap and near.", "4"])


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: data[:300] + data[400:]])
@pytest.mark.parametrize("kind", ["xlsx", "parquet"])
def test_a_damaged_workbook_or_parquet_file_is_a_value_error(tmp_path: Path, kind: str, damage: object) -> None:
    path = tmp_path / f"mine.{kind}"
    pd.concat([FRAME] * 500).to_excel(path) if kind == "xlsx" else pd.concat([FRAME] * 500).to_parquet(path)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(ValueError, match=rf"mine\.{kind}: .*save it"):
        load_dataset(path)


FORMATS = [".tsv", ".jsonl", ".json", ".parquet", ".xlsx"]
ERRORS = pd.DataFrame(
    [
        ["1", "an inn", "", "the inn", "Alpha", "<v>the</v> inn", "Accuracy", "Major", "a7"],
        ["1", "an inn", "", "the inn", "Alpha", "the <v>inn</v>", "Fluency/Punctuation", "minor", "a7"],
        ["2", "a bar", "", "the bar", "Alpha", None, None, None, "a7"],
        ["3", "a pub", "", "the pub", "Alpha", "the <v>pub</v>", "Style", "Neutral", "a7"],
    ],
    columns=[
        *("SEG_ID", "Source", "Tagged_Source", "Target", "MT", "Tagged_Target"),
        *("Error Category", "Severity", "Annotator_ID"),
    ],
)


@pytest.mark.parametrize("rows", [None, 1])
@pytest.mark.parametrize("suffix", FORMATS)
def test_errors_under_other_names_are_one_rating_in_any_format(tmp_path: Path, suffix: str, rows: int | None) -> None:
    path = write(tmp_path / f"mine{suffix}", ERRORS)
    frame = pd.concat(list(read_frames(path, rows)))
    assert list(frame) == ["SEG_ID", "MT", "Annotator_ID", "Source", "Target", "mqm", "error_spans"]
    assert frame["mqm"].tolist() == [-5.1, 0, 0] and frame["Target"].tolist() == ["the inn", "the bar", "the pub"]
    if suffix == ".parquet":
        assert read_footer(path).groups[0] > 1 << 60  # its rows are not read apart
        assert load_dataset(path, **{"output": "Target", "ratings": "mqm"}).frame["mqm"].tolist() == [-5.1, 0, 0]


def test_errors_of_other_severities_are_left_as_they_are() -> None:
    assert weight_errors(ERRORS.assign(Severity="grave")).shape == ERRORS.shape
    columns = ["seg_id", "rater", "source", "target", "category", "severity"]
    rows = [["1", "A", "s", "an <v>in</v>", "Fluency/Spelling", "Major"]]
    rows += [
        ["1", "A", "s", "<v>an</v> in", "Fluency/Punctuation", "Minor"],
        ["1", "B", "s", "an in", *["No-error"] * 2],
    ]
    found = weight_errors(pd.DataFrame(rows, columns=columns)).drop(columns="error_spans").to_numpy().tolist()
    assert found == [["1", "A", "s", "an in", -5.1], ["1", "B", "s", "an in", 0.0]]


ANSWERS = pd.DataFrame([
    ["r1", "an inn", "quality", "5", "3", "1", ""],
    ["r1", "inn an", "quality", "1", "2", "2", "worse"],
    ["r2", "an inn", "fluency", "4", "1", "1", ""],
], columns=[*ANSWER_COLUMNS])  # fmt: skip


@pytest.mark.parametrize("rows", [None, 1])
@pytest.mark.parametrize("suffix", FORMATS)
def test_answers_are_spread_in_any_format(tmp_path: Path, suffix: str, rows: int | None) -> None:
    parts = list(read_frames(write(tmp_path / f"mine{suffix}", ANSWERS), rows))
    assert {tuple(part) for part in parts} == {("rater", "output", "quality", "fluency")}
    found = pd.concat(parts).astype(str).to_numpy().tolist()
    assert found == [["r1", "an inn", "5", ""], ["r2", "an inn", "", "4"]]


def test_a_warning_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,q,q\nan inn,4,5\n")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        next(read_frames(tmp_path / "mine.csv"))
    assert [str(one.message).split(":")[0] for one in found] == ["mine.csv"]


def test_columns_of_asking_are_not_taken_for_marks(tmp_path: Path) -> None:
    path = write(tmp_path / "answers.csv", ANSWERS)
    roles = mapping_of(path).roles()
    assert roles["quality"] == "rating quality" and "seconds" not in roles and "order" not in roles


def test_a_rating_that_is_called_as_a_column_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "answers.csv", ANSWERS)
    path.write_text(path.read_text().replace("quality", "output"))
    with pytest.raises(ValueError, match="'output' is already a column"):
        list(read_frames(path))


def write_nested(path: Path, objects: list[dict[str, str]]) -> Path:
    rows = [{"prompt": f"Say {place}", "outputs": objects, "gold": f"it is {place}"} for place in range(6)]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


@pytest.mark.filterwarnings("ignore:.*columns detected")
@pytest.mark.parametrize("named", [{}, {"output": "outputs.text"}])
def test_short_texts_beside_a_system_are_a_row_each(tmp_path: Path, named: dict[str, str]) -> None:
    path = write_nested(tmp_path / "nested.jsonl", [{"model": "a", "text": "it is so"}, {"model": "b", "text": "so"}])
    frame = load_dataset(path, **named).frame
    assert (frame["output"].tolist(), frame["system"].tolist()) == (["it is so", "so"] * 6, ["a", "b"] * 6)


def test_objects_that_nothing_tells_apart_are_refused(tmp_path: Path) -> None:
    path = write_nested(tmp_path / "nested.jsonl", [{"text": "it is so"}, {"text": "so"}])
    with pytest.raises(ValueError, match=r"nested.jsonl: row 1, output: .* is not a text"):
        load_dataset(path, output="outputs", mr="prompt", references=["gold"])
