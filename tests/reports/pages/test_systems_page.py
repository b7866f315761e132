"""The page on systems: complete, true to its tables, the same every time, and safe whatever systems are called."""

from pathlib import Path

import pandas as pd
import pytest
import typer
from typer.testing import CliRunner, Result

from rainbow import load_dataset
from rainbow.cli import report
from rainbow.reports.pages.index_page import make_index
from rainbow.reports.pages.page import Page, WrittenPage
from rainbow.reports.pages.systems_page import make_systems_page
from rainbow.reports.saved.saved_analysis import load_analysis
from rainbow.reports.saved.saved_systems import SavedSystems, load_systems
from tests.reports.conftest import HOSTILE, METRICS, save
from tests.reports.reading import (
    Reader,
    check_harmless,
    check_marked,
    check_same_elsewhere,
    check_sources,
    embedded_tables,
    is_rounded,
    rows,
    saved_rows,
)

pytestmark = pytest.mark.xdist_group("reports")

# Tables whose numbers are shown one by one.
SOURCES = {
    *("corpus_metrics", "corpus_metric_differences", "rankings", "slot_errors", "textual"),
    *("similarity", "similarity_means", "system_ratings", "judgement_agreement"),
}


@pytest.fixture(scope="module")
def reader(systems_page: Page) -> Reader:
    return Reader(systems_page.html)


def sections(reader: Reader) -> list[str]:
    return [str(attributes["id"]) for tag, attributes in reader.tags if tag == "section"]


def run(*arguments: str) -> Result:
    app = typer.Typer()
    report.add_to(app)
    return CliRunner().invoke(app, list(arguments))


def test_the_answer_comes_first_and_the_making_last(reader: Reader) -> None:
    names = ["answer", "metrics", "rankings", "slots", "texts", "similarity", "outputs"]
    assert sections(reader) == [*(f"systems-{name}" for name in names), "making"]


def test_a_table_that_is_not_there_has_no_section(hostile_systems_page: Page) -> None:
    found = sections(Reader(hostile_systems_page.html))
    assert found == [*(f"systems-{name}" for name in ("answer", "metrics", "texts", "similarity", "outputs")), "making"]


def test_numbers_equal_the_tables_that_they_come_from(reader: Reader, compared: SavedSystems) -> None:
    assert {shown.source.split(":")[0] for shown in reader.numbers} == SOURCES
    check_sources(reader.numbers, saved_rows(compared.files))


def test_every_score_rank_error_measure_and_similarity_is_shown(reader: Reader, compared: SavedSystems) -> None:
    seen = {shown.source for shown in reader.numbers}
    for table, columns in {
        "corpus_metrics": ["BLEU", "NIST", "METEOR", "ROUGE-L", "CIDEr", "normalised_average", "TER", "chrF++"],
        "corpus_metric_differences": ["difference"],
        "rankings": ["cluster", "rank_from", "rank_to", "trueskill", "comparisons"],
        "slot_errors": ["missing", "wrong", "repeated", "added", "slot_error_rate_percent", "ok_percent"],
        "similarity_means": ["value"],
        "system_ratings": ["mean"],
        "judgement_agreement": ["estimate"],
        "textual": ["value"],
    }.items():
        frame = compared.tables[table]
        known = frame[frame[columns].notna().all(axis=1)]
        assert {f"{table}:{row}:{column}" for row in known.index for column in columns} <= seen, table


def test_the_answer_names_who_is_first_and_who_cannot_be_told_apart(reader: Reader, compared: SavedSystems) -> None:
    text = " ".join("".join(reader.texts).split())
    table = compared.tables["corpus_metrics"]
    letters = [set(groups.split()) for groups in table["groups"]]
    alike = [name for name, own in zip(table["system"], letters, strict=True) if own & letters[0]][1:]
    assert f"rank {table['system'][0]} first (normalised average" in text
    assert ("significantly above all others" in text) == (alike == [])
    best = compared.tables["rankings"].query("rank_from == 1")["system"]
    assert f"For quality, people put {best.iloc[0]} (rank 1" in text


