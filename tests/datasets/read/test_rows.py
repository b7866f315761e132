"""Rows of delimited files: shorter and longer than the header, blank ones, comments and headers above them."""

import csv
import json
import warnings
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.datasets.read.delimiter import detect_delimiter
from rainbow.datasets.read.encoding import name_file_in_errors
from rainbow.datasets.read.table_frames import read_frames

TEXTS = [f"The inn number {number} is cheap." for number in range(20)]


def read(path: Path, text: str | None = None, rows: int | None = None, **options: str) -> pd.DataFrame:
    if text is not None:
        path.write_text(text)
    with name_file_in_errors(path):
        return pd.concat(list(read_frames(path, rows, **options)), ignore_index=True)


def cells(path: Path, text: str | None, rows: int | None = None, **options: str) -> list[list[str]]:
    frame = read(path, text, rows, **options)
    return [list(frame), *frame.to_numpy().tolist()]


@pytest.mark.parametrize("rows", [None, 1, 7])
def test_cells_that_are_missing_at_the_end_of_all_rows_are_empty(tmp_path: Path, rows: int | None) -> None:
    text = "id,output,Approve,Reject\n" + "".join(f"{place},{text}\n" for place, text in enumerate(TEXTS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = read(tmp_path / "mine.csv", text, rows)
    assert frame["output"].tolist() == TEXTS
    assert frame[["Approve", "Reject"]].to_numpy().tolist() == [["", ""]] * len(TEXTS)
    reviewed = text.replace(f"1,{TEXTS[1]}", f"1,{TEXTS[1]},x,")
    assert read(tmp_path / "mine.csv", reviewed, rows)["Approve"].tolist() == ["", "x", *[""] * 18]


def test_a_few_short_rows_are_filled_and_counted_in_one_warning(tmp_path: Path) -> None:
    lines = [f"{place},{text},4" for place, text in enumerate(TEXTS)]
    lines[4], lines[11] = "4,an inn", "11"
    with pytest.warns(UserWarning, match=r"mine\.csv: 2 of 20 rows have fewer cells .* first in line 6") as found:
        assert read(tmp_path / "mine.csv", "\n".join(["id,output,quality", *lines]), 3)["quality"][4] == ""
    assert len(found) == 1


@pytest.mark.parametrize(("lines", "said"), [
    ({2: "2,an inn", 3: "3", 4: "4,a bar", 5: "5"}, r"line 4 has 2 fields, but the header has 3"),
    ({2: "2,an", 3: "inn,4"}, r"lines 4 and 5 are one row with a line break in a cell: put quotes around"),
    ({2: '2,"an', 3: 'inn"'}, r"line 4, with a quotation mark that is closed only in line 5, has 2 fields"),
    ({5: "5,an inn, cheap,4"}, "line 7 has 4 fields, but the header has 3: put quotes around fields that contain ','"),
    ({5: "5,an inn,4,"}, r"line 7 has 4 fields, but the header has 3: put quotes around fields that contain ','"),
])  # fmt: skip
def test_rows_of_other_lengths_are_refused_with_line_and_counts(tmp_path, lines, said) -> None:
    rows = [lines.get(place, f"{place},{text},4") for place, text in enumerate(TEXTS)]
    with pytest.raises(ValueError, match=rf"mine\.csv: {said}"):
        read(tmp_path / "mine.csv", "\n".join(["id,output,quality", *rows]))


@pytest.mark.parametrize("rows", [None, 1])
@pytest.mark.parametrize("header", ["id,output", "id,output,"])
def test_a_delimiter_at_the_end_of_rows_is_nothing(tmp_path: Path, header: str, rows: int | None) -> None:
    lines = [f"{place},{text}," for place, text in enumerate(TEXTS)]
    lines[3] = lines[3][:-1] if header[-1] != "," else lines[3]
    frame = read(tmp_path / "mine.csv", "\n".join([header, *lines]), rows)
    assert list(frame) == ["id", "output"] and frame["output"].tolist() == TEXTS


@pytest.mark.parametrize("above", ["\n", "\n\r\n  \n", "# of the spring, by B.\n", "# one\n\n# two\n", "sep=,\n"])
def test_blank_lines_and_comments_before_the_names_are_left_out(tmp_path: Path, above: str) -> None:
    text = f"{above}output,ref,quality\nan inn,the inn,4\n\n   \na bar,the bar,3\n"
    want = [["output", "ref", "quality"], ["an inn", "the inn", "4"], ["a bar", "the bar", "3"]]
    assert cells(tmp_path / "mine.csv", text) == cells(tmp_path / "mine.csv", text, 1) == want
    assert detect_delimiter(tmp_path / "mine.csv", None) is None
    other = tmp_path / "other.csv"
    other.write_text(text.replace("sep=,\n", "").replace(",", ";"))
    assert detect_delimiter(other, None) == ";"


@pytest.mark.parametrize("first", ["#", "# id", "#id"])
def test_a_name_may_begin_as_a_comment_does(tmp_path: Path, first: str) -> None:
    assert cells(tmp_path / "mine.csv", f"{first},output\n1,an inn\n") == [[first, "output"], ["1", "an inn"]]


def test_texts_alone_that_begin_with_a_hashtag_are_texts(tmp_path: Path) -> None:
    text = "#monday is a good day for an inn\nThe inn is cheap and near.\n"
    assert cells(tmp_path / "mine.csv", text) == [["text"], *([line] for line in text.splitlines())]


@pytest.mark.parametrize("rows", [None, 1])
@pytest.mark.parametrize("groups", [",,Fluency,,Style,", "id,output,Fluency,Fluency,Style,Style"])
def test_groups_of_columns_stand_above_their_names(tmp_path: Path, groups: str, rows: int | None) -> None:
    names = "id,output,R1,R2,R1,R2" if groups[0] == "," else ",,R1,R2,R1,R2"
    text = f"Ratings of the spring,,,,,\n{groups}\n{names}\na,an inn,4,5,3,2\nb,a bar,1,2,3,4\n"
    between = " " if groups[0] == "," else " / "
    found = cells(tmp_path / "mine.csv", text, rows)
    assert found[0] == ["id", "output", *(f"{a}{between}{b}" for a in ("Fluency", "Style") for b in ("R1", "R2"))]
    assert [row[0] for row in found[1:]] == ["a", "b"]


@pytest.mark.parametrize(
    "text", [",text,ref\nr1,same,same\n", "text,ref,hyp\nan inn,an inn,a bar\n", "id,text,,ref\nr1,a,a,b\n"]
)
def test_a_row_is_not_the_names_below_groups(tmp_path: Path, text: str) -> None:
    assert len(cells(tmp_path / "mine.csv", text)) == 2


@pytest.mark.parametrize("rows", [None, 1, 5])
def test_the_questions_and_import_ids_of_qualtrics_are_no_rows(tmp_path: Path, rows: int | None) -> None:
    names = ["StartDate", "Q1", "Q2"]
    table = [
        names,
        ["Start Date", "How fluent is\nthe text?", "Why?"],
        [json.dumps({"ImportId": name}) for name in names],
        *[["2024-01-01", str(place % 5), text] for place, text in enumerate(TEXTS)],
    ]
    for name, kept in (("three.csv", table), ("two.csv", [*table[:2], *table[3:]])):
        with (tmp_path / name).open("w", newline="") as file:
            csv.writer(file).writerows(kept)
        assert read(tmp_path / name, rows=rows)["Q2"].tolist() == TEXTS
    pd.DataFrame(table).to_excel(tmp_path / "mine.xlsx", header=False, index=False)
    assert read(tmp_path / "mine.xlsx", rows=rows)["Q2"].tolist() == TEXTS


def test_the_codes_of_limesurvey_below_its_questions_are_the_names(tmp_path: Path) -> None:
    text = "Response ID\tDate submitted\tStart language\tHow good?\nid\tsubmitdate\tstartlanguage\tQ1\n1\tx\ten\t4\n"
    assert cells(tmp_path / "mine.tsv", text)[0] == ["id", "submitdate", "startlanguage", "Q1"]


@pytest.mark.parametrize("rows", [None, 1])
def test_two_columns_of_one_name_are_one_if_they_are_the_same_and_else_numbered(tmp_path, rows) -> None:
    text = "id,ref,output,ref,id\n1,a,x,a,1\n2,b,y,c,2\n"
    with pytest.warns(UserWarning, match=r"mine\.csv: several columns are named 'ref': .* renamed ref\.2"):
        found = cells(tmp_path / "mine.csv", text, rows)
    assert found == [["id", "ref", "output", "ref.2"], ["1", "a", "x", "a"], ["2", "b", "y", "c"]]
    table = pd.DataFrame([line.split(",") for line in text.splitlines()])
    table.to_excel(tmp_path / "mine.xlsx", header=False, index=False)
    with pytest.warns(UserWarning, match=r"mine\.xlsx: several columns are named 'ref': .* renamed ref\.2"):
        assert list(read(tmp_path / "mine.xlsx")) == found[0]


def test_a_column_without_a_name_is_read_if_it_holds_anything(tmp_path: Path) -> None:
    assert cells(tmp_path / "mine.csv", ",output,\n0,an inn,\n") == [["Unnamed: 0", "output"], ["0", "an inn"]]


def test_a_form_is_refused(tmp_path: Path) -> None:
    rows = [["R1", TEXTS[0]], ["", ""], ["S1", TEXTS[1]], ["Readability", "4"], ["S2", TEXTS[2]], ["Readability", "2"]]
    pd.DataFrame(rows).to_csv(tmp_path / "mine.csv", header=False, index=False)
    pd.DataFrame(rows).to_excel(tmp_path / "mine.xlsx", header=False, index=False)
    for name in ("mine.csv", "mine.xlsx"):
        with pytest.raises(ValueError, match=rf"{name}: this is a form .* not a table: write column names"):
            load_dataset(tmp_path / name)


def test_a_sheet_that_is_a_form_is_passed_over(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "mine.xlsx") as book:
        pd.DataFrame([["R1", TEXTS[0]], ["S1", TEXTS[1]], ["Readability", 4]]).to_excel(
            book, sheet_name="Form", header=False, index=False
        )
        pd.DataFrame({"output": TEXTS, "quality": 4}).to_excel(book, sheet_name="Table", index=False)
    with pytest.warns(UserWarning, match="reading sheet 'Table'; choose another with --sheet: Form"):
        assert read(tmp_path / "mine.xlsx")["output"].tolist() == TEXTS


@pytest.mark.parametrize("text", [
    f"id,output\nR1,{TEXTS[0]}\nR2,42\n", "id,Please rate the fluency of the text\nR1,4\nR2,5\n",
    f"id,The text that you would rather write\nR1,{TEXTS[0]}\nR2,{TEXTS[1]}\n", ",0\nsystem a,4.5\nsystem b,3.2\n",
])  # fmt: skip
def test_two_columns_are_no_form(tmp_path: Path, text: str) -> None:
    assert len(cells(tmp_path / "mine.csv", text)) == 3


def test_every_line_end_ends_a_line(tmp_path: Path) -> None:
    lines = ["# by B.", "", "id,output", "1,an inn", "", "2,a bar", ""]
    for end in ("\r", "\n", "\r\n"):
        (tmp_path / "mine.csv").write_bytes(end.join(lines).encode())
        assert cells(tmp_path / "mine.csv", None) == [["id", "output"], ["1", "an inn"], ["2", "a bar"]]


def test_a_quotation_mark_in_a_comment_or_a_name_hides_no_row(tmp_path: Path) -> None:
    text = '# 5" and more\nid,"the\noutput"\n1,an inn\n2,a bar\n'
    assert cells(tmp_path / "mine.csv", text) == [["id", "the\noutput"], ["1", "an inn"], ["2", "a bar"]]


def test_a_quotation_mark_that_is_open_in_the_last_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"mine\.csv: .*is a closing quotation mark missing\?"):
        read(tmp_path / "mine.csv", 'id,output\n1,"an inn\n2,a bar\n')
