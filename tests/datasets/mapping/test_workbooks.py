"""Workbooks as people keep them: titles, groups of columns, notes, a sheet for each system."""

from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.table_mapping import read_mapping as mapping_of
from tests.datasets.mapping.places import ASKED, BAD, GOOD, MARKS


def test_a_title_before_the_names_of_columns_in_a_workbook(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "mine.xlsx") as book:
        pd.DataFrame({"hyp": GOOD, "human": MARKS}).to_excel(book, startrow=2, index=False)
        book.sheets["Sheet1"]["A1"] = "Ratings of the spring"
        pd.DataFrame({"note": ["by B."]}).to_excel(book, sheet_name="About", index=False)
    with pytest.warns(UserWarning, match="reading sheet 'Sheet1'; choose another with --sheet: About"):
        assert load_dataset(tmp_path / "mine.xlsx").frame["output"].tolist() == GOOD


def test_names_of_columns_below_names_of_their_groups_in_a_workbook(tmp_path: Path) -> None:
    lines = [["", "", "Fluency", "", "Style", ""], ["Source", "Text", "R1", "R2", "R1", "R2"]]
    rows = [[asked, text, mark, 5, 2, mark] for asked, text, mark in zip(ASKED, GOOD, MARKS, strict=True)]
    pd.DataFrame([*lines, *rows]).to_excel(tmp_path / "mine.xlsx", header=False, index=False)
    mapping = mapping_of(tmp_path / "mine.xlsx")
    assert mapping.columns.ratings == ("Fluency=Fluency R1,Fluency R2", "Style=Style R1,Style R2")
    assert mapping.roles()["Text"] == "output"


def test_criteria_below_merged_names_of_raters_in_a_workbook(tmp_path: Path) -> None:
    lines = [
        ["Source", "Text", "Evaluadora 1 (Zoé)", "", "Evaluador 2 (Luis)", ""],
        ["", "", *["Claridad", "Humor"] * 2],
    ]
    rows = [[asked, text, mark, 5, 2, mark] for asked, text, mark in zip(ASKED, GOOD, MARKS, strict=True)]
    pd.DataFrame([*lines, *rows]).to_excel(tmp_path / "mine.xlsx", header=False, index=False)
    assert mapping_of(tmp_path / "mine.xlsx").columns.ratings == (
        "Claridad=Evaluadora 1 (Zoé) / Claridad,Evaluador 2 (Luis) / Claridad",
        "Humor=Evaluadora 1 (Zoé) / Humor,Evaluador 2 (Luis) / Humor",
    )


def test_empty_rows_that_a_spreadsheet_writes_are_none(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(
        "hyp,human\n" + "".join(f"{text},{mark}\n" for text, mark in zip(GOOD, MARKS, strict=True)) + ",\n,\n"
    )
    assert load_dataset(path).frame["output"].tolist() == GOOD


def test_a_sheet_of_notes_is_passed_over(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    for line in ("Evaluation, spring 2024", "Contact: Hanna (room 2.14)"):
        book.active.append([line])
    sheet = book.create_sheet("Ratings")
    for row in (("output", "quality"), *zip(GOOD, MARKS, strict=True)):
        sheet.append(row)
    book.save(tmp_path / "mine.xlsx")
    with pytest.warns(UserWarning, match="reading sheet 'Ratings'; choose another with --sheet: Read me"):
        frame = load_dataset(tmp_path / "mine.xlsx").frame
    assert frame["output"].tolist() == GOOD


def test_sheets_with_the_same_columns_are_one_table_with_a_system_each(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Notes", "Notes"])
    for name, texts in (("tgen", GOOD), ("slug", BAD)):
        sheet = book.create_sheet(name)
        for row in (("ID", "text", "quality"), *zip(range(1, 1 + len(texts)), texts, MARKS, strict=True)):
            sheet.append(row)
    book.save(tmp_path / "mine.xlsx")
    frame = load_dataset(tmp_path / "mine.xlsx").frame
    assert frame["system"].tolist() == ["tgen"] * len(GOOD) + ["slug"] * len(BAD)
    assert frame["item"].tolist() == [str(1 + row) for row in range(len(GOOD))] * 2


def test_names_of_two_lines_are_names(tmp_path: Path) -> None:
    frame = pd.DataFrame({"Testo\nChatGPT": GOOD, "Voto\nChatGPT": MARKS, "Testo\nGemini": BAD, "Voto\nGemini": MARKS})
    frame.to_excel(tmp_path / "mine.xlsx", index=False)
    assert {"Gemini", "ChatGPT"} <= {*load_dataset(tmp_path / "mine.xlsx").frame["system"]}


def test_a_column_that_is_called_sheet_is_not_written_over(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "mine.xlsx") as book:
        for name in ("one", "two"):
            pd.DataFrame({"text": GOOD, "sheet": MARKS}).to_excel(book, sheet_name=name, index=False)
    assert load_dataset(tmp_path / "mine.xlsx").frame["sheet"].tolist() == MARKS * 2


def test_cells_that_are_merged_downwards_stand_in_each_row(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Fall", "Notizen", "Brief"])
    for place, text in enumerate(GOOD[:6]):
        sheet.append([f"F{place // 2}", f"Notiz {place // 2}: {ASKED[place // 2]}" if place % 2 == 0 else None, text])
    for first in (2, 4, 6):
        sheet.merge_cells(start_row=first, end_row=first + 1, start_column=2, end_column=2)
    book.save(tmp_path / "mine.xlsx")
    frame = load_dataset(tmp_path / "mine.xlsx", output="Brief", input="Notizen").frame
    assert frame["mr"].tolist() == [f"Notiz {place // 2}: {ASKED[place // 2]}" for place in range(6)]