def test_the_best_and_what_does_not_differ_from_it_is_marked(reader: Reader, compared: SavedSystems) -> None:
    table, tests = compared.tables["corpus_metrics"], compared.tables["corpus_metric_differences"]
    cells = [
        (row, metric, "=" in shown.text)
        for shown in reader.numbers
        for source, row, metric in [shown.source.split(":")]
        if source == "corpus_metrics" and metric in ("TER", "BLEU")
    ]
    assert len(cells) == 2 * len(table)
    for row, metric, mark in cells:
        best = table["system"][table[metric].idxmin() if metric == "TER" else table[metric].idxmax()]
        pair = {best, table["system"][int(row)]}
        p = [
            line.p_randomisation_holm
            for line in tests.itertuples()
            if line.metric == metric and {line.first, line.second} == pair
        ]
        assert mark == (not p or p[0] >= 0.05)


def test_systems_that_write_alike_stand_side_by_side(hostile_systems: SavedSystems, figures_unwritten: None) -> None:
    same = hostile_systems.tables["similarity"].copy()
    first, second = HOSTILE["script"], HOSTILE["emoji"]
    pair = same["system"].isin([first, second]) & same["reference_system"].isin([first, second])
    same["value"] = pair.map({True: 0.9, False: 0.1})
    changed = SavedSystems(**{**vars(hostile_systems), "tables": {**hostile_systems.tables, "similarity": same}})
    reader = Reader(make_systems_page(changed).html)
    heads = [
        str(attributes["aria-label"])
        for tag, attributes in reader.tags
        if tag == "button" and ": outputs of " in str(attributes.get("aria-label"))
    ]
    order = [
        label.split(": outputs of ")[1].removesuffix(", scored with the row's outputs as references") for label in heads
    ]
    assert abs(order.index(first) - order.index(second)) == 1


def test_every_column_says_what_it_means(reader: Reader) -> None:
    heads = [attributes for tag, attributes in reader.tags if tag == "th" and attributes.get("data-kind") == "number"]
    explained = [attributes for attributes in heads if attributes.get("title")]
    assert len(explained) > 40 and any("lower is better" in str(attributes["title"]) for attributes in explained)


def test_no_two_elements_have_the_same_id_and_all_tables_a_caption(reader: Reader, hostile_systems_page: Page) -> None:
    check_marked(reader, Reader(hostile_systems_page.html))


def test_every_table_is_inside_with_six_digits(reader: Reader, compared: SavedSystems) -> None:
    saved = {file.name: rows(file.content) for file in compared.files if file.name.endswith(".csv")}
    inside = embedded_tables(reader)
    texts = ["analysis/demo/inputs.csv", "analysis/demo/outputs.csv"]
    assert [*inside] == [name for name in saved if name != texts[0]]
    for table, columns in inside.items():
        for name, values in columns.items() if table not in texts else ():
            assert all(is_rounded(value, line[name]) for value, line in zip(values, saved[table], strict=True))
    assert "rainbow systems demo --judgements judgements.csv --resamples 30" in "".join(reader.texts)


def test_every_output_is_inside_with_its_input_and_its_slot_errors(reader: Reader, compared: SavedSystems) -> None:
    inside = pd.DataFrame(embedded_tables(reader)["analysis/demo/outputs.csv"]).set_index("id")
    frame = load_dataset("demo").frame.set_index("id")
    assert {*inside.index} == {*frame.index}
    for name in ("system", "item", "output", "mr"):
        assert inside[name].to_dict() == frame[name].to_dict()
    assert inside["references"].map(tuple).to_dict() == frame["references"].to_dict()
    errors = compared.tables["utterance_slot_errors"].set_index("id").loc[inside.index]
    assert inside["slot errors"].tolist() == pytest.approx(
        errors[["missing", "wrong", "repeated", "added"]].sum(axis=1, skipna=False).tolist(), nan_ok=True
    )
    assert inside["item"].drop_duplicates().tolist() == inside["item"][:: inside["system"].nunique()].tolist()


