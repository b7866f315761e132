"""The report as a file: complete, self-contained, the same every time, and true to its tables."""

import re
from pathlib import Path

import pandas as pd
import pytest

from rainbow.reports.pages.metrics_page import SECTIONS, make_report
from rainbow.reports.pages.page import Page, make_page, write_page
from rainbow.reports.saved.saved_analysis import Part, SavedAnalysis, load_analysis
from rainbow.reports.saved.saved_tables import TABLES
from rainbow.reports.sections import search_section
from tests.reports.conftest import HOSTILE
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

# Addresses that name a language and are never fetched.
NAMESPACES = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")

# Every table with numbers that are shown one by one.
SOURCES = {
    *("correlations", "best_metrics", "rating_correlations", "metric_correlations", "metric_differences", "strata"),
    *("stratum_differences", "ranking", "tie_calibrated_accuracy", "two_way_accuracy", "soft_pairwise_accuracy"),
    *("systems", "system_differences", "agreement", "ceilings", "scores", "evidence"),
    *("learned_protocols", "learned_importances", "learned_elimination", "learned_audit"),
    *("audit_search", "audit_found"),
}

SHOWN = re.compile(r"([+−]?)(\d[\d,]*(?:\.\d+)?)(\u00a0%)?")


@pytest.fixture(scope="module")
def reader(page: Page) -> Reader:
    return Reader(page.html)


def test_the_sections_stand_in_the_order_in_which_a_researcher_asks(reader: Reader) -> None:
    found = [attributes["id"] for tag, attributes in reader.tags if tag == "section"]
    assert found == [
        "answer", "failures", "metrics", "between", "ranking", "systems", "learned", "search", "data", "making"
    ], "add a new section here"  # fmt: skip
    tabs = [attributes["id"] for tag, attributes in reader.tags if attributes.get("class") == "tab"]
    links = [attributes["href"] for tag, attributes in reader.tags if attributes.get("href", "").startswith("#tab")]
    assert links == [f"#{name}" for name in tabs]
    assert len(tabs) == len(SECTIONS)


def test_a_page_has_one_first_heading_a_language_and_landmarks(reader: Reader) -> None:
    tags = [tag for tag, _ in reader.tags]
    assert {"header", "nav", "footer"} <= set(tags) and dict(reader.tags)["html"] == {"lang": "en"}
    check_marked(reader)


def test_a_page_asks_the_network_for_nothing(page: Page, reader: Reader) -> None:
    for tag, attributes in reader.tags:
        for name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
            assert not re.match(r"(?:[a-z]+:)?//", attributes.get(name) or ""), (tag, attributes)
    html = re.sub(r'<script type="application/json".*?</script>|http-equiv', "", page.html, flags=re.DOTALL)
    for namespace in NAMESPACES:
        html = html.replace(namespace, "")
    assert "http" not in html.lower() and "@import" not in html
    assert re.findall(r"url\((?!#)", html) == []


def test_numbers_equal_the_tables_that_they_come_from(reader: Reader, learned: SavedAnalysis) -> None:
    tables = saved_rows(learned.files) | {"scores": learned.scores.astype(str).to_dict("records")}
    assert {shown.source.split(":")[0] for shown in reader.numbers} == SOURCES, "add a new table to SOURCES"
    check_sources(reader.numbers, tables)


def test_what_is_seen_is_the_number_rounded(reader: Reader) -> None:
    for shown in reader.numbers:
        if shown.value == "":
            assert shown.text.startswith("–"), shown
            continue
        sign, digits, percent = SHOWN.match(shown.text).groups()
        seen = float(digits.replace(",", "")) * (-1 if sign == "−" else 1)
        half = 0.500001 * 10 ** -len(digits.partition(".")[2])
        # Shares stand in percent, in tables whose caption says so without the sign.
        scales = (0.01,) if percent else (1.0, 0.01)
        assert any(abs(seen * scale - float(shown.value)) <= scale * half for scale in scales), shown


def test_every_saved_table_is_inside_with_six_digits(reader: Reader, learned: SavedAnalysis) -> None:
    inside = embedded_tables(reader)
    for file in learned.files:
        if file.name.endswith(".csv"):
            saved, columns = rows(file.content), inside[file.name]
            for name, values in columns.items():
                wrong = [line for line, value in zip(saved, values, strict=True) if not is_rounded(value, line[name])]
                assert wrong == [], (file.name, name)
    scores = inside["metrics/learned.csv"]
    assert scores["output"] == learned.scores["output"].tolist()
    assert scores["references"] == [list(texts) for texts in learned.scores["references"]]
    assert scores["TER"] == [float(f"{value:.6g}") for value in learned.scores["TER"]]


