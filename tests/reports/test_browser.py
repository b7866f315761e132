"""The report in a real browser: read, sorted, filtered, downloaded, in the dark, on a telephone, by keyboard."""

import io
import re
import shutil
import subprocess
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest

from rainbow.reports.disagreement import disagreements
from rainbow.reports.pages.comparison import make_comparison
from rainbow.reports.pages.index import make_index
from rainbow.reports.pages.page import Page, Written, write_page
from rainbow.reports.pages.systems_page import make_systems_page
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.saved.saved_systems import SavedSystems
from rainbow.reports.saved.saved_tables import read_table
from tests.reports.browser import chromium, set_media, set_size
from tests.reports.conftest import HOSTILE

pytestmark = pytest.mark.xdist_group("reports")

AXE = "axe-core@4.14.1"
WAIT = 30


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(
    tmp_path_factory: pytest.TempPathFactory,
    page: Page,
    hostile_page: Page,
    systems_page: Page,
    hostile_systems: SavedSystems,
) -> dict[str, str]:
    """Return the addresses of the report, of that of hostile texts, and of the pages on systems of both kinds."""
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "learned": page,
        "hostile": hostile_page,
        "systems": systems_page,
        "hostile-systems": make_systems_page(hostile_systems),
    }
    return {name: write_page(content._replace(name=name), folder).path.as_uri() for name, content in made.items()}


@pytest.fixture
def report(browser: Any, pages: dict[str, str]) -> Iterator[Any]:
    """Return the browser with the report open and ready; no test may leave an error on the console."""
    yield opened(browser, pages["learned"])
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []


