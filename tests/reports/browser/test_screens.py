"""Pages on any screen: in the dark, on a telephone, on paper, without JavaScript."""

from typing import Any

import pytest

from tests.reports.browser.driver import set_media, set_size
from tests.reports.browser.reader import one, opened, tab, unfold, until

pytestmark = pytest.mark.xdist_group("reports")


def test_the_system_and_the_reader_choose_between_light_and_dark(report: Any) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    light = report.execute_script(background)
    set_media(report, prefers_color_scheme="dark")
    assert report.execute_script(background) != light
    one(report, "#theme").click()
    assert report.execute_script(background) == light
    report.refresh()
    assert report.execute_script(background) == light, "the choice is forgotten"


def test_heads_and_navigation_stay_in_view(report: Any) -> None:
    script = """const box = document.querySelector('#table-correlations').parentNode; box.scrollIntoView();
        box.scrollTop = 200; const top = (node) => document.querySelector(node).getBoundingClientRect().top;
        return [box.scrollTop, top('#table-correlations thead') - box.getBoundingClientRect().top, top('.contents')]"""
    tab(report, "#table-correlations")
    set_size(report, 375, 500)
    scrolled, head, contents = report.execute_script(script)
    assert scrolled > 0 and (round(head), round(contents)) == (0, 0)


@pytest.mark.parametrize("name", ["learned", "systems"])
@pytest.mark.parametrize("width", [375, 1280])
def test_targets_are_large_enough_for_a_finger(browser: Any, pages: dict[str, str], name: str, width: int) -> None:
    opened(browser, pages[name], ".script .sort:enabled")
    set_size(browser, width)
    unfold(browser)
    small = """return [...document.querySelectorAll('button, summary, select, input, nav a')].filter((node) => {
        const box = node.getBoundingClientRect(); return box.width && (box.width < 24 || box.height < 24); })
        .map((node) => node.outerHTML.slice(0, 80))"""
    assert browser.execute_script(small) == []


@pytest.mark.parametrize("name", ["learned", "systems"])
def test_what_is_wider_than_a_telephone_says_so_or_has_a_narrow_form(browser, pages, name) -> None:
    opened(browser, pages[name], ".script .sort:enabled")
    set_size(browser, 375)
    unfold(browser)
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
    unfold(browser)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 375


def test_tabs_have_addresses_and_back_goes_back(browser: Any, pages: dict[str, str]) -> None:
    opened(browser, pages["learned"])
    shown = "return [...document.querySelectorAll('main > .tab:not([hidden])')].map((tab) => tab.id)"
    assert browser.execute_script(shown) == ["tab-1"]
    one(browser, "nav a[href='#tab-3']").click()
    assert browser.execute_script(shown) == ["tab-3"]
    browser.back()
    until(browser, "return !document.getElementById('tab-1').hidden")
    browser.get(pages["learned"] + "#ranking")
    browser.refresh()
    assert browser.execute_script(shown) == ["tab-3"]


def test_the_list_of_tabs_is_walked_by_arrow_keys(report: Any) -> None:
    from selenium.webdriver import Keys

    first = one(report, "nav a")
    first.send_keys(Keys.ARROW_LEFT)
    assert report.switch_to.active_element.text == "Methods"
    report.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert report.switch_to.active_element == first


def test_the_first_screen_shows_one_rating_and_opens_outputs(report: Any) -> None:
    shown = "return [...document.querySelectorAll('.ladder')].filter((node) => node.offsetHeight).length"
    assert report.execute_script(shown) == 1
    report.find_elements("css selector", "label.ruling")[1].click()
    assert one(report, "#panel-2 .ladder").is_displayed() and not one(report, "#panel-1 .ladder").is_displayed()
    link = one(report, "#panel-2 .apart a")
    text = link.text
    link.click()
    until(report, "return document.querySelector('.utterance.open')?.offsetHeight > 0")
    assert text.rstrip("…") in one(report, ".utterance.open .said").text


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["learned", "systems"])
def test_no_tab_is_longer_than_four_thousand_pixels(browser: Any, pages: dict[str, str], name: str, width: int) -> None:
    opened(browser, pages[name], ".script .sort:enabled")
    set_size(browser, width)
    browser.refresh()  # a page is made for the screen that opens it
    for part in browser.execute_script("return [...document.querySelectorAll('main > .tab')].map((tab) => tab.id)"):
        tab(browser, f"#{part}")
        assert browser.execute_script("return document.documentElement.scrollHeight") < 4000, part


@pytest.mark.parametrize(("name", "seen", "hidden"), [
    ("learned", ["#worst table caption", "#table-correlations tbody td"], ["#browser", "#theme"]),
    (
        "systems",
        ["#systems-answer .sentences p", "#table-corpus-metrics tbody td small", "#figure-rank-ranges svg"],
        ["#download-note"],
    ),
])  # fmt: skip
def test_without_javascript_everything_can_be_read(browser, pages, name, seen, hidden) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    set_size(browser, 1280)
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(pages[name])
        # The page is large: it may be there before it is laid out.
        for place in seen:
            WebDriverWait(browser, 30).until(lambda _, place=place: one(browser, place).is_displayed())
        assert not any(one(browser, place).is_displayed() for place in hidden)
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_everything_stands_on_paper(report: Any) -> None:
    report.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not one(report, "#browser").is_displayed()
    assert one(report, "#worst table caption").is_displayed()
    assert report.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    report.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
