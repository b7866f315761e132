"""The browser of outputs: filtered, ordered, explained, linked to; beside another system's outputs."""

import json
import re
import urllib.parse
from collections import Counter
from typing import Any

import pytest

from rainbow.reports.overview.disagreeing_outputs import disagreements
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_systems import SavedSystems
from tests.reports.browser.reader import choose, one, opened, outputs, tab, until
from tests.reports.conftest import HOSTILE

pytestmark = pytest.mark.xdist_group("reports")


@pytest.fixture
def report(report: Any) -> Any:
    return tab(report, "#utterances")


@pytest.fixture
def systems(systems: Any) -> Any:
    tab(systems, "#browser")
    until(systems, "return document.querySelectorAll('.utterance').length > 0")
    return systems


def test_outputs_are_filtered_by_text_system_and_rating(report: Any, learned: SavedAnalysis) -> None:
    frame = learned.scores
    choose(report, text="HOTEL", system="neural", rating="quality", low=1, high=4, order="data")
    texts = frame["output"] + "\n" + frame["mr"] + "\n" + frame["references"].map("\n".join)
    wanted = frame[texts.str.lower().str.contains("hotel") & (frame["system"] == "neural") & (frame["quality"] <= 4)]
    assert 0 < len(wanted) < 150 and outputs(report) == wanted["output"].head(8).tolist()
    assert one(report, "#found").text == f"{len(wanted)} of {len(frame)} outputs"


def test_outputs_come_in_the_order_of_disagreement_that_the_table_without_script_has(report, learned) -> None:
    rating = learned.ratings[0]
    metric = report.execute_script("return document.getElementById('browser').elements.metric.value")
    table = disagreements(learned, rating, metric)["difference"].sort_index()
    rows = table.abs().sort_values(ascending=False, kind="stable").index[:8]
    assert outputs(report) == learned.scores.loc[rows, "output"].tolist()
    choose(report, metric="TER", order="below")
    rows = disagreements(learned, rating, "TER")["difference"].sort_index().sort_values(kind="stable").index[:8]
    assert outputs(report) == learned.scores.loc[rows, "output"].tolist()


def test_words_of_the_nearest_reference_are_marked(report: Any, learned: SavedAnalysis) -> None:
    choose(report, order="data")
    script = """const card = document.querySelector(arguments[0]), words = (node) => node.textContent.toLowerCase();
        const marks = (selector) => [...card.querySelectorAll(selector)].map(words);
        return [marks('.said mark[class*=run]'), marks('.given li mark')]"""
    seen = 0
    for place in range(8):
        own, other = report.execute_script(script, f".utterance[data-row='{place}']")
        words = [word for run in own for word in re.findall(r"\w+", run)]
        assert sorted(words) == sorted(word for run in other for word in re.findall(r"\w+", run))
        references = learned.scores["references"][place]
        assert any(set(words) <= set(re.findall(r"[^\W_]+", text.lower())) for text in references)
        seen += len(words)
    assert seen > 20


def test_slots_are_named_as_the_metric_reads_them(report: Any, learned: SavedAnalysis) -> None:
    choose(report, order="data")
    script = """const words = (line) => [line.firstChild.textContent, line.lastChild.textContent];
        return [...document.querySelectorAll('.utterance')].map((card) =>
            [...card.querySelectorAll('.slots span')].map(words))"""
    for place, lines in enumerate(report.execute_script(script)):
        states = {state: len(names.split(", ")) for state, names in lines}
        slots = sum(states.get(state, 0) for state in ("mentioned", "missing", "wrong"))
        line = learned.scores.iloc[place]
        assert states.get("mentioned", 0) == pytest.approx(line["slots_realised"] * slots)
        assert states.get("missing", 0) == pytest.approx(line["slots_missing"] * slots)
        assert ("invented" in states) == (line["slots_invented"] > 0)


