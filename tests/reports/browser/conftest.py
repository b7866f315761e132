"""The pages that the browser opens."""

from collections.abc import Iterator
from typing import Any

import pytest

from rainbow.reports.pages.page import write_page
from tests.reports.browser.reader import opened


@pytest.fixture(scope="session")
def pages(tmp_path_factory, page, hostile_page, systems_page, hostile_systems_page) -> dict[str, str]:
    """Return the addresses of the report, of that of hostile texts, and of the pages on systems of both kinds."""
    folder = tmp_path_factory.mktemp("pages")
    made = {"learned": page, "hostile": hostile_page, "systems": systems_page, "hostile-systems": hostile_systems_page}
    return {name: write_page(content._replace(name=name), folder).path.as_uri() for name, content in made.items()}


@pytest.fixture
def report(browser: Any, pages: dict[str, str]) -> Iterator[Any]:
    """Return the browser with the report open and ready; no test may leave an error on the console."""
    yield from _quiet(opened(browser, pages["learned"]))


def _quiet(browser: Any) -> Iterator[Any]:
    yield browser
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []


@pytest.fixture
def systems(browser: Any, pages: dict[str, str]) -> Iterator[Any]:
    """Return the browser with the page on systems open; no test may leave an error on the console."""
    yield from _quiet(opened(browser, pages["systems"], ".script .sort:enabled"))
