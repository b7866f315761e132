"""A real browser for the tests, and axe-core: headless Chromium and its own driver, nothing downloaded for them."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
AXE = "axe-core@4.14.1"


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """Return a driver of a browser with a new profile, or skip, saying how to install what is missing."""
    pytest.importorskip("selenium", reason="selenium is not installed: pip install selenium")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("Chromium is not installed: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield browser
    finally:
        browser.quit()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


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


def set_size(browser: Any, width: int, height: int = 900) -> None:
    """Show the page on a screen of this size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def set_media(browser: Any, **features: str) -> None:
    """Let the system ask for something: ``prefers_color_scheme="dark"``; nothing for its usual ways."""
    asked = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": asked})
