"""What stands in a page: numbers with their sources, texts, and the data inside it."""

import base64
import csv
import io
import json
import zlib
from html.parser import HTMLParser
from typing import NamedTuple

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
        self._open: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(html)
        self.close()
        assert self._open == [], "an element is not closed"

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
        if attributes.get("data-source"):
            self.numbers.append(Shown("".join(texts), attributes["data-value"] or "", attributes["data-source"] or ""))


def embedded_tables(reader: Reader) -> dict[str, bytes]:
    """Return the tables inside a page, expanded."""
    packed = json.loads(reader.scripts["tables-data"])
    return {name: zlib.decompress(base64.b64decode(content)) for name, content in packed.items()}


def rows(content: bytes) -> list[dict[str, str]]:
    """Read a CSV file with nothing but the standard library."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))
