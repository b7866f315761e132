"""Write a picture of every tab of some report pages: at 1280 and at 375 pixels, light and dark, and a page of all.

Chromium, its driver, selenium and Pillow are needed. For the pictures in docs/images/sections:

    rainbow metrics demo && rainbow analyse demo && rainbow systems demo && rainbow fit demo
    rainbow audit quality-referenceless demo --search --inputs 8 --evaluations 960 && rainbow report demo
    python -m scripts.make_screenshots reports/demo.html reports/demo-systems.html reports/v1-and-v2-and-v3.html

The last is what `rainbow report --compare v1 v2 v3` makes of the demo's three systems, a file each; what `rainbow
benchmark` makes may follow.
"""

import argparse
import base64
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.reports.browser.driver import chromium, set_media, set_size

OUT = Path("docs/images/sections")
WIDTHS = {1280: 900, 375: 1650}  # pixels, with the most that is shown of a tab from its top
SCHEMES = ("light", "dark")
COLOURS = 48
TABS = "return [...document.querySelectorAll('.contents a')].map((link) => [link.hash, link.textContent])"
READY = "return document.querySelectorAll('.script .sort:disabled').length === 0"


def main() -> None:
    """Take the pictures of all pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=Path, help="pages that rainbow report wrote")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as browser:
        shown = {page: taken(browser, page, given.out) for page in given.pages}
    lines = ["# Every tab of a report", "", "Made by `python -m scripts.make_screenshots`.", ""]
    for page, sections in shown.items():
        lines += [f"## {page.stem}", "", "| tab | 1280 pixels | 375 pixels |", "| --- | --- | --- |"]
        lines += [f"| {title} | {linked(name, 1280)} | {linked(name, 375)} |" for name, title in sections.items()]
        lines.append("")
    (given.out / "README.md").write_text("\n".join(lines), encoding="utf-8")


def linked(name: str, width: int) -> str:
    """Return links to the pictures of a tab."""
    return ", ".join(f"[{scheme}]({name}-{width}-{scheme}.png)" for scheme in SCHEMES)


def taken(browser: Any, page: Path, out: Path) -> dict[str, str]:
    """Write the pictures of a page; return the names of its tabs, each with its title."""
    titles: dict[str, str] = {}
    for width in WIDTHS:
        for scheme in SCHEMES:
            for name, title, picture in pictures(browser, page, width, scheme):
                titles[f"{page.stem}-{name}"] = title
                (out / f"{page.stem}-{name}-{width}-{scheme}.png").write_bytes(compressed(picture))
    return titles


def pictures(browser: Any, page: Path, width: int, scheme: str) -> Iterator[tuple[str, str, bytes]]:
    """Give the name of every tab, its title, and what a screen of this width shows of it."""
    from selenium.webdriver.support.ui import WebDriverWait

    set_size(browser, width)
    set_media(browser, prefers_color_scheme=scheme)
    browser.get(page.resolve().as_uri())
    WebDriverWait(browser, 60).until(lambda _: browser.execute_script(READY))
    for address, title in browser.execute_script(TABS):
        browser.execute_script("location.hash = arguments[0]; scrollTo(0, 0)", address)
        browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))")
        height = min(browser.execute_script("return document.documentElement.scrollHeight"), WIDTHS[width])
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        options = {"clip": clip, "captureBeyondViewport": True}
        picture = browser.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
        yield title.lower().replace(" ", "-"), title, base64.b64decode(picture)


def compressed(picture: bytes) -> bytes:
    """Return a PNG file with few colours."""
    from PIL import Image

    whole = Image.open(io.BytesIO(picture)).convert("RGB")
    few = whole.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    few.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
