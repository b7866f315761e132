"""`rainbow report`: what is written, what is printed, what is said when something is missing."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from rainbow import load_dataset
from rainbow.cli import report
from rainbow.pipeline.metric_cards import card_files, save_cards
from rainbow.reports.saved.saved_analysis import SavedAnalysis, load_analysis
from rainbow.reports.saved.saved_tables import TABLES, read_table
from rainbow.reports.sections.metric_cards import metric_cards
from tests.reports.reading import Reader

pytestmark = pytest.mark.xdist_group("reports")

app = typer.Typer()
report.add_to(app)


@pytest.fixture
def inside(hostile_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder with the saved tables of two small datasets."""
    for name in ("metrics", "analysis"):
        (tmp_path / name).symlink_to(hostile_folder / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_several_datasets_get_a_page_each_and_an_index(inside: Path) -> None:
    result = run("hostile", "again", "--json")
    assert result.exit_code == 0, result.output
    facts = json.loads(result.stdout)
    assert facts["open"] == "reports/index.html"
    assert [page["path"] for page in facts["pages"]] == ["reports/hostile.html", "reports/again.html"]
    for page in facts["pages"]:
        assert (inside / page["path"]).stat().st_size == page["bytes"]
        assert all((inside / figure).is_file() for figure in page["figures"])
    assert [choice["rating"] for choice in facts["verdicts"]["again"]] == ["quality"]
    links = [
        attributes["href"] for tag, attributes in Reader((inside / "reports/index.html").read_text()).tags if tag == "a"
    ]
    assert {"hostile.html", "again.html"} <= set(links)


@pytest.mark.usefixtures("figures_unwritten")
def test_a_browser_is_opened_on_request(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    result = run("--compare", "hostile", "again", "--open", "--out", "elsewhere")
    assert result.exit_code == 0, result.output
    assert opened == [(inside / "elsewhere" / "hostile-and-again.html").as_uri()]
    assert "elsewhere/hostile-and-again.html" in result.stdout


@pytest.mark.usefixtures("figures_unwritten")
def test_what_was_saved_in_another_folder_is_named_with_it(inside: Path) -> None:
    (inside / "before").mkdir()
    for name in ("metrics", "analysis"):
        shutil.copytree(inside / name, inside / "before" / name)
    result = run("--compare", "before/hostile", "hostile")
    assert result.exit_code == 0, result.output
    text = " ".join("".join(Reader((inside / "reports/before-hostile-and-hostile.html").read_text()).texts).split())
    assert "hostile has the same outputs as before/hostile, rescored. No rating and no score changed." in text
    assert "rainbow report --compare before/hostile hostile" in text and run("before/hostile").exit_code == 0
    assert (inside / "reports/before-hostile.html").is_file()


@pytest.mark.parametrize(("arguments", "message"), [
    (["nowhere"], "metrics/nowhere.parquet does not exist: run `rainbow metrics nowhere` first"),
    (["mine.csv"], "metrics/mine.parquet does not exist: run `rainbow metrics mine.csv` first"),
    (["again", "--scores", "published"], "run `rainbow analyse again --scores published` first"),
    (["--compare", "again", "again"], "name another dataset"),
])  # fmt: skip
def test_what_is_missing_is_named_with_the_command_that_makes_it(inside, arguments, message) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, (OSError, ValueError)) and message in str(result.exception)


@pytest.mark.parametrize("arguments", [["--compare", "demo"], ["demo", "--scores", "theirs"], []])
def test_wrong_use_ends_with_status_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_an_analysis_of_other_scores_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "metrics", tmp_path / "metrics")
    shutil.copytree(folder / "analysis" / "demo", tmp_path / "analysis" / "demo")
    summary = tmp_path / "analysis" / "demo" / "summary.json"
    summary.write_text(json.dumps(json.loads(summary.read_text()) | {"outputs": 7}))
    with pytest.raises(ValueError, match=r"has 150 outputs, not 7: run `rainbow analyse demo` again"):
        load_analysis("demo", folder=tmp_path)


@pytest.fixture
def measured(demo: SavedAnalysis, tmp_path: Path) -> SavedAnalysis:
    summary = save_cards(tmp_path, load_dataset("demo").take(range(60)), [*demo.metrics, "my_score"])
    assert summary.endswith("do not reliably fall for some kind of worse text")
    tables = {path.stem: read_table(path.read_bytes(), TABLES[path.stem]) for path in card_files(tmp_path)}
    return replace(demo, tables={**demo.tables, **tables})


def facts(found: dict[str, Any], name: str) -> dict[str, str]:
    return {card["name"]: card["facts"] for card in found["cards"]}[name]


def test_a_card_has_what_was_measured(measured: SavedAnalysis) -> None:
    bleu = facts(metric_cards(measured), "BLEU1")
    assert (bleu["Range"], bleu["Needs"]) == ("0 to 1, higher is better", "references")
    assert float(bleu["Cost"].split()[0]) > 0 and "swapped values (0 %)" in bleu["Worse texts"]
    for rating in measured.ratings:
        line = measured.lookup("correlations", "metric", rating=rating, level="pooled", **measured.all_outputs.filters)
        assert f"{rating} {line['BLEU1'].r:.2f} (" in bleu["Agreement with people"]
    assert "Worse texts" not in facts(metric_cards(measured), "len")  # neither more nor less is better


def test_the_table_shows_the_shares_of_the_cards(measured: SavedAnalysis) -> None:
    grid = metric_cards(measured)["seen"]
    assert grid is not None
    kinds = [column.label for column in grid.columns]
    cells = {row.name: dict(zip(kinds, row.cells, strict=True)) for row in grid.rows}
    assert cells["BLEU1"]["swapped values"].number.text == "0\N{NO-BREAK SPACE}%"
    assert cells["TER"]["empty"].number.value == 1


def test_without_measurements_a_card_has_what_is_known(demo: SavedAnalysis) -> None:
    found = metric_cards(demo)
    assert found["seen"] is None and facts(found, "TER").keys() == {"Range", "Needs", "Agreement with people", "Source"}
