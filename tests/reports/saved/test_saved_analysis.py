"""Tables are read as they were written."""

import re
from pathlib import Path

import pandas as pd
import pytest

from rainbow.reports.saved.saved_analysis import Part, SavedAnalysis, load_analysis
from rainbow.reports.saved.saved_tables import TABLES

pytestmark = pytest.mark.xdist_group("reports")


def test_every_digit_survives(demo: SavedAnalysis, folder: Path) -> None:
    lines = (folder / "analysis" / "demo" / "correlations.csv").read_text().splitlines()
    place = lines[0].split(",").index("r")
    assert ["" if r != r else repr(r) for r in demo.tables["correlations"]["r"]] == [
        line.split(",")[place] for line in lines[1:]
    ]


def test_names_that_look_like_numbers_or_gaps_stay_names(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "metrics").symlink_to(folder / "metrics")
    analysis = tmp_path / "analysis" / "demo"
    analysis.mkdir(parents=True)
    (analysis / "summary.json").write_bytes((folder / "analysis" / "demo" / "summary.json").read_bytes())
    (analysis / "verdicts.csv").write_text("rating,verdict\n")
    (analysis / "systems.csv").write_text("dataset,system,column,mean\n1,NA,TER,0.1\n2,007,TER,\n")
    table = load_analysis("demo", folder=tmp_path).tables["systems"]
    assert table[["dataset", "system"]].to_numpy().tolist() == [["1", "NA"], ["2", "007"]]
    assert table["mean"].isna().tolist() == [False, True]


def test_parts_begin_with_the_whole_and_name_every_system_once(demo: SavedAnalysis) -> None:
    systems = [Part("demo", system) for system in ("template", "neural", "ngram")]
    assert demo.parts == [Part("demo", "all"), *systems]
    assert [demo.label(part) for part in demo.parts] == ["all outputs", "template", "neural", "ngram"]


def test_the_readme_of_analyses_has_every_table_and_what_it_answers() -> None:
    text = (Path(__file__).parents[3] / "analysis" / "README.md").read_text()
    lines = {names: cells for names, *cells in re.findall(r"^\| ((?:`\w+\.csv` ?)+)\| (.*?) \|", text, re.MULTILINE)}
    written = {name: cells[0] for names, cells in lines.items() for name in re.findall(r"`(\w+)\.csv`", names)}
    assert {*written} == {*TABLES}
    wrong = [table.name for table in TABLES.values() if not written[table.name].startswith(table.question)]
    assert wrong == [], "the question is the one that the table declares"


def test_every_column_of_text_is_declared(learned: SavedAnalysis, folder: Path) -> None:
    for name, path in {path.stem: path for path in (folder / "analysis").glob("*/*.csv")}.items():
        texts = {column for column, values in pd.read_csv(path).items() if values.dtype == object}
        assert texts - TABLES[name].texts <= {"passes"}, name
