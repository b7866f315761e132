"""Tables in a real browser: sorted, pointed at, walked through by keyboard, downloaded, copied."""

import io
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import TABLES, read_table
from tests.reports.browser.reader import column, known, one, save_into, saved_file, tab, until

pytestmark = pytest.mark.xdist_group("reports")


@pytest.fixture
def report(report: Any) -> Any:
    return tab(report, "#table-correlations")


@pytest.fixture
def systems(systems: Any) -> Any:
    return tab(systems, "#table-corpus-metrics")


def test_a_head_sorts_down_then_up_then_as_it_was(report: Any) -> None:
    table, head = "#table-correlations", "#table-correlations thead tr:nth-child(2) th:first-child"
    before, states = column(report, table, 0), []
    for expected in (sorted(known(before), reverse=True), sorted(known(before)), before):
        one(report, f"{head} button").click()
        states.append(one(report, head).get_attribute("aria-sort"))
        assert [value for value in column(report, table, 0) if value is not None] == known(expected)
    assert states == ["descending", "ascending", "none"]


def test_cells_without_a_number_come_last_in_both_directions(report: Any) -> None:
    button = one(report, "#table-correlations thead tr:nth-child(2) th:nth-child(2) button")
    for _ in range(2):
        button.click()
        values = column(report, "#table-correlations", 1)
        assert None in values
        assert None not in values[: values.index(None)] and set(values[values.index(None) :]) == {None}


def test_a_table_is_sorted_by_name_too(report: Any) -> None:
    one(report, "#table-correlations thead th:first-child button").click()
    assert names(report) == sorted(names(report), key=str.lower)


def pointed(browser: Any, node: Any) -> str:
    """Return what is shown about an element when the mouse is on it."""
    from selenium.webdriver import ActionChains

    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", node)
    ActionChains(browser).move_to_element(node).perform()
    until(browser, "return !document.getElementById('tip').hidden")
    return one(browser, "#tip").text


def test_pointing_at_a_cell_shows_correlation_interval_number_and_p(report: Any) -> None:
    cell = one(report, "#table-correlations tbody td[data-value]")
    text = pointed(report, cell)
    assert all(part in text for part in ("r = ", "interval", " to ", "n = ", "p ")), text
    assert cell.get_attribute("aria-describedby") == "tip"


def test_pointing_at_a_metrics_name_says_what_it_is(report: Any) -> None:
    script = "return [...document.querySelectorAll('#table-correlations tbody th')].find((head) => head.title)"
    head = report.execute_script(script)
    sentence = head.get_attribute("title")
    assert pointed(report, head) == sentence


def test_pointing_at_a_column_or_reaching_it_by_keyboard_shows_what_it_means(systems: Any) -> None:
    head = one(systems, "#table-corpus-metrics thead th:nth-child(3)")
    systems.execute_script("arguments[0].querySelector('button').focus()", head)
    tip = one(systems, "#tip")
    assert tip.is_displayed() and "mean of BLEU, NIST / 10, METEOR" in tip.text and "higher is better" in tip.text


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


def test_systems_are_sorted_by_any_metric(systems: Any) -> None:
    table = "#table-corpus-metrics"
    before = column(systems, table, 7)
    one(systems, f"{table} thead th:nth-child(10) button").click()
    assert column(systems, table, 7) == sorted(known(before), reverse=True)


def test_a_table_is_downloaded_with_six_digits(report: Any, learned: SavedAnalysis, tmp_path: Path) -> None:
    save_into(report, tmp_path)
    for name in ("correlations", "learned_protocols"):
        report.execute_script("arguments[0].click()", one(report, f"[data-file='analysis/learned/{name}.csv']"))
        path = saved_file(tmp_path / f"{name}.csv")
        pd.testing.assert_frame_equal(read_table(path.read_bytes(), TABLES[name]), learned.tables[name], rtol=1e-5)


def names(browser: Any) -> list[str]:
    """Return the names of the rows of the table of correlations, from top to bottom."""
    heads = "document.querySelectorAll('#table-correlations tbody th')"
    return browser.execute_script(f"return [...{heads}].map((head) => head.firstChild.textContent)")


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


def test_a_table_is_copied_as_csv_with_its_values(report: Any, learned: SavedAnalysis) -> None:
    table = pd.read_csv(io.StringIO(copied(report, "table-correlations", "CSV")))
    lines = learned.rows("correlations", level="pooled", rating="quality", **learned.all_outputs.filters).set_index(
        "metric"
    )
    assert len(table) > 10
    for line in table.to_dict("records"):
        assert line["quality, all outputs"] == pytest.approx(lines["r"][line["metric"]], rel=1e-5, nan_ok=True)


def test_a_table_is_copied_as_markdown_and_as_latex_as_it_is_sorted(report: Any) -> None:
    one(report, "#table-correlations thead th:first-child button").click()
    shown = names(report)
    markdown = copied(report, "table-correlations", "Markdown").splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in markdown[2:]] == shown
    assert len({line.count("|") for line in markdown}) == 1
    latex = copied(report, "table-correlations", "LaTeX").splitlines()
    assert latex[1] == "\\toprule" and "\\cmidrule(lr){3-" in latex[3]
    body = latex[latex.index("\\midrule") + 1 : latex.index("\\bottomrule")]
    assert [line.split(" & ")[0] for line in body] == [name.replace("_", "\\_") for name in shown]
    columns = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", latex[0])
    assert columns and {line.count(" & ") + 1 for line in body} == {len(columns[1])}
