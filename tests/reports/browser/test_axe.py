"""axe-core finds nothing in any kind of page."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rainbow import Corpus, load_dataset, score_corpus
from rainbow.cli import app
from rainbow.corpus import COLUMNS
from rainbow.reports.pages.comparison_page import make_comparison
from rainbow.reports.pages.index_page import make_index
from rainbow.reports.pages.metrics_page import make_scores_page
from rainbow.reports.pages.page import WrittenPage, write_page
from rainbow.reports.pages.study_page import study_page
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.scoring.saved_scores import save_scores
from tests.reports.browser.driver import set_media, set_size
from tests.reports.browser.reader import choose, opened, tab, unfold
from tests.reports.pages.test_study_page import RESULTS

pytestmark = pytest.mark.xdist_group("reports")

SCREENS = pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), pytest.param(375, "dark", marks=pytest.mark.slow)]
)


@SCREENS
def test_axe_finds_no_violation(report: Any, axe: str, width: int, scheme: str) -> None:
    assert violations(report, axe, width, scheme) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_no_violation_in_anything_that_unfolds(report: Any, axe: str, width: int, scheme: str) -> None:
    choose(report, marks="RE")
    unfold(report)
    assert violations(report, axe, width, scheme) == []


def violations(browser: Any, axe: str, width: int, scheme: str) -> list[tuple[str, str, str]]:
    set_size(browser, width)
    set_media(browser, prefers_color_scheme=scheme)
    browser.execute_script(axe)
    browser.set_script_timeout(300)
    found = browser.execute_async_script("axe.run().then(arguments[0])")
    assert len(found["passes"]) > 20
    return [(rule["id"], rule["impact"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]


@SCREENS
def test_axe_finds_no_violation_in_the_page_on_systems(systems: Any, axe: str, width: int, scheme: str) -> None:
    unfold(systems)
    assert violations(systems, axe, width, scheme) == []


def test_axe_finds_no_violation_in_pages_about_several(browser, axe, demo, learned, compared, tmp_path) -> None:
    written = WrittenPage(tmp_path / "learned.html", 0, [])
    pages = [make_comparison([demo, learned]), make_index([(learned, written)], [(compared, written)], tmp_path)]
    for page in (*pages, study_page("dusek2017", RESULTS)):
        opened(browser, write_page(page, tmp_path).path.as_uri(), "h1")
        unfold(browser)
        assert (violations(browser, axe, 375, "dark"), browser.get_log("browser")) == ([], [])


def test_no_kind_of_page_leaves_anything_on_the_console_or_asks_for_anything_in_any_tab(
    browser, pages, demo, learned, compared, tmp_path
) -> None:
    written = WrittenPage(tmp_path / "learned.html", 0, [])
    others = {
        "comparison": make_comparison([demo, learned]),
        "index": make_index([(learned, written)], [(compared, written)], tmp_path),
        "study": study_page("dusek2017", RESULTS),
        "scores": make_scores_page(unrated(demo), ["learned score: 4.2"], [("analysis", "there are no ratings")],
            [("text", "output", "", "")]),
    }  # fmt: skip
    addresses = pages | {name: write_page(page, tmp_path).path.as_uri() for name, page in others.items()}
    addresses["benchmark"] = benchmark_made(tmp_path).as_uri()
    for address in addresses.values():
        opened(browser, address, "h1")  # which reads the console
        for name in browser.execute_script("return [...document.querySelectorAll('main > .tab')].map((tab) => tab.id)"):
            tab(browser, f"#{name}")
            shown = "return [...document.querySelectorAll('main > .tab')].filter((tab) => !tab.hidden).length"
            assert browser.execute_script(shown) == 1
        assert browser.get_log("browser") == []
        assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


def benchmark_made(folder: Path) -> Path:
    """Return the page of a benchmark of two small corpora."""
    frame = load_dataset("demo").frame
    for name, rows in (("one", slice(0, 60)), ("two", slice(60, 120))):
        corpus = Corpus(frame.iloc[rows].assign(dataset=name)[[*COLUMNS, "quality"]], ("quality",))
        save_scores(folder / "metrics" / f"{name}.parquet", corpus, score_corpus(corpus, ["TER", "slots"]))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RAINBOW_DATA", str(folder / "nothing"))
        done = CliRunner().invoke(app, ["benchmark", "--resamples", "20", "--no-learned"])
    assert done.exit_code == 0, done.output
    return folder / "reports" / "benchmark.html"


def unrated(saved: SavedAnalysis) -> SavedAnalysis:
    return replace(saved, name="unrated", summary={**saved.summary, "ratings": []}, tables={}, files=())


def test_hostile_names_of_systems_harm_nothing(browser: Any, pages: dict[str, str], axe: str) -> None:
    opened(browser, pages["hostile-systems"], ".script .sort:enabled")
    unfold(browser)
    assert violations(browser, axe, 1280, "light") == []
    assert browser.execute_script("return window.harmed") is None and browser.get_log("browser") == []
