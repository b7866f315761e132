"""The page of outputs without ratings: systems by metric, then each output with its scores, on any screen."""

from pathlib import Path

import pytest

from rainbow import Corpus, load_dataset, score_corpus
from rainbow.reports.pages.metrics_page import make_scores_page
from rainbow.reports.pages.page import write_page
from rainbow.reports.saved.saved_analysis import load_scores_without_ratings
from rainbow.scoring.saved_scores import save_scores
from tests.reports.browser.driver import set_size
from tests.reports.browser.reader import opened, unfold

pytestmark = pytest.mark.xdist_group("reports")

SYSTEMS = ("alpha", "a-system_" * 8, "gamma model (tuned)", "delta", "epsilon")
METRICS = ["METEOR", "chrF", "bleu", "rouge-l", "len", "readability", "misspellings"]
# Elements that a reader cannot see in whole: beyond the screen, or wider than the box that scrolls.
OVERFLOWING = """return [...document.querySelectorAll('main *')].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.width && !node.closest('details') && !node.closest('.hidden')
        && (box.right > innerWidth + 1 || node.scrollWidth > node.clientWidth + 1 && node.matches('.scroll, .text'));
    }).map((node) => node.outerHTML.slice(0, 120))"""


def unrated_page(folder: Path, monkeypatch: pytest.MonkeyPatch, *, references: bool) -> str:
    """Write the page of outputs of five systems, with words that have no blanks, and return its address."""
    monkeypatch.chdir(folder)
    texts = load_dataset("demo").frame["output"].head(2 * len(SYSTEMS)).tolist()
    texts[1], texts[2] = "w" * 300, "https://example.org/" + "path/" * 100
    corpus = Corpus.from_texts(
        outputs=texts,
        references=[["X is a cheap inn near the river."] if references else []] * len(texts),
        system=[*SYSTEMS, *SYSTEMS],
        item=[str(place // len(SYSTEMS)) for place in range(len(texts))],
    )
    names = METRICS if references else METRICS[4:]
    save_scores(folder / "metrics" / "mine.parquet", corpus, score_corpus(corpus, names))
    taken = [("o" * 90, "output", "by what stands in it", "--output")]
    page = make_scores_page(
        load_scores_without_ratings("mine", "rainbow run"), ["it knows 0% of these texts"], [], taken
    )
    return write_page(page, folder).path.as_uri()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("references", [True, False])
def test_nothing_runs_off_the_page(browser, tmp_path, monkeypatch, width, references) -> None:
    opened(browser, unrated_page(tmp_path, monkeypatch, references=references), ".scored")
    set_size(browser, width)
    assert browser.execute_script(OVERFLOWING) == []
    unfold(browser)
    assert browser.execute_script("return document.documentElement.scrollWidth") == width


def test_systems_come_first_and_every_output_has_its_scores(browser, tmp_path, monkeypatch) -> None:
    opened(browser, unrated_page(tmp_path, monkeypatch, references=True), ".scored")
    text = browser.execute_script("return document.querySelector('#scored').innerText")
    places = [text.index(part) for part in ("Mean by system", "Outputs", "it knows 0% of these texts")]
    assert places == sorted(places)
    heads = browser.execute_script(
        "return [...document.querySelectorAll('#table-score-systems thead button')].map(n => n.textContent)"
    )
    assert heads == ["system", "METEOR", "chrF++", "BLEU4", "ROUGE-L", "length"]
    shown = "return [...document.querySelectorAll('.scored li')].map((line) => line.querySelectorAll('dd').length)"
    assert browser.execute_script(shown) == [5] * 10