def test_single_marks_of_raters_stand_beside_the_rating(report: Any, learned: SavedAnalysis) -> None:
    choose(report, order="data", rating="quality")
    marks = learned.scores.loc[0, ["quality_1", "quality_2", "quality_3"]].tolist()
    assert one(report, ".utterance .raters").text == "raters: " + ", ".join(f"{mark:g}" for mark in marks)


def side_by_side(browser: Any) -> list[list[str | None]]:
    """Return what the cards show: an output, and another system's for the same input."""
    script = """return [...document.querySelectorAll('.utterance')].map((card) =>
        [card.querySelector('.said').textContent, card.querySelector('.beside .said')?.textContent ?? null])"""
    return browser.execute_script(script)


def test_another_system_stands_beside_for_the_same_input(report: Any, learned: SavedAnalysis) -> None:
    frame = learned.scores
    choose(report, order="data", system="neural", beside="template")
    own = frame[frame["system"] == "neural"].head(8)
    others = frame[frame["system"] == "template"].set_index("item")["output"]
    found = side_by_side(report)
    assert found == [[output, others.get(item)] for output, item in zip(own["output"], own["item"], strict=True)]


def test_words_are_coloured_by_what_they_do_to_a_score(report: Any, learned: SavedAnalysis) -> None:
    choose(report, order="data", marks="RE")
    script = """const card = document.querySelector(`.utterance[data-row="${arguments[0]}"]`);
        const texts = (selector) => [...card.querySelectorAll(selector)].map((node) => node.textContent);
        const bars = [...card.querySelectorAll('.changes i')]
            .map((bar) => [bar.className, parseFloat(bar.style.width)]);
        return [...['.said [class^=raises]', '.said [class^=lowers]', '.changes .word'].map(texts), bars]"""
    table = learned.tables["word_changes"]
    table = table[table["metric"] == "RE"]
    least = 0.1 * table["change"].abs().sort_values().iloc[int(0.95 * len(table))]
    for place, identity in enumerate(learned.scores["id"].head(8)):
        lines = table[table["id"] == identity]
        raises, lowers, words, bars = report.execute_script(script, place)
        assert raises == lines.loc[lines["change"] >= least, "word"].tolist()
        assert lowers == lines.loc[lines["change"] <= -least, "word"].tolist()
        strongest = lines[lines["change"] != 0].sort_values("change", key=lambda change: -abs(change), kind="stable")
        assert words == strongest["word"].head(5).tolist()
        signs = ["raises" if change > 0 else "lowers" for change in strongest["change"].head(5)]
        assert [name for name, _ in bars] == signs
        assert [width for _, width in bars] == sorted([width for _, width in bars], reverse=True)
    assert one(report, "#change-marks").is_displayed() and not one(report, "#shared-marks").is_displayed()
    choose(report, marks="")
    assert report.execute_script("return document.querySelectorAll('.changes, .said [class^=raises]').length") == 0


def test_words_of_another_text_are_not_coloured(report: Any, learned: SavedAnalysis) -> None:
    """The outputs may have been others when they were explained."""
    choose(report, marks="RE", text=learned.scores["output"].iloc[-1])
    script = (
        "return [...document.querySelectorAll('.utterance:first-child .said mark, .utterance:first-child .changes')]"
    )
    assert report.execute_script(script) == []
    assert "RE: no explanation for this output" in one(report, ".utterance").text


def test_a_link_opens_what_was_chosen_and_back_goes_back(browser: Any, pages: dict[str, str]) -> None:
    opened(browser, pages["learned"])
    choose(browser, rating="quality", metric="TER", order="worst")
    browser.execute_script("document.querySelector('#pages button:last-child').click()")
    chosen = {"rating": "quality", "metric": "TER", "order": "worst", "page": "2"}
    assert dict(urllib.parse.parse_qsl(browser.current_url.split("?")[1])) == chosen
    second, address = outputs(browser), browser.current_url
    browser.back()
    until(browser, "return document.querySelector('#pages span').textContent.startsWith('page 1')")
    assert outputs(browser) != second
    browser.get("about:blank")
    browser.get(address)
    until(browser, "return document.querySelectorAll('.utterance').length > 0")
    assert outputs(browser) == second
    assert browser.execute_script("return document.getElementById('browser').elements.metric.value") == "TER"
    assert browser.get_log("browser") == []