@pytest.fixture(scope="session")
def axe(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the source of axe-core, from npm's registry the first time and from pytest's cache later, or skip."""
    cache = getattr(pytestconfig, "cache", None)  # none with `-p no:cacheprovider`
    folder = Path(cache.mkdir("axe")) if cache else tmp_path_factory.mktemp("axe")
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed: apt-get install npm")
        command = ["npm", "install", "--silent", "--prefix", str(folder), AXE]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        if not script.is_file():
            pytest.skip(f"axe-core could not be fetched ({done.stderr.strip()[:80]}): {' '.join(command)}")
    return script.read_text(encoding="utf-8")


@pytest.fixture
def systems(browser: Any, pages: dict[str, str]) -> Iterator[Any]:
    """Return the browser with the page on systems open; no test may leave an error on the console."""
    yield opened(browser, pages["systems"], ".script .sort:enabled")
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []


def opened(browser: Any, address: str, ready: str = ".utterance") -> Any:
    set_size(browser, 1280)
    set_media(browser)
    browser.get(address)
    browser.execute_script("localStorage.clear()")
    browser.refresh()
    browser.get_log("browser")
    until(browser, "return document.querySelectorAll(arguments[0]).length > 0", ready)
    return browser


def until(browser: Any, script: str, *arguments: Any) -> Any:
    """Wait until a script gives something that is true."""
    end = time.monotonic() + WAIT
    while not (found := browser.execute_script(script, *arguments)):
        assert time.monotonic() < end, f"never true: {script}"
        time.sleep(0.02)
    return found


def one(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def column(browser: Any, table: str, place: int) -> list[float | None]:
    """Return the numbers of a column of cells, from top to bottom."""
    script = """return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map((row) => {
        const value = row.querySelectorAll('td[data-value]')[arguments[1]].dataset.value;
        return value === '' ? null : Number(value); })"""
    return browser.execute_script(script, table, place)


def choose(browser: Any, **fields: Any) -> None:
    """Fill in fields of the browser of outputs as a reader does."""
    script = """const field = document.getElementById('browser').elements[arguments[0]];
        field.value = arguments[1]; field.dispatchEvent(new Event('input', { bubbles: true }));"""
    for name, value in fields.items():
        browser.execute_script(script, name, str(value))


def outputs(browser: Any) -> list[str]:
    return browser.execute_script(
        "return [...document.querySelectorAll('.utterance .said')].map((node) => node.textContent)"
    )


def test_a_head_sorts_down_then_up_then_as_it_was(report: Any) -> None:
    table, head = "#table-correlations", "#table-correlations thead tr:nth-child(2) th:first-child"
    before = column(report, table, 0)
    states = []
    for expected in (sorted(_known(before), reverse=True), sorted(_known(before)), before):
        one(report, f"{head} button").click()
        states.append(one(report, head).get_attribute("aria-sort"))
        assert [value for value in column(report, table, 0) if value is not None] == _known(expected)
    assert states == ["descending", "ascending", "none"]


def _known(values: list[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def test_cells_without_a_number_come_last_in_both_directions(report: Any) -> None:
    button = one(report, "#table-correlations thead tr:nth-child(2) th:nth-child(2) button")
    for _ in range(2):
        button.click()
        values = column(report, "#table-correlations", 1)
        assert None in values
        assert None not in values[: values.index(None)] and set(values[values.index(None) :]) == {None}


def test_a_table_is_sorted_by_name_too(report: Any) -> None:
    one(report, "#table-correlations thead th:first-child button").click()
    heads = "document.querySelectorAll('#table-correlations tbody th')"
    names = report.execute_script(f"return [...{heads}].map((head) => head.firstChild.textContent)")
    assert names == sorted(names, key=str.lower)


def test_pointing_at_a_cell_shows_correlation_interval_number_and_p(report: Any) -> None:
    from selenium.webdriver import ActionChains

    cell = one(report, "#table-correlations tbody td[data-value]")
    report.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", cell)
    ActionChains(report).move_to_element(cell).perform()
    until(report, "return !document.getElementById('tip').hidden")
    text = one(report, "#tip").text
    for part in ("r = ", "interval", " to ", "n = ", "p "):
        assert part in text, text
    assert cell.get_attribute("aria-describedby") == "tip"


def test_pointing_at_a_metrics_name_says_what_it_is(report: Any) -> None:
    from selenium.webdriver import ActionChains

    script = "return [...document.querySelectorAll('#table-correlations tbody th')].find((head) => head.title)"
    head = report.execute_script(script)
    sentence = head.get_attribute("title")
    report.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", head)
    ActionChains(report).move_to_element(head).perform()
    until(report, "return !document.getElementById('tip').hidden")
    assert one(report, "#tip").text == sentence


def test_arrow_keys_walk_from_cell_to_cell(report: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    table = "#table-correlations"
    report.execute_script("document.querySelector(arguments[0] + ' td[tabindex]').focus()", table)
    ActionChains(report).send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT).perform()
    place = report.execute_script(
        "const cell = document.activeElement; return [cell.parentNode.sectionRowIndex, cell.cellIndex]"
    )
    assert place == [1, 3]
    assert one(report, "#tip").is_displayed()
    assert (
        report.execute_script("return document.querySelectorAll(arguments[0] + ' td[tabindex=\"0\"]').length", table)
        == 1
    )
    ActionChains(report).send_keys(Keys.ESCAPE).perform()
    assert not one(report, "#tip").is_displayed()


def test_a_table_is_downloaded_with_six_digits(report: Any, learned: Saved, tmp_path: Path) -> None:
    report.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    for name in ("correlations", "ensemble_protocols"):
        button = one(report, f"[data-file='analysis/learned/{name}.csv']")
        report.execute_script("arguments[0].click()", button)
        path, end = tmp_path / f"{name}.csv", time.monotonic() + WAIT
        while not path.is_file():
            assert time.monotonic() < end, "nothing was downloaded"
            time.sleep(0.02)
        pd.testing.assert_frame_equal(read_table(path.read_bytes()), learned.tables[name], rtol=1e-5)


def test_outputs_are_filtered_by_text_system_and_rating(report: Any, learned: Saved) -> None:
    frame = learned.scores
    choose(report, text="HOTEL", system="neural", rating="quality", low=1, high=4, order="data")
    texts = frame["output"] + "\n" + frame["mr"] + "\n" + frame["references"].map("\n".join)
    wanted = frame[texts.str.lower().str.contains("hotel") & (frame["system"] == "neural") & (frame["quality"] <= 4)]
    assert 0 < len(wanted) < 150
    assert outputs(report) == wanted["output"].head(20).tolist()
    assert one(report, "#found").text == f"{len(wanted)} of {len(frame)} outputs"


def test_outputs_come_in_the_order_of_disagreement_that_the_table_without_script_has(
    report: Any, learned: Saved
) -> None:
    rating = learned.ratings[0]
    metric = report.execute_script("return document.getElementById('browser').elements.metric.value")
    table = disagreements(learned.scores, metric, rating, learned.higher_is_better[metric])["difference"]
    rows = table.abs().sort_values(ascending=False, kind="stable").index[:20]
    assert outputs(report) == learned.scores.loc[rows, "output"].tolist()
    choose(report, metric="TER", order="below")
    rows = disagreements(learned.scores, "TER", rating, False)["difference"].sort_values(kind="stable").index[:20]
    assert outputs(report) == learned.scores.loc[rows, "output"].tolist()


def test_the_scatter_says_how_far_the_shown_outputs_agree(report: Any, learned: Saved) -> None:
    frame = learned.scores
    choose(report, rating="quality", metric="TER", system="neural")
    part = frame[frame["system"] == "neural"][["TER", "quality"]].dropna()
    r = part["TER"].corr(part["quality"], method="spearman")
    expected = f"quality by TER, {len(part)} outputs, Spearman {r:.2f}".replace("-", "−")
    assert one(report, "#scatter-sentence").text == expected
    assert one(report, "#scatter svg").get_attribute("aria-label") == expected


def test_pointing_at_a_dot_shows_its_text_and_a_click_opens_it(report: Any, learned: Saved) -> None:
    from selenium.webdriver import ActionChains, Keys

    svg = one(report, "#scatter svg")
    report.execute_script(
        "arguments[0].focus(); arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", svg
    )
    # What scrolling sets off comes with the next frame.
    report.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))")
    ActionChains(report).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    until(report, "return !document.getElementById('tip').hidden")
    at = "const ring = document.querySelector('#scatter svg circle[visibility]'), box = ring.getBoundingClientRect();"
    x, y = report.execute_script(at + "return [box.left + box.width / 2, box.top + box.height / 2]")
    text = one(report, "#tip").text
    assert text.split("\n")[0] in set(learned.scores["output"])
    report.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})
    assert one(report, "#tip").text == text
    for kind in ("mousePressed", "mouseReleased"):
        report.execute_cdp_cmd(
            "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
        )
    until(report, "return location.hash.includes('output=')")
    opened_text = report.execute_script("return document.activeElement.querySelector('.said').textContent")
    assert opened_text == text.split("\n")[0]


def test_a_first_tap_shows_an_output_and_a_second_opens_it(report: Any, learned: Saved) -> None:
    set_size(report, 375)
    report.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        svg = one(report, "#scatter svg")
        report.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", svg)
        dot = "const [x, y] = document.querySelector('#scatter path[style]').getAttribute('d').slice(1).split(/[ h]/);"
        box = "const box = arguments[0].getBoundingClientRect();"
        x, y = report.execute_script(f"{dot}{box} return [box.left + Number(x), box.top + Number(y)]", svg)
        tap(report, x, y)
        until(report, "return !document.getElementById('tip').hidden")
        assert "output=" not in report.current_url
        text = one(report, "#tip").text.split("\n")[0]
        tap(report, x, y)
        until(report, "return location.hash.includes('output=')")
        assert report.execute_script("return document.activeElement.querySelector('.said').textContent") == text
    finally:
        report.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def tap(browser: Any, x: float, y: float) -> None:
    for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_the_scatter_is_saved_with_colours_of_its_own(report: Any, tmp_path: Path) -> None:
    report.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    choose(report, rating="quality", metric="TER")
    report.execute_script("document.getElementById('scatter-save').click()")
    path, end = tmp_path / "learned-TER-quality.svg", time.monotonic() + WAIT
    while not path.is_file():
        assert time.monotonic() < end, "nothing was saved"
        time.sleep(0.02)
    content = path.read_text(encoding="utf-8")
    assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in content
    assert "tabindex" not in content


def test_words_of_the_nearest_reference_are_marked(report: Any, learned: Saved) -> None:
    choose(report, order="data")
    script = """const card = document.querySelector(arguments[0]), words = (node) => node.textContent.toLowerCase();
        const marks = (selector) => [...card.querySelectorAll(selector)].map(words);
        return [marks('.said mark[class*=run]'), marks('.given li mark')]"""
    seen = 0
    for place in range(20):
        own, other = report.execute_script(script, f".utterance[data-row='{place}']")
        words = [word for run in own for word in re.findall(r"\w+", run)]
        assert sorted(words) == sorted(word for run in other for word in re.findall(r"\w+", run))
        references = learned.scores["references"][place]
        assert any(set(words) <= set(re.findall(r"[^\W_]+", text.lower())) for text in references)
        seen += len(words)
    assert seen > 50


def test_slots_are_named_as_the_metric_reads_them(report: Any, learned: Saved) -> None:
    choose(report, order="data")
    script = """const words = (line) => [line.firstChild.textContent, line.lastChild.textContent];
        return [...document.querySelectorAll('.utterance')].map((card) =>
            [...card.querySelectorAll('.slots span')].map(words))"""
    for place, lines in enumerate(report.execute_script(script)):
        states = {state: len(names.split(", ")) for state, names in lines}
        slots = sum(states.get(state, 0) for state in ("said", "missing", "wrong"))
        line = learned.scores.iloc[place]
        assert states.get("said", 0) == pytest.approx(line["slots_realised"] * slots)
        assert states.get("missing", 0) == pytest.approx(line["slots_missing"] * slots)
        assert ("invented" in states) == (line["slots_invented"] > 0)


def test_single_marks_of_raters_stand_beside_the_rating(report: Any, learned: Saved) -> None:
    choose(report, order="data", rating="quality")
    marks = learned.scores.loc[0, ["quality_1", "quality_2", "quality_3"]].tolist()
    assert one(report, ".utterance .raters").text == "raters: " + ", ".join(f"{mark:g}" for mark in marks)


def test_another_system_stands_beside_for_the_same_input(report: Any, learned: Saved) -> None:
    frame = learned.scores
    choose(report, order="data", system="neural", beside="template")
    script = """return [...document.querySelectorAll('.utterance')].map((card) =>
        [card.querySelector('.said').textContent, card.querySelector('.beside .said')?.textContent ?? null])"""
    own = frame[frame["system"] == "neural"].head(20)
    others = frame[frame["system"] == "template"].set_index("item")["output"]
    assert report.execute_script(script) == [
        [output, others.get(item)] for output, item in zip(own["output"], own["item"], strict=True)
    ]


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


def test_pages_lead_through_all_outputs(report: Any, learned: Saved) -> None:
    choose(report, order="data")
    seen = outputs(report)
    while one(report, "#pages button:last-child").is_enabled():
        report.execute_script("document.querySelector('#pages button:last-child').click()")
        seen += outputs(report)
    assert seen == learned.scores["output"].tolist()


def test_the_system_and_the_reader_choose_between_light_and_dark(report: Any) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    light = report.execute_script(background)
    set_media(report, prefers_color_scheme="dark")
    dark = report.execute_script(background)
    assert dark != light
    one(report, "#theme").click()
    assert report.execute_script(background) == light
    report.refresh()
    assert report.execute_script(background) == light, "the choice is forgotten"


def copied(browser: Any, table: str, name: str) -> str:
    """Return what is copied of a table."""
    browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    menu = f"document.querySelector('#{table}').parentNode.previousElementSibling.previousElementSibling"
    browser.execute_script(
        f"const menu = {menu}; menu.open = true; menu.scrollIntoView({{block: 'center'}});"
        "[...menu.querySelectorAll('button')].find((button) => button.textContent === arguments[0]).click()",
        name,
    )
    until(browser, f"return {menu}.textContent.startsWith('Copied as ')")
    return browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")


def test_a_table_is_copied_as_csv_with_its_values(report: Any, learned: Saved) -> None:
    table = pd.read_csv(io.StringIO(copied(report, "table-correlations", "CSV")))
    lines = learned.rows("correlations", level="pooled", rating="quality", **learned.whole.wanted).set_index("metric")
    assert len(table) > 10
    for line in table.to_dict("records"):
        r = lines["r"][line["metric"]]
        assert line["quality, all outputs"] == pytest.approx(r, rel=1e-5, nan_ok=True)


def test_a_table_is_copied_as_markdown_and_as_latex_as_it_is_sorted(report: Any) -> None:
    one(report, "#table-correlations thead th:first-child button").click()
    heads = "document.querySelectorAll('#table-correlations tbody th')"
    names = report.execute_script(f"return [...{heads}].map((head) => head.firstChild.textContent)")
    markdown = copied(report, "table-correlations", "Markdown").splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in markdown[2:]] == names
    assert len({line.count("|") for line in markdown}) == 1
    latex = copied(report, "table-correlations", "LaTeX").splitlines()
    assert latex[1] == "\\toprule"
    assert "\\cmidrule(lr){3-" in latex[3]
    body = latex[latex.index("\\midrule") + 1 : latex.index("\\bottomrule")]
    assert [line.split(" & ")[0] for line in body] == [name.replace("_", "\\_") for name in names]
    columns = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", latex[0])
    assert columns and {line.count(" & ") + 1 for line in body} == {len(columns[1])}


def test_heads_and_navigation_stay_in_view(report: Any) -> None:
    script = """const box = document.querySelector('#table-correlations').parentNode; box.scrollIntoView();
        box.scrollTop = 200; const top = (node) => document.querySelector(node).getBoundingClientRect().top;
        return [box.scrollTop, top('#table-correlations thead') - box.getBoundingClientRect().top, top('.contents')]"""
    set_size(report, 375, 500)
    scrolled, head, contents = report.execute_script(script)
    assert scrolled > 0
    assert (round(head), round(contents)) == (0, 0)


@pytest.mark.parametrize("name", ["learned", "systems"])
@pytest.mark.parametrize("width", [375, 1280])
def test_targets_are_large_enough_for_a_finger(browser: Any, pages: dict[str, str], name: str, width: int) -> None:
    opened(browser, pages[name], ".script .sort:enabled")
    set_size(browser, width)
    browser.execute_script("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    small = """return [...document.querySelectorAll('button, summary, select, input, nav a')].filter((node) => {
        const box = node.getBoundingClientRect(); return box.width && (box.width < 24 || box.height < 24); })
        .map((node) => node.outerHTML.slice(0, 80))"""
    assert browser.execute_script(small) == []


@pytest.mark.parametrize("name", ["learned", "systems"])
def test_what_is_wider_than_a_telephone_says_so_or_has_a_narrow_form(
    browser: Any, pages: dict[str, str], name: str
) -> None:
    opened(browser, pages[name], ".script .sort:enabled")
    set_size(browser, 375)
    browser.execute_script("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    silent = """return [...document.querySelectorAll('.scroll')].filter((box) =>
        box.scrollWidth - box.clientWidth > 4 && !box.classList.contains('more-right')).length"""
    until(browser, f"return (() => {{ {silent} }})() === 0")
    assert browser.execute_script("return document.querySelectorAll('.narrow > svg').length") > 2
    wide = (
        "return [...document.querySelectorAll('.has-narrow')].filter((box) => box.scrollWidth > box.clientWidth).length"
    )
    assert browser.execute_script(wide) == 0


@pytest.mark.parametrize("name", ["learned", "hostile", "systems", "hostile-systems"])
def test_a_telephone_never_scrolls_the_page_sideways(browser: Any, pages: dict[str, str], name: str) -> None:
    opened(browser, pages[name], "body")
    set_size(browser, 375)
    browser.execute_script("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    assert browser.execute_script("return document.documentElement.scrollWidth") == 375


def test_hostile_texts_harm_nothing_and_are_read_in_full(browser: Any, pages: dict[str, str]) -> None:
    opened(browser, pages["hostile"])
    choose(browser, order="data")
    shown = outputs(browser)
    for text in HOSTILE.values():
        assert text in shown
    assert browser.execute_script("return window.harmed") is None
    assert browser.execute_script("return document.querySelectorAll('.x').length") == 0
    heights = browser.execute_script(
        "return [...document.querySelectorAll('.utterance')].map((node) => node.offsetHeight)"
    )
    assert max(heights) < 900, "a long text takes the page"
    assert browser.get_log("browser") == []


def test_without_javascript_everything_can_be_read(browser: Any, pages: dict[str, str]) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(pages["learned"])
        # The page is large: it may be there before it is laid out.
        for seen in ("#worst table caption", "#table-correlations tbody td"):
            WebDriverWait(browser, 30).until(lambda _, seen=seen: one(browser, seen).is_displayed())
        assert not one(browser, "#browser").is_displayed()
        assert not one(browser, "#theme").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_everything_stands_on_paper(report: Any) -> None:
    report.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not one(report, "#browser").is_displayed()
    assert one(report, "#worst table caption").is_displayed()
    assert report.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    report.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_axe_finds_no_violation(report: Any, axe: str, width: int, scheme: str) -> None:
    assert violations(report, axe, width, scheme) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_no_violation_in_anything_that_unfolds(report: Any, axe: str, width: int, scheme: str) -> None:
    report.execute_script("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    assert violations(report, axe, width, scheme) == []


def violations(browser: Any, axe: str, width: int, scheme: str) -> list[tuple[str, str, str]]:
    set_size(browser, width)
    set_media(browser, prefers_color_scheme=scheme)
    browser.execute_script(axe)
    browser.set_script_timeout(300)
    found = browser.execute_async_script("axe.run().then(arguments[0])")
    assert len(found["passes"]) > 20
    return [(rule["id"], rule["impact"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]


def test_pointing_at_a_column_or_reaching_it_by_keyboard_shows_what_it_means(systems: Any) -> None:
    head = one(systems, "#table-corpus-metrics thead th:nth-child(3)")
    systems.execute_script("arguments[0].querySelector('button').focus()", head)
    tip = one(systems, "#tip")
    assert tip.is_displayed()
    assert "mean of BLEU, NIST / 10, METEOR" in tip.text
    assert "higher is better" in tip.text


def test_systems_are_sorted_by_any_metric(systems: Any) -> None:
    table = "#table-corpus-metrics"
    before = column(systems, table, 7)
    one(systems, f"{table} thead th:nth-child(10) button").click()
    assert column(systems, table, 7) == sorted(_known(before), reverse=True)


def test_the_page_on_systems_is_read_without_javascript(browser: Any, pages: dict[str, str]) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(pages["systems"])
        for seen in ("#systems-answer .sentences p", "#table-corpus-metrics tbody td small", "#figure-rank-ranges svg"):
            WebDriverWait(browser, 30).until(lambda _, seen=seen: one(browser, seen).is_displayed())
        assert not one(browser, "#download-note").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_axe_finds_no_violation_in_the_page_on_systems(systems: Any, axe: str, width: int, scheme: str) -> None:
    systems.execute_script("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    assert violations(systems, axe, width, scheme) == []


def test_axe_finds_no_violation_in_pages_about_several(
    browser: Any, axe: str, demo: Saved, learned: Saved, compared: SavedSystems, tmp_path: Path
) -> None:
    written = Written(tmp_path / "learned.html", 0, [])
    pages = make_comparison([demo, learned]), make_index([(learned, written)], [(compared, written)], tmp_path)
    for page in pages:
        opened(browser, write_page(page, tmp_path).path.as_uri(), "h1")
        browser.execute_script("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
        assert violations(browser, axe, 375, "dark") == []
        assert browser.get_log("browser") == []


def test_hostile_names_of_systems_harm_nothing(browser: Any, pages: dict[str, str], axe: str) -> None:
    opened(browser, pages["hostile-systems"], ".script .sort:enabled")
    browser.execute_script("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    assert violations(browser, axe, 1280, "light") == []
    assert browser.execute_script("return window.harmed") is None
    assert browser.get_log("browser") == []
