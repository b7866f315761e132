"""What a reader does in a browser, and sees there."""

import time
from pathlib import Path
from typing import Any

from tests.reports.browser.driver import set_media, set_size

WAIT = 30  # seconds


def opened(browser: Any, address: str, ready: str = ".utterance") -> Any:
    """Open a page as a new reader does; it may leave nothing on the console while it is read."""
    set_size(browser, 1280)
    set_media(browser)
    browser.get(address)
    browser.execute_script("localStorage.clear()")
    browser.get_log("browser")
    browser.refresh()
    until(browser, "return document.querySelectorAll(arguments[0]).length > 0", ready)
    assert browser.get_log("browser") == []
    return browser


def until(browser: Any, script: str, *arguments: Any) -> Any:
    """Wait until a script gives something that is true."""
    end = time.monotonic() + WAIT
    while not (found := browser.execute_script(script, *arguments)):
        assert time.monotonic() < end, f"never true: {script}"
        time.sleep(0.02)
    return found


def tab(browser: Any, inside: str) -> Any:
    """Go to the tab that holds something, as a click on its name does."""
    script = "const tab = document.querySelector(arguments[0]).closest('.tab'); location.hash = tab.id; return tab.id"
    until(browser, "return !document.getElementById(arguments[0]).hidden", browser.execute_script(script, inside))
    return browser


def unfold(browser: Any) -> None:
    """Show all tabs, and open all that unfolds."""
    browser.execute_script("""document.querySelectorAll('.tab').forEach((node) => {
        node.hidden = false; node.dispatchEvent(new Event('shown')); });
        document.querySelectorAll('details').forEach((node) => { node.open = true; })""")


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


def known(values: list[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def saved_file(path: Path) -> Path:
    """Wait until the browser has saved a file."""
    end = time.monotonic() + WAIT
    while not path.is_file():
        assert time.monotonic() < end, f"{path.name} was not saved"
        time.sleep(0.02)
    return path


def save_into(browser: Any, folder: Path) -> None:
    """Let the browser save files into a folder."""
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
