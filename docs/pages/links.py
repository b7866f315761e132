"""Checks the finished site: every link within it leads somewhere, and nothing is loaded from outside."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from sphinx.application import Sphinx

LINK = re.compile(r"""<(\w+)\b[^>]*?\s(href|src)=["']([^"']*)["']""")
NAME = re.compile(r"""\s(?:id|name)=["']([^"']+)["']""")


def check(app: Sphinx, exception: Exception | None) -> None:
    """Write the first page of the folder, and end with the list of links that lead nowhere."""
    from sphinx.errors import ExtensionError

    if exception or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    (folder / "index.html").write_text(f'<meta http-equiv="refresh" content="0; url={app.config.root_doc}.html">\n')
    if wrong := wrong_links(folder):
        raise ExtensionError("links that lead nowhere, or load from outside:\n" + "\n".join(wrong))


def wrong_links(folder: Path) -> list[str]:
    """Return the links of a site that lead nowhere within it, and what its pages would load from elsewhere."""
    pages = (page for page in folder.rglob("*.html") if "_static" not in page.parts)
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    names = {page: set(NAME.findall(text)) for page, text in texts.items()}
    return [
        f"{page.relative_to(folder)}: {link}"
        for page, text in sorted(texts.items())
        for tag, kind, link in LINK.findall(text)
        if _is_wrong(page, tag, kind, link, names)
    ]


def _is_wrong(page: Path, tag: str, kind: str, link: str, names: dict[Path, set[str]]) -> bool:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return False
    if parts.scheme or parts.netloc:
        return kind == "src" or tag == "link"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return True
    return bool(parts.fragment) and target in names and unquote(parts.fragment) not in names[target]