@pytest.mark.slow
def test_other_processes_make_the_same_bytes_of_the_same_tables(folder: Path, page: Page, tmp_path: Path) -> None:
    make = "from rainbow.reports.saved.saved_analysis import load_analysis as load; "
    make += "from rainbow.reports.pages.metrics_page import make_report as make; "
    make += "write_page(make(load('learned', folder=Path(sys.argv[2])), workers=2), Path(sys.argv[1]))"
    check_same_elsewhere(make, [str(folder)], page, tmp_path)


def test_nothing_says_where_or_when_it_was_made(page: Page, folder: Path) -> None:
    for content in (page.html.encode(), *(form for drawn in page.figures.values() for form in drawn)):
        assert str(folder).encode() not in content and b"CreationDate" not in content and b"dc:date" not in content


def test_figures_take_the_colours_of_the_page(page: Page) -> None:
    drawings = re.findall(r"<svg.*?</svg>", page.html, re.DOTALL)
    outside = {"scores-and-ratings", "forest"}  # the page draws the same by itself
    assert len(drawings) == len(page.figures.keys() - outside) and 'href="learned/scores-and-ratings.pdf"' in page.html
    for drawing in drawings:
        assert "var(--ink)" in drawing
        assert "#1c2128" not in drawing


def test_texts_that_a_search_found_are_shown_where_they_are_above_good_ones(learned: SavedAnalysis) -> None:
    page = make_page("learned", "learned", "", [search_section.section(learned)], {})
    assert "Texts found for TER" in page.html and "What was found for quality-mine" not in page.html
    assert HOSTILE["script"] not in page.html and "compared with the references for the same input" in page.html


def test_what_was_not_made_has_no_section_and_methods_say_how_to_make_it(demo, figures_unwritten) -> None:
    page = make_report(demo)
    found = {attributes["id"] for tag, attributes in Reader(page.html).tags if tag == "section"}
    assert not found & {"learned", "search", "judges"}
    for command in ("rainbow fit demo", "rainbow audit METRIC demo --search", "rainbow systems demo"):
        assert f"<code>{command}</code>" in page.html


def test_hostile_texts_are_shown_and_do_nothing(hostile_page: Page) -> None:
    names = ("script", "image", "quotes", "right-to-left", "emoji", "template", "long")
    check_harmless(Reader(hostile_page.html), [HOSTILE[name] for name in names])


def test_hostile_texts_leave_the_embedded_table_whole(hostile: SavedAnalysis, hostile_page: Page) -> None:
    tables = embedded_tables(Reader(hostile_page.html))
    assert tables["metrics/hostile.csv"]["output"] == hostile.scores["output"].tolist()


@pytest.mark.slow
@pytest.mark.parametrize(("dataset", "megabytes"), [("demo", 3), ("sfhotel", 3), ("emnlp2017", 5)])
def test_a_page_about_every_metric_is_small(dataset: str, megabytes: int, data_dir: Path, tmp_path: Path) -> None:
    from rainbow import load_dataset
    from rainbow.metrics.contract.selection import select_metrics
    from tests.reports.conftest import save

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_DATA", str(data_dir))
        save(
            tmp_path,
            dataset,
            load_dataset(dataset),
            [chosen.metric.name for chosen in select_metrics(None)],
            resamples=50,
        )
    written = write_page(make_report(load_analysis(dataset, folder=tmp_path)), tmp_path / "reports")
    print(f"{dataset}: {written.size / 1e6:.2f} MB")
    assert written.size < megabytes * 1e6


def test_every_digit_survives(demo: SavedAnalysis, folder: Path) -> None:
    lines = (folder / "analysis" / "demo" / "correlations.csv").read_text().splitlines()
    place = lines[0].split(",").index("r")
    found = ["" if r != r else repr(r) for r in demo.tables["correlations"]["r"]]
    assert found == [line.split(",")[place] for line in lines[1:]]


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
    assert demo.parts == [Part("demo", "all"), *[Part("demo", system) for system in ("template", "neural", "ngram")]]
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
