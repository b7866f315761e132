"""The page of a rater, in a real browser: by keyboard alone, closed in the middle, with hostile texts."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from rainbow import Corpus
from rainbow.study import Study
from rainbow.study.annotation.rater_pages import write_pages
from rainbow.study.collection import collect_answers
from tests.reports.browser.driver import chromium, set_media, set_size
from tests.reports.browser.reader import until
from tests.reports.browser.test_axe import violations
from tests.study.conftest import EVERY, Make

pytestmark = pytest.mark.xdist_group("reports")

ENTER, RIGHT = "\ue007", "\ue014"

HOSTILE = (
    "<img src=x onerror='window.harmed=1'><script>window.harmed=1</script>",
    "</script><script>window.harmed=1</script>",
    '"><svg onload=window.harmed=1> {{ 7*7 }} ${7*7} \u202e\u2028 javascript:window.harmed=1',
)


def opened(browser: Any, study: Study, rater: str = "r1", *, anew: bool = True) -> None:
    set_size(browser, 1280)
    set_media(browser)
    write_pages(study)
    browser.get((study.folder / "pages" / f"{rater}.html").as_uri())
    if anew:
        browser.execute_script("localStorage.clear()")
        browser.refresh()
    folder = str(study.folder / "returned")
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})


def keys(browser: Any, *typed: str) -> None:
    for one in typed:
        browser.switch_to.active_element.send_keys(one)


def far(browser: Any) -> str:
    return browser.execute_script("return document.getElementById('far').textContent")


def save(browser: Any, study: Study) -> Path:
    browser.execute_script("document.getElementById('save').click()")
    end = time.monotonic() + 20
    while not (found := [path for path in study.returned if path.suffix == ".json"]):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found[0]


def answer(browser: Any, asks: str) -> None:
    """Answer a task by keys alone: of single outputs four ratings, the last of which marks two words as an error."""
    if asks == "pairs":
        keys(browser, "3")
        return
    # After a mark the number is in focus, and Enter in that goes to what is missing: at last the words.
    keys(browser, "4", "7", "5", ENTER, "1", "2", "0", ENTER)
    keys(browser, ENTER, RIGHT, ENTER, "4", "2", "n")


def wait_for_storage(profile: Path, since: float) -> None:
    """Wait until the browser has written what pages stored, which it does some seconds later."""
    end = time.monotonic() + 120  # Chromium commits at most about once a minute after many writes
    while not any(path.stat().st_mtime > since for path in profile.rglob("Local Storage/leveldb/*.log")):
        assert time.monotonic() < end, "the browser wrote nothing"
        time.sleep(0.1)


def test_a_whole_study_goes_by_keyboard_and_a_browser_that_is_closed_loses_nothing(make: Make, tmp_path: Path) -> None:
    study = make(*EVERY, items=2, people=3, neighbours=True)
    asked = study.tasks.loc[study.tasks["rater"] == "r1", "asks"].tolist()
    half, whole = len(asked) // 2, len(asked)
    with chromium(tmp_path / "profile") as browser:
        opened(browser, study)
        for number, asks in enumerate(asked[:half], 1):
            last = time.time()
            answer(browser, asks)
            assert far(browser) == f"{number} of {whole}"
        browser.get("about:blank")  # the page is left before the browser ends, as when a person closes it
        wait_for_storage(tmp_path / "profile", last)
    with chromium(tmp_path / "profile") as browser:
        opened(browser, study, anew=False)
        for number, asks in enumerate(asked[half:], half):
            assert far(browser) == f"{number} of {whole}"
            answer(browser, asks)
        assert browser.execute_script("return document.activeElement.id") == "thanks"
        keys(browser, "u")
        assert far(browser) == f"{whole - 1} of {whole}"
        keys(browser, "1")
        found = collect_answers(study, [save(browser, study)])
        assert browser.get_log("browser") == []
    assert found.notes == []
    values = found.answers.groupby("rating")["value"].unique().map(list).to_dict()
    assert values == {"quality": [4], "fluency": [75], "worth": [120], "faults": [-5], "better": [0.5, 1, 0]}
    faults = found.answers[found.answers["rating"] == "faults"]
    spans = [json.loads(own)[0] for own in faults["spans"]]
    assert {span["kind"] for span in spans} == {"grammar"}
    marked = [text[span["start"] : span["end"]].split() for text, span in zip(faults["output"], spans, strict=True)]
    assert [text.split()[:2] for text in faults["output"]] == marked and found.answers["seconds"].ge(0).all()


def test_an_answer_off_the_scale_is_asked_for_again_and_none_is_skipped(browser: Any, make: Make) -> None:
    opened(browser, make("fluency=0-100"))
    number = browser.find_element("css selector", "input[type=number]")
    for wrong in ("101", "-1", "5.5", ""):
        number.clear()
        number.send_keys(f"{wrong}\ue007")
        assert far(browser).startswith("0 of") and browser.find_element("id", "told").text
    number.clear()
    number.send_keys("100\ue007")
    assert far(browser).startswith("1 of")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_axe_finds_no_violation(browser: Any, axe: str, make: Make, width: int, scheme: str) -> None:
    opened(browser, make("quality", "worth=magnitude", "faults=errors"))
    assert violations(browser, axe, width, scheme) == []
    browser.find_element("css selector", ".words button").click()
    browser.find_elements("css selector", ".words button")[1].click()
    assert violations(browser, axe, width, scheme) == []
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_hostile_texts_do_nothing_and_nothing_is_asked_for(browser: Any, make: Make) -> None:
    keys_of = [(system, item) for item in range(4) for system in range(2)]
    corpus = Corpus.from_texts(
        [HOSTILE[(system + item) % 3] for system, item in keys_of],
        [[HOSTILE[item % 3]] for _, item in keys_of],
        [HOSTILE[item % 3] + str(item) for _, item in keys_of],
        mr_format="text",
        system=[f"S{system}" for system, _ in keys_of],
        item=[f"i{item}" for _, item in keys_of],
    )
    study = make("quality", "faults=errors", "better=pairs", corpus=corpus, items=4)
    opened(browser, study)
    shown = []
    for _ in range(3):
        shown.append(browser.find_element("css selector", "#shown .text").get_property("textContent"))
        keys(browser, "4", "n")
    until(browser, "return document.readyState === 'complete'")
    assert shown == study.tasks[study.tasks["rater"] == "r1"]["output"].tolist()[:3]
    assert browser.execute_script("return window.harmed") is None
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.execute_script("return document.querySelectorAll('img, svg').length") == 0
    assert browser.get_log("browser") == []


def test_a_page_says_nothing_of_systems_and_ids_of_outputs(make: Make) -> None:
    study = make()
    for path in write_pages(study):
        text = path.read_text()
        assert "demo-0" not in text and not any(f'"{system}"' in text for system in study.outputs["system"].unique())