def test_hostile_names_are_shown_and_do_nothing(hostile_systems_page: Page) -> None:
    names = ("script", "image", "quotes", "template", "emoji")
    check_harmless(Reader(hostile_systems_page.html), [HOSTILE[name] for name in names])


def test_another_process_makes_the_same_bytes(systems_folder: Path, systems_page: Page, tmp_path: Path) -> None:
    make = "from rainbow.reports.saved.saved_systems import load_systems as load; "
    make += "from rainbow.reports.pages.systems_page import make_systems_page as make; "
    make += "write_page(make(load('demo', folder=Path(sys.argv[2]))), Path(sys.argv[1]))"
    check_same_elsewhere(make, [str(systems_folder)], systems_page, tmp_path)


def test_several_datasets_have_tables_of_their_own(compared: SavedSystems, figures_unwritten: None) -> None:
    tables = {}
    for name, table in compared.tables.items():
        parts = [table.assign(dataset=dataset) for dataset in ("here", "there")]
        tables[name] = pd.concat(parts, ignore_index=True) if name != "notes" else table
    reader = Reader(make_systems_page(SavedSystems(**{**vars(compared), "tables": tables})).html)
    ids = {attributes.get("id") for _, attributes in reader.tags}
    assert {"table-corpus-metrics-1", "table-corpus-metrics-2", "figure-rank-ranges-2", "table-textual-2"} <= ids
    assert "Corpus metrics with 95\u00a0% intervals on there" in "".join(reader.texts).replace("95 %", "95\u00a0%")


@pytest.mark.usefixtures("figures_unwritten")
def test_where_systems_alone_were_compared_the_report_is_their_page(systems_folder, monkeypatch) -> None:
    monkeypatch.chdir(systems_folder)
    result = run("demo")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("reports/demo-systems.html: ")
    assert not (systems_folder / "reports" / "demo.html").exists()


@pytest.mark.usefixtures("figures_unwritten")
def test_a_report_and_the_page_on_systems_lead_to_each_other(systems_folder, tmp_path, monkeypatch) -> None:
    save(tmp_path, "demo", load_dataset("demo").take(range(60)), METRICS[:2], resamples=10)
    alone = load_analysis("demo", folder=tmp_path)
    for file in (systems_folder / "analysis" / "demo").iterdir():
        ((tmp_path / "analysis" / "demo") / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    result = run("demo")
    assert result.exit_code == 0, result.output
    pages = {name: Reader((tmp_path / f"reports/{name}.html").read_text()) for name in ("demo", "demo-systems")}
    links = {name: {attributes.get("href") for _, attributes in page.tags} for name, page in pages.items()}
    assert "demo-systems.html" in links["demo"] and "demo.html" in links["demo-systems"]
    found = set(embedded_tables(pages["demo"]))
    assert found == {"metrics/demo.csv", *(file.name for file in alone.files if file.name.endswith(".csv"))}


def test_an_index_leads_to_pages_on_systems(compared: SavedSystems, tmp_path: Path) -> None:
    reader = Reader(make_index([], [(compared, WrittenPage(tmp_path / "demo-systems.html", 1, []))], tmp_path).html)
    assert "demo-systems.html" in {attributes.get("href") for _, attributes in reader.tags}
    assert compared.tables["corpus_metrics"]["system"][0] in "".join(reader.texts)


def test_what_is_missing_is_named_with_the_command_that_makes_it(systems_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="run `rainbow systems e2e --as-published` first"):
        load_systems("e2e", "published", tmp_path)
    analysis = tmp_path / "analysis" / "demo"
    analysis.mkdir(parents=True)
    (analysis / "systems.json").write_bytes((systems_folder / "analysis" / "demo" / "systems.json").read_bytes())
    with pytest.raises(FileNotFoundError, match=r"csv no longer exists: run `rainbow systems demo` again"):
        load_systems("demo", folder=tmp_path)
