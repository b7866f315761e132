"""The inputs of the WebNLG Challenge 2020 that people rated texts for, in both languages."""

from __future__ import annotations

import json
import re
from typing import NamedTuple
from xml.etree import ElementTree

from rainbow.base.downloads import locate_file
from rainbow.datasets.webnlg2020.russian_files import RATINGS, TEST_SET
from rainbow.datasets.webnlg2020.source_files import CATEGORIES, TRIPLES

_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


class RatedInput(NamedTuple):
    """Triples in the notation of a meaning representation, with what is published about them."""

    mr: str
    category: str = ""
    references: tuple[str, ...] = ()


def english_inputs() -> dict[str, RatedInput]:
    """Return the inputs by sample as the raters saw them, in the order of the test set; without references."""
    tables = json.loads(locate_file(TRIPLES).read_bytes())
    rated = json.loads(locate_file(CATEGORIES).read_bytes())
    categories = {line["sample_id"]: line["category"] for line in rated}
    cells = {sample: _CELL.findall(table) for sample, table in tables.items()}
    return {
        sample: RatedInput(
            " && ".join(" | ".join(own[start : start + 3]) for start in range(0, len(own), 3)),
            categories.get(sample, ""),
        )
        for sample, own in cells.items()
    }


def russian_inputs() -> dict[str, RatedInput]:
    """Return the inputs by sample, in the order of the test set, with their references."""
    root = ElementTree.parse(locate_file(TEST_SET)).getroot()
    rated = json.loads(locate_file(next(iter(RATINGS.values()))).read_bytes())
    return {
        entry.attrib["eid"]: RatedInput(
            " && ".join((triple.text or "").replace("_", " ") for triple in entry.iter("mtriple")),
            entry.attrib["category"],
            tuple((text.text or "").strip() for text in entry.iter("lex")),
        )
        for entry in root.iter("entry")
        if entry.attrib["eid"] in rated
    }
