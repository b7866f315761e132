"""What stands in a page: numbers with their sources, texts, and the data inside it."""

import base64
import csv
import io
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.reports.pages.page import Page

VOID = {"meta", "link", "input", "br", "img", "hr"}


class Shown(NamedTuple):
    """A number of the page: what is seen, what programs read, and where it comes from."""

    text: str
    value: str
    source: str


class Reader(HTMLParser):
    """Collects numbers, start tags with their attributes, visible text, and scripts by their id."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.numbers: list[Shown] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: dict[str, str] = {}
        self.cells: dict[str, list[Shown]] = {}
        self._open: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._seen: dict[str, list[str]] = {}
        self.feed(html)
        self.close()
        assert self._open == [], "an element is not closed"
        for table, (values, sources, _) in unpacked(json.loads(self.scripts.get("cells-data", '""'))).items():
            seen = self._seen.get(f"table-{table}", [])
            self.cells[table] = [Shown(*cell) for cell in zip(seen, values, sources, strict=True)]
            self.numbers += [cell for cell in self.cells[table] if cell.source]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append((tag, dict(attrs), []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self._open:
            self._open[-1][2].append(data)

    def handle_endtag(self, tag: str) -> None:
        name, attributes, texts = self._open.pop()
        assert name == tag, f"<{name}> is closed by </{tag}>"
        if tag == "script":
            self.scripts[attributes.get("id") or ""] = "".join(texts)
        if tag == "sup":
            self._open[-1][2].extend(texts)
        if tag == "td" and "group" not in (attributes.get("class") or "").split():
            tables = [str(own.get("id")) for tag, own, _ in self._open if tag == "table"]
            self._seen.setdefault(tables[-1], []).append("".join(texts))
        if attributes.get("data-source"):
            self.numbers.append(Shown("".join(texts), attributes["data-value"] or "", attributes["data-source"] or ""))


def unpacked(content: str) -> Any:
    """Return what a page holds compressed."""
    return json.loads(zlib.decompress(base64.b64decode(content))) if content else {}


def embedded_tables(reader: Reader) -> dict[str, dict[str, list[Any]]]:
    """Return the tables inside a page: their columns by name."""
    return {name: unpacked(content) for name, content in json.loads(reader.scripts["tables-data"]).items()}


def is_rounded(inside: Any, saved: str) -> bool:
    """Return whether a value inside a page is the text in a saved table, or its number with six digits."""
    if isinstance(inside, int | float) and not isinstance(inside, bool):
        return float(inside) == float(f"{float(saved):.6g}") or inside == float(saved)
    return (inside or "") == saved


def rows(content: bytes) -> list[dict[str, str]]:
    """Read a CSV file with nothing but the standard library."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


def check_sources(shown: list[Shown], tables: dict[str, list[dict[str, str]]], prefix: str = "") -> None:
    """Require that numbers are those of the cells of saved tables that they name."""
    for number in shown:
        table, row, column = number.source.removeprefix(prefix).split(":")
        original = tables[table][int(row)][column]
        assert number.value == original == "" or is_rounded(float(number.value), original), number


def saved_rows(files: Iterable[Any]) -> dict[str, list[dict[str, str]]]:
    """Return the rows of the CSV files that a page was made from, by name of the table."""
    return {Path(file.name).stem: rows(file.content) for file in files if file.name.endswith(".csv")}


def check_same_elsewhere(make: str, arguments: list[str], page: Page, folder: Path) -> None:
    """Require that another process makes the same files of the same tables."""
    code = f"import sys; from pathlib import Path; from rainbow.reports.pages.page import write_page; {make}"
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    subprocess.run([sys.executable, "-c", code, str(folder), *arguments], check=True, env=environment)
    assert (folder / f"{page.name}.html").read_text(encoding="utf-8") == page.html
    files = {path.name: path.read_bytes() for path in (folder / page.name).iterdir()}
    assert files == {
        f"{name}.{form}": getattr(drawn, form) for name, drawn in page.figures.items() for form in ("svg", "pdf")
    }


def check_marked(*pages: Reader) -> None:
    """Require ids that stand once, a caption for each table, one first heading and one main part."""
    for page in pages:
        ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
        tags = [tag for tag, _ in page.tags]
        assert len(ids) == len(set(ids))
        assert tags.count("caption") == tags.count("table") and tags.count("h1") == tags.count("main") == 1


def check_harmless(page: Reader, texts: Iterable[str]) -> None:
    """Require that hostile texts are shown and do nothing."""
    seen = "".join(page.texts)
    assert [text for text in texts if text not in seen] == []
    assert [tag for tag, _ in page.tags].count("script") == 4
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert not any(tag == "img" or attributes.get("class") == "x" for tag, attributes in page.tags)
