"""The scatter of scores and ratings: pointed at, tapped, saved."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from rainbow.reports.saved.saved_analysis import SavedAnalysis
from tests.reports.browser.driver import set_size
from tests.reports.browser.reader import choose, one, save_into, saved_file, tab, until

pytestmark = pytest.mark.xdist_group("reports")


@pytest.fixture
def report(report: Any) -> Any:
    return tab(report, "#utterances")


def test_the_scatter_says_how_far_the_shown_outputs_agree(report: Any, learned: SavedAnalysis) -> None:
    frame = learned.scores
    choose(report, rating="quality", metric="TER", system="neural")
    part = frame[frame["system"] == "neural"][["TER", "quality"]].dropna()
    r = part["TER"].corr(part["quality"], method="spearman")
    expected = f"quality by TER, {len(part)} outputs, Spearman {r:.2f}".replace("-", "−")
    assert one(report, "#scatter-sentence").text == expected
    assert one(report, "#scatter svg").get_attribute("aria-label") == expected


def test_pointing_at_a_dot_shows_its_text_and_a_click_opens_it(report: Any, learned: SavedAnalysis) -> None:
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


def test_a_first_tap_shows_an_output_and_a_second_opens_it(report: Any, learned: SavedAnalysis) -> None:
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
    save_into(report, tmp_path)
    choose(report, rating="quality", metric="TER")
    report.execute_script("document.getElementById('scatter-save').click()")
    content = saved_file(tmp_path / "learned-TER-quality.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg" and "var(" not in content
    assert "tabindex" not in content
