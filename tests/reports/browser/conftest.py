"""A browser for all tests of this folder, the pages that it opens, and axe-core."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rainbow.reports.pages.page import Page, write_page
from rainbow.reports.pages.systems_page import make_systems_page
from rainbow.reports.saved.saved_systems import SavedSystems
from tests.reports.browser.driver import chromium
from tests.reports.browser.reader import opened

AXE = "axe-core@4.14.1"


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="session")
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