def test_pages_lead_through_all_outputs(report: Any, learned: SavedAnalysis) -> None:
    choose(report, order="data")
    seen = outputs(report)
    while one(report, "#pages button:last-child").is_enabled():
        report.execute_script("document.querySelector('#pages button:last-child').click()")
        seen += outputs(report)
    assert seen == learned.scores["output"].tolist()


def test_hostile_texts_harm_nothing_and_are_read_in_full(browser: Any, pages: dict[str, str]) -> None:
    opened(browser, pages["hostile"])
    choose(browser, order="data")
    tab(browser, "#utterances")
    shown = outputs(browser)
    one(browser, "#pages button:last-child").click()
    shown += outputs(browser)
    for text in HOSTILE.values():
        assert text in shown
    assert browser.execute_script("return window.harmed") is None
    assert browser.execute_script("return document.querySelectorAll('.x').length") == 0
    heights = browser.execute_script(
        "return [...document.querySelectorAll('.utterance')].map((node) => node.offsetHeight)"
    )
    assert max(heights) < 900, "a long text takes the page"
    assert browser.get_log("browser") == []


def test_the_page_on_systems_opens_with_the_two_best_side_by_side(systems: Any, compared: SavedSystems) -> None:
    first, second = compared.tables["corpus_metrics"]["system"][:2]
    wide = compared.tables["outputs"].pivot_table(index="item", columns="system", values="output", aggfunc="first")
    errors = compared.tables["utterance_slot_errors"].set_index(["item", "system"])
    sums = errors[["missing", "wrong", "repeated", "added"]].sum(axis=1, skipna=False).unstack("system")
    gaps = (sums[first] - sums[second]).abs().sort_values(ascending=False)
    shown = side_by_side(systems)
    assert one(systems, "#found").text == f"{len(wide):,} of {3 * len(wide):,} outputs"
    items = [wide.index[(wide[first] == own) & (wide[second] == other)] for own, other in shown]
    assert [gaps[item].max() for item in items] == gaps.head(8).tolist() and gaps.iloc[0] > 0


def test_systems_are_compared_by_words_that_references_have_too(systems: Any, compared: SavedSystems) -> None:
    choose(systems, system="ngram", beside="neural", metric="shared words", order="above")
    text = one(systems, ".utterance .verdict b").text
    known = compared.tables["outputs"].set_index(["system", "output"])["item"]
    own, other = side_by_side(systems)[0]
    item = known.loc[[("ngram", own)]].iloc[0]
    inputs = compared.tables["inputs"].set_index("item")["references"]
    shares = [max(shared(output, reference) for reference in json.loads(inputs[item])) for output in (own, other)]
    assert text.startswith("better than neural by ")
    assert float(text.split(" by ")[1]) == pytest.approx(shares[0] - shares[1], abs=0.001)
    chosen = dict(urllib.parse.parse_qsl(systems.current_url.split("?")[1]))
    assert chosen == {"system": "ngram", "beside": "neural", "metric": "shared words", "order": "above"}


def shared(output: str, reference: str) -> float:
    """Return the words that both have as a share of the words of both."""
    one, other = (Counter(re.findall(r"[^\W_]+", text.lower())) for text in (output, reference))
    return 2 * (one & other).total() / (one.total() + other.total())


def test_ratings_are_not_asked_for_where_there_are_none(systems: Any) -> None:
    hidden = "return [...document.querySelectorAll('#browser label[hidden] [name]')].map((field) => field.name)"
    assert systems.execute_script(hidden) == ["rating", "low", "high", "marks"]
    assert systems.find_elements("css selector", "#scatter") == []
